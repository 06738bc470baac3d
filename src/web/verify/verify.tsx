import { type ReactElement, useEffect, useState } from "react";
import type { SiteFacts } from "../shell/facts.ts";
import { Frame } from "../shell/frame.tsx";
import { chosenLanguage, keepLanguage, type Language } from "../shell/language.ts";
import { shellWords } from "../shell/words.ts";
import { verifyWords } from "./languages.ts";
import { VerifyPage } from "./verify-page.tsx";

interface VerifyProps {
  /** The language that the gateway chose. */
  readonly language: Language;
  readonly facts: SiteFacts;
  /** Whether the address contains a code. */
  readonly isByCode: boolean;
}

/** The whole page, in a language that changes without losing what the visitor added. */
export function Verify({ language: given, facts, isByCode }: VerifyProps): ReactElement {
  const [language, setLanguage] = useState(given);
  useEffect(() => setLanguage((current) => chosenLanguage() ?? current), []);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const choose = (chosen: Language) => {
    keepLanguage(chosen);
    setLanguage(chosen);
  };
  return (
    <Frame language={language} facts={facts} section="verify" onLanguage={choose}>
      <VerifyPage
        words={verifyWords[language]}
        shell={shellWords[language]}
        language={language}
        facts={facts}
        isByCode={isByCode}
      />
    </Frame>
  );
}
