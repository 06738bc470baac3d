/** Renders pages at the build (src/surfaces/web/build-pages.ts), as HTML without styles or scripts of its own. */
import type { ReactElement } from "react";
import { renderToStaticMarkup, renderToString } from "react-dom/server";
import { FACT_NAMES, PLACEHOLDERS } from "../shell/facts.ts";
import { Frame } from "../shell/frame.tsx";
import { LANGUAGES, type Language } from "../shell/language.ts";
import { verifyPages } from "../verify/static.tsx";
import { type Guide, guidePage } from "./guide.tsx";
import { landing } from "./landing.tsx";
import { notFound } from "./not-found.tsx";
import type { StaticPage } from "./static-page.ts";

/** A page in one language. */
export interface RenderedPage {
  /** Below the folder of pages, such as `home.en.html`. */
  readonly file: string;
  readonly language: Language;
  /** The document that it is put into: page.html, or that of a page with an application. */
  readonly template: "page" | "verify";
  readonly head: string;
  readonly body: string;
}

export function renderPages(guides: readonly Guide[]): RenderedPage[] {
  const pages = [landing, notFound, ...guides.map((guide) => guidePage(guide, guides))];
  return [
    ...pages.flatMap((page) => inLanguages(page, "page", renderToStaticMarkup)),
    // With the marks by which React finds its elements again in the browser.
    ...verifyPages.flatMap((page) => inLanguages(page, "verify", renderToString)),
  ];
}

function inLanguages(
  page: StaticPage,
  template: RenderedPage["template"],
  render: (element: ReactElement) => string,
): RenderedPage[] {
  const { languages = LANGUAGES, section } = page;
  return languages.map((language) => ({
    file: `${page.name}.${language}.html`,
    language,
    template,
    head: renderToStaticMarkup(<Head page={page} language={language} withFacts={template !== "page"} />),
    body: render(
      template === "page" ? (
        <Frame language={language} facts={PLACEHOLDERS} languages={languages} {...(section ? { section } : {})}>
          {page.content(language, PLACEHOLDERS)}
        </Frame>
      ) : (
        page.content(language, PLACEHOLDERS)
      ),
    ),
  }));
}

interface HeadProps {
  readonly page: StaticPage;
  readonly language: Language;
  /** Whether a script of the page needs the facts. */
  readonly withFacts: boolean;
}

function Head({ page, language, withFacts }: HeadProps): ReactElement {
  const title = page.title(language);
  const description = page.description(language);
  return (
    <>
      <title>{title}</title>
      <meta name="description" content={description} />
      {page.isPrivate && <meta name="robots" content="noindex" />}
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content="Selo" />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:locale" content={language.replace("-", "_")} />
      {withFacts &&
        FACT_NAMES.map((name) => <meta key={name} name={`selo:${name}`} content={PLACEHOLDERS[name] ?? ""} />)}
    </>
  );
}
