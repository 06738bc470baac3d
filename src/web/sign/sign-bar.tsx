import type { ReactElement } from "react";
import { Mark } from "../design/mark.tsx";
import { Foreign } from "../shell/foreign.tsx";
import { LANGUAGES, type Language } from "../shell/language.ts";
import { LANGUAGE_NAMES } from "../shell/words.ts";
import type { Step } from "./place.ts";
import type { SignWords } from "./words.ts";

interface SignBarProps {
  readonly words: SignWords;
  readonly language: Language;
  readonly steps: readonly Step[];
  /** Null where no step is shown. */
  readonly step: Step | null;
  /** Title of the envelope, beside its documents on wide screens. */
  readonly title: string | null;
  readonly onChoice: (language: Language) => void;
  /** Null where nothing can be declined. */
  readonly onDecline: (() => void) | null;
}

/** Where one is, the other language, and the way out. The mark is no link: nobody is to lose the request by a touch. */
export function SignBar({ words, language, steps, step, title, onChoice, onDecline }: SignBarProps): ReactElement {
  const place = step === null ? -1 : steps.indexOf(step);
  return (
    <header className="sign-bar">
      <div className="sign-top">
        <span className="brand">
          <Mark size={24} /> Selo
        </span>
        {title !== null && (
          <span className="sign-title only-wide quiet">
            <Foreign text={title} />
          </span>
        )}
        <span className="row">
          {LANGUAGES.filter((other) => other !== language).map((other) => (
            <button
              key={other}
              type="button"
              className="button plain slim"
              lang={other}
              data-language={other}
              onClick={() => onChoice(other)}
            >
              {LANGUAGE_NAMES[other]}
            </button>
          ))}
          {onDecline !== null && (
            <button type="button" className="button plain slim refuse" onClick={onDecline}>
              {words.decline}
            </button>
          )}
        </span>
      </div>
      {step !== null && place >= 0 && (
        <div className="sign-steps">
          <p>
            <b>{words.steps[step]}</b>
            <span className="quiet">
              {", "}
              {words.progress.replace("{step}", String(place + 1)).replace("{of}", String(steps.length))}
            </span>
          </p>
          <ol aria-hidden="true">
            {steps.map((each, at) => (
              <li key={each} className={at <= place ? "past" : undefined} />
            ))}
          </ol>
        </div>
      )}
    </header>
  );
}
