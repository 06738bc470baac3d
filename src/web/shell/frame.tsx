import type { MouseEvent, ReactElement, ReactNode } from "react";
import { Mark } from "../design/mark.tsx";
import type { SiteFacts } from "./facts.ts";
import { Given } from "./given.tsx";
import { LANGUAGES, type Language } from "./language.ts";
import { SiteLink } from "./site-link.tsx";
import { LANGUAGE_NAMES, shellWords } from "./words.ts";

/** The part of the site that a page belongs to. */
export type Section = "verify" | "guides" | "api";

interface BarProps {
  readonly language: Language;
  readonly section?: Section;
  /** Languages that the page is written in; all by default. */
  readonly languages?: readonly Language[];
  /** Changes the language without leaving the page. Without it the link loads the page again. */
  readonly onLanguage?: (language: Language) => void;
}

interface FrameProps extends BarProps {
  readonly facts: SiteFacts;
  readonly children: ReactNode;
}

const SECTIONS: readonly { readonly section: Section; readonly href: string }[] = [
  { section: "verify", href: "/verify" },
  { section: "guides", href: "/guides" },
  { section: "api", href: "/docs" },
];

/** Everything of a page around its content: bar, main, footer. */
export function Frame({ children, ...bar }: FrameProps): ReactElement {
  return (
    <>
      <Bar {...bar} />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <Foot language={bar.language} facts={bar.facts} />
    </>
  );
}

/** The begin of each page: a link past it, the sections of the site, the other languages of the page. */
export function Bar({ language, section, languages = LANGUAGES, onLanguage }: BarProps): ReactElement {
  const words = shellWords[language];
  const change = (to: Language) => (event: MouseEvent) => {
    if (onLanguage === undefined) return;
    event.preventDefault();
    onLanguage(to);
  };
  return (
    <>
      <a className="skip" href="#main">
        {words.skip}
      </a>
      <header className="bar">
        <div className="page">
          <a className="brand" href="/" aria-label={words.home}>
            <Mark size={28} /> Selo
          </a>
          <nav aria-label={words.main}>
            <ul>
              {SECTIONS.map((each) => (
                <li key={each.section}>
                  <SiteLink
                    href={each.href}
                    language={language}
                    text={words.sections[each.section]}
                    isCurrent={each.section === section}
                  />
                </li>
              ))}
              {languages
                .filter((other) => other !== language)
                .map((other) => (
                  <li key={other}>
                    <a
                      href={`?lang=${other}`}
                      lang={other}
                      hrefLang={other}
                      data-language={other}
                      onClick={change(other)}
                    >
                      {LANGUAGE_NAMES[other]}
                    </a>
                  </li>
                ))}
            </ul>
          </nav>
        </div>
      </header>
    </>
  );
}

/** The end of each page: who operates the deployment, and where its promises stand. It says which pages are written in another language. */
export function Foot({ language, facts }: Pick<FrameProps, "language" | "facts">): ReactElement {
  const words = shellWords[language];
  return (
    <footer className="foot">
      <div className="page">
        <p className="brand">
          <Mark size={24} /> Selo
        </p>
        <ul>
          <Given fact="contact_url" facts={facts}>
            <li>
              <a href={facts.contact_url ?? ""}>{words.contact}</a>
            </li>
          </Given>
          <Given fact="privacy_url" facts={facts}>
            <li>
              <a href={facts.privacy_url ?? ""}>{words.privacy}</a>
            </li>
          </Given>
          <Given fact="terms_url" facts={facts}>
            <li>
              <a href={facts.terms_url ?? ""}>{words.terms}</a>
            </li>
          </Given>
          <li>
            <a href="/trust">{words.trust}</a>
          </li>
          <li>
            <a href="/status">{words.status}</a>
          </li>
        </ul>
        <div>
          <Given fact="operator_name" facts={facts}>
            <p>
              {`${words.operatedBy} ${facts.operator_name}`}
              <Given fact="operator_details" facts={facts}>{`, ${facts.operator_details}`}</Given>.
            </p>
          </Given>
          <p>{words.noCookies}</p>
          {words.inEnglish !== null && <p>{words.inEnglish}</p>}
        </div>
      </div>
    </footer>
  );
}
