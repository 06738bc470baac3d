import { type ReactElement, type ReactNode, useEffect } from "react";
import { Mark } from "../../design/mark.tsx";
import type { SiteFacts } from "../../shell/facts.ts";
import { Given } from "../../shell/given.tsx";
import { LANGUAGES } from "../../shell/language.ts";
import { LANGUAGE_NAMES } from "../../shell/words.ts";
import { type IconName, LineIcon } from "../parts/line-icon.tsx";
import { usePlace } from "../place.tsx";
import type { AppWords } from "../words.ts";

/** The frame of what people see before they are signed in. */
export function Door({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactElement {
  const { language, words, facts, onLanguage } = usePlace();
  useEffect(() => {
    document.title = `${title} · Selo`;
  }, [title]);
  return (
    <div className="app door">
      <button type="button" className="skip" onClick={() => document.getElementById("main")?.focus()}>
        {words.skip}
      </button>
      <header className="door-bar">
        <div className="page">
          <a className="brand" href="/">
            <Mark size={24} /> Selo
          </a>
          {LANGUAGES.filter((other) => other !== language).map((other) => (
            <button
              key={other}
              type="button"
              className="button plain slim"
              lang={other}
              onClick={() => onLanguage(other)}
            >
              {LANGUAGE_NAMES[other]}
            </button>
          ))}
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <DoorFoot words={words} facts={facts} />
    </div>
  );
}

export function DoorFoot({ words, facts }: { readonly words: AppWords; readonly facts: SiteFacts }): ReactElement {
  return (
    <footer className="door-foot">
      <span>
        {words.cookies} {words.cookiesOnly}
      </span>{" "}
      <Given fact="privacy_url" facts={facts}>
        <a href={facts.privacy_url ?? ""}>{words.privacy}</a>
      </Given>
    </footer>
  );
}

interface DoorStateProps {
  readonly icon: IconName;
  readonly tone: "warn" | "info" | "ok";
  readonly heading: string;
  readonly children: ReactNode;
}

/** What happened, in place of a form. */
export function DoorState({ icon, tone, heading, children }: DoorStateProps): ReactElement {
  return (
    <div className="stack">
      <span className={`state-mark ${tone}`}>
        <LineIcon name={icon} />
      </span>
      <h1>{heading}</h1>
      {children}
    </div>
  );
}
