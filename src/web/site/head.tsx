import type { ReactElement } from "react";
import { FACT_NAMES, PLACEHOLDERS } from "../shell/facts.ts";
import type { Language } from "../shell/language.ts";
import { pathOf, type StaticPage } from "./static-page.ts";

interface HeadProps {
  readonly page: StaticPage;
  readonly language: Language;
  readonly languages: readonly Language[];
  /** Whether a script of the page needs the facts. */
  readonly withFacts: boolean;
}

/** Open Graph names a language with its country. */
const LOCALES: Readonly<Record<Language, string>> = { en: "en_US", "pt-BR": "pt_BR" };

/** What browsers, search engines and messengers read of a page. Their addresses must be whole, so they begin with PUBLIC_URL. */
export function Head({ page, language, languages, withFacts }: HeadProps): ReactElement {
  const title = page.title(language);
  const description = page.description(language);
  return (
    <>
      <title>{title}</title>
      <meta name="description" content={description} />
      <link rel="icon" href="/favicon.ico" sizes="32x32" />
      <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
      {page.isPrivate ? (
        <meta name="robots" content="noindex" />
      ) : (
        <Addresses page={page} language={language} languages={languages} />
      )}
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content="Selo" />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:locale" content={LOCALES[language]} />
      {languages
        .filter((other) => other !== language)
        .map((other) => (
          <meta key={other} property="og:locale:alternate" content={LOCALES[other]} />
        ))}
      <meta property="og:image" content={`${PLACEHOLDERS.public_url}/share.png`} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content="Selo" />
      <meta name="twitter:card" content="summary_large_image" />
      {withFacts &&
        FACT_NAMES.map((name) => <meta key={name} name={`selo:${name}`} content={PLACEHOLDERS[name] ?? ""} />)}
    </>
  );
}

/** Each language has its own address. The address without a language answers in that of the visitor. */
function Addresses({ page, language, languages }: Omit<HeadProps, "withFacts">): ReactElement {
  const plain = `${PLACEHOLDERS.public_url}${pathOf(page)}`;
  if (languages.length === 1)
    return (
      <>
        <link rel="canonical" href={plain} />
        <meta property="og:url" content={plain} />
      </>
    );
  const own = `${plain}?lang=${language}`;
  return (
    <>
      <link rel="canonical" href={own} />
      {languages.map((each) => (
        <link key={each} rel="alternate" hrefLang={each} href={`${plain}?lang=${each}`} />
      ))}
      <link rel="alternate" hrefLang="x-default" href={plain} />
      <meta property="og:url" content={own} />
    </>
  );
}
