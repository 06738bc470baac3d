import type { ReactElement } from "react";
import { EntryError } from "../parts/entry.tsx";
import { usePlace } from "../place.tsx";
import { scopeInWords, tokenWords } from "./words.ts";

interface ScopeListProps {
  readonly scopes: readonly string[];
  /** Null until something was chosen. */
  readonly isMissing: boolean;
}

/** What a token or a key may do, one tick each. */
export function ScopeList({ scopes, isMissing }: ScopeListProps): ReactElement {
  const { language } = usePlace();
  const words = tokenWords[language];
  return (
    <fieldset className="stack tight">
      <legend>{words.tokens.scopes}</legend>
      <div className="ticks">
        {scopes.map((scope) => (
          <label key={scope} className="check">
            <input type="checkbox" name="scope" value={scope} />
            <span className="grow">
              {scopeInWords(scope, words)} <span className="quiet mono small">{scope}</span>
            </span>
          </label>
        ))}
      </div>
      {isMissing && <EntryError text={words.tokens.scopesMissing} />}
    </fieldset>
  );
}

/** What was ticked in a form. */
export const tickedIn = (form: HTMLFormElement): string[] =>
  new FormData(form).getAll("scope").filter((scope) => typeof scope === "string");
