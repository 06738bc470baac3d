import type { ReactElement, Ref } from "react";
import { Entry } from "../parts/entry.tsx";
import { usePlace } from "../place.tsx";
import { factorWords } from "./words.ts";

/** A code of the authenticator app, or a recovery code, beside the password. */
export function FactorEntry({ field }: { readonly field: Ref<HTMLInputElement> }): ReactElement {
  const { language } = usePlace();
  return (
    <Entry label={factorWords[language].codeOrRecovery}>
      {(control) => (
        <input
          {...control}
          ref={field}
          className="input mono"
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={40}
        />
      )}
    </Entry>
  );
}
