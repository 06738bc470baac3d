import { type ComponentType, type ReactElement, useLayoutEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { chooseLanguage, keepLanguage, LANGUAGES, type Language } from "./language.ts";
import { LANGUAGE_NAMES, type ShellWords, shellWords } from "./words.ts";

/** The properties of a page; made anew when the language changes. */
export interface PageProps<Words> {
  readonly words: Words;
  readonly shell: ShellWords;
  readonly language: Language;
}

interface Page<Words> {
  readonly words: Readonly<Record<Language, Words>>;
  readonly Content: ComponentType<PageProps<Words>>;
}

/** Shows a page in the document, in the visitor's language. */
export function showPage<Words extends { readonly title: string }>(page: Page<Words>): void {
  const body = document.getElementById("app");
  if (body !== null) createRoot(body).render(<Frame {...page} />);
}

function Frame<Words extends { readonly title: string }>({ words, Content }: Page<Words>): ReactElement {
  const [language, setLanguage] = useState(chooseLanguage);
  const shell = shellWords[language];
  useLayoutEffect(() => {
    document.documentElement.lang = language;
    document.title = words[language].title;
  }, [language, words]);
  const choose = (chosen: Language) => {
    keepLanguage(chosen);
    setLanguage(chosen);
  };
  return (
    <>
      <a className="skip" href="#main">
        {shell.skip}
      </a>
      <header className="site">
        <a className="brand" href="/" aria-label={shell.home}>
          <Mark />
          <span>Selo</span>
        </a>
        <nav aria-label={shell.language} className="languages">
          {LANGUAGES.map((each) => (
            <button key={each} type="button" lang={each} aria-pressed={each === language} onClick={() => choose(each)}>
              {LANGUAGE_NAMES[each]}
            </button>
          ))}
        </nav>
      </header>
      <main id="main" tabIndex={-1}>
        <Content words={words[language]} shell={shell} language={language} />
      </main>
      <footer className="site">
        <p>{shell.footer}</p>
      </footer>
    </>
  );
}

/** The seal of the logo. */
function Mark(): ReactElement {
  return (
    <svg className="mark" viewBox="0 0 32 32" aria-hidden="true">
      <circle cx="16" cy="16" r="13" fill="none" stroke="currentColor" strokeWidth="2.5" />
      <path
        d="m10.5 16.5 4 4 7.5-8.5"
        fill="none"
        stroke="currentColor"
        strokeWidth="3"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
