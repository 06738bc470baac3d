import { type ReactElement, useCallback, useEffect, useRef, useState } from "react";
import type { SiteFacts } from "../shell/facts.ts";
import { LANGUAGES, type Language } from "../shell/language.ts";
import { loadWords } from "./languages.ts";
import type { Place } from "./place.ts";
import { SignPage } from "./sign-page.tsx";
import type { SignWords } from "./words.ts";

interface SignProps {
  /** The language that the gateway chose. */
  readonly language: Language;
  readonly words: SignWords;
  readonly facts: SiteFacts;
  /** Null at the build, where nobody signs. */
  readonly place: Place | null;
}

const known = (tag: string | null | undefined) => LANGUAGES.find((language) => language === tag) ?? null;

/** The whole page: in the language that the participant chose, else in that of the envelope, once it is known. */
export function Sign({ language: given, words, facts, place }: SignProps): ReactElement {
  const [shown, show] = useState({ language: given, words });
  const chosen = useRef(known(place?.kept.language));
  const wanted = useRef(given);
  const change = useCallback(async (language: Language) => {
    if (wanted.current === language) return;
    wanted.current = language;
    // Without the words of the other language, which cannot be loaded, the page stays readable in this one.
    const loaded = await loadWords[language]().catch(() => null);
    if (loaded !== null && wanted.current === language) show({ language, words: loaded });
  }, []);
  const { language } = shown;
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  useEffect(() => {
    // An address that asks for a language is a choice as well.
    if (new URLSearchParams(location.search).has("lang")) chosen.current ??= given;
    if (chosen.current !== null) void change(chosen.current);
  }, [change, given]);
  const onEnvelope = useCallback(
    (tag: string) => {
      const spoken = known(tag);
      if (chosen.current === null && spoken !== null) void change(spoken);
    },
    [change],
  );
  const onChoice = useCallback(
    (choice: Language) => {
      chosen.current = choice;
      void change(choice);
    },
    [change],
  );
  return (
    <SignPage
      place={place}
      language={language}
      words={shown.words}
      facts={facts}
      onEnvelope={onEnvelope}
      onChoice={onChoice}
    />
  );
}
