import { type ReactElement, useEffect, useRef, useState } from "react";
import type { SiteFacts } from "../shell/facts.ts";
import { Frame } from "../shell/frame.tsx";
import { chosenLanguage, keepLanguage, type Language } from "../shell/language.ts";
import { shellWords } from "../shell/words.ts";
import { loadWords } from "./languages.ts";
import { VerifyPage } from "./verify-page.tsx";
import type { VerifyWords } from "./words.ts";

interface VerifyProps {
  /** The language that the gateway chose. */
  readonly language: Language;
  readonly words: VerifyWords;
  readonly facts: SiteFacts;
  /** Whether the address contains a code. */
  readonly isByCode: boolean;
}

/** The whole page, in a language that changes without losing what the visitor added. */
export function Verify({ language: given, words, facts, isByCode }: VerifyProps): ReactElement {
  const [shown, show] = useState({ language: given, words });
  const wanted = useRef(given);
  const change = useRef(async (language: Language) => {
    wanted.current = language;
    const loaded = await loadWords[language]();
    // Not if the visitor chose again meanwhile.
    if (wanted.current === language) show({ language, words: loaded });
  });
  const { language } = shown;
  useEffect(() => {
    const chosen = chosenLanguage();
    // Without the words of the visitor's language, which cannot be loaded, the page stays readable in the other.
    if (chosen !== null && chosen !== given) change.current(chosen).catch(() => {});
  }, [given]);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const choose = (chosen: Language) => {
    keepLanguage(chosen);
    change.current(chosen).catch(() => {});
  };
  return (
    <Frame language={language} facts={facts} section="verify" onLanguage={choose}>
      <VerifyPage
        words={shown.words}
        shell={shellWords[language]}
        language={language}
        facts={facts}
        isByCode={isByCode}
      />
    </Frame>
  );
}
