import { type ReactElement, type SubmitEvent, useRef, useState } from "react";
import { SHAPES } from "../../verifier/evidence-form.ts";
import type { ShellWords } from "./words.ts";

/**
 * The code in the form that receipts print. Case, spaces, dashes and look-alike characters of the typed text do not matter. Null if the text
 * is not a code. The rule is that of platform.find_public_code, so the page accepts exactly the codes that the API finds.
 */
export function canonicalCode(typed: string): string | null {
  const code = typed
    .replace(/[\s\p{Dash}]/gu, "")
    // ASCII only: some other letters, too, have an ASCII capital (\u017F becomes S).
    .replace(/[a-z]/g, (letter) => letter.toUpperCase())
    .replace(/O/g, "0")
    .replace(/[IL]/g, "1")
    .replace(/^(.{4})(.{4})(.{4})$/s, "$1-$2-$3");
  return SHAPES.verification_code.test(code) ? code : null;
}

interface CodeFormProps {
  readonly words: ShellWords["code"];
  readonly onCode: (code: string) => void;
}

/** The field for a verification code. */
export function CodeForm({ words, onCode }: CodeFormProps): ReactElement {
  const [isWrong, setWrong] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const code = canonicalCode(field.current?.value ?? "");
    setWrong(code === null);
    if (code === null) field.current?.focus();
    else onCode(code);
  };
  return (
    <form className="code-form" onSubmit={submit} noValidate>
      <label htmlFor="code">{words.label}</label>
      <div className="field-row">
        <input
          id="code"
          ref={field}
          className="code-input"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={60}
          required
          aria-invalid={isWrong}
          aria-describedby={isWrong ? "code-error code-hint" : "code-hint"}
        />
        <button type="submit" className="primary">
          {words.submit}
        </button>
      </div>
      <p id="code-error" className="field-error" role="alert">
        {isWrong ? words.malformed : ""}
      </p>
      <p id="code-hint" className="hint">
        {words.hint}
      </p>
    </form>
  );
}
