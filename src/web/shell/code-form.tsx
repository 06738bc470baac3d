import { type ReactElement, type SubmitEvent, useRef, useState } from "react";
import { SHAPES } from "../../verifier/evidence-form.ts";
import type { ShellWords } from "./words.ts";

/**
 * The code in the form that receipts print. Case, spaces, invisible characters, dashes and look-alike characters of the typed text do not
 * matter. Null if the text is not a code. The rule is that of platform.find_public_code, so the page accepts exactly the codes that the API finds.
 */
export function canonicalCode(typed: string): string | null {
  const code = typed
    .replace(/[\s\p{Default_Ignorable_Code_Point}\p{Dash}]/gu, "")
    // ASCII only: some other letters, too, have an ASCII capital (\u017F becomes S).
    .replace(/[a-z]/g, (letter) => letter.toUpperCase())
    .replace(/O/g, "0")
    .replace(/[IL]/g, "1")
    .replace(/^(.{4})(.{4})(.{4})$/s, "$1-$2-$3");
  return SHAPES.verification_code.test(code) ? code : null;
}

interface CodeFormProps {
  /** Of its field. */
  readonly id?: string;
  readonly words: ShellWords["code"];
  /** A code that no proof has. It stays in the field, to be corrected. */
  readonly wrongCode?: string;
  readonly onCode: (code: string) => void;
}

/** The field for a verification code. A wrong code stays in the field and is selected with the focus; the error takes the place of the hint. */
export function CodeForm({ id = "code", words, wrongCode = "", onCode }: CodeFormProps): ReactElement {
  const [isMalformed, setMalformed] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const code = canonicalCode(field.current?.value ?? "");
    setMalformed(code === null);
    if (code !== null) onCode(code);
    else {
      field.current?.focus();
      field.current?.select();
    }
  };
  const error = isMalformed ? words.malformed : wrongCode === "" ? null : words.unknown;
  return (
    <form className="field" onSubmit={submit} noValidate>
      <label htmlFor={id}>{words.label}</label>
      <p
        id={`${id}-hint`}
        className={error === null ? "small quiet" : "small field-error"}
        role={isMalformed ? "alert" : undefined}
      >
        {error ?? words.hint}
      </p>
      <div className="row">
        <input
          id={id}
          ref={field}
          defaultValue={wrongCode}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={60}
          required
          aria-invalid={error !== null}
          aria-describedby={`${id}-hint`}
          onFocus={({ currentTarget }) => {
            if (error !== null) currentTarget.select();
          }}
        />
        <button type="submit" className="button main">
          {words.submit}
        </button>
      </div>
    </form>
  );
}
