import type { VNode } from "preact";
import { useRef, useState } from "preact/hooks";
import type { ShellWords } from "./words.ts";

/** Crockford's base 32, in which codes are written: no I, L, O, U. */
const CODE = /^[0-9A-HJKMNP-TV-Z]{12}$/;

/** The code as it is written on receipts, whatever the case, dashes and look-alikes it was typed with; null when it is none. */
export function canonicalCode(typed: string): string | null {
  const letters = typed
    .toUpperCase()
    .replace(/[\s\p{Dash}]/gu, "")
    .replace(/O/g, "0")
    .replace(/[IL]/g, "1");
  return CODE.test(letters) ? (letters.match(/.{4}/g) ?? []).join("-") : null;
}

interface CodeFormProps {
  readonly words: ShellWords["code"];
  readonly onCode: (code: string) => void;
}

/** The field for a verification code. */
export function CodeForm({ words, onCode }: CodeFormProps): VNode {
  const [isWrong, setWrong] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const submit = (event: Event) => {
    event.preventDefault();
    const code = canonicalCode(field.current?.value ?? "");
    setWrong(code === null);
    if (code === null) field.current?.focus();
    else onCode(code);
  };
  return (
    <form class="code-form" onSubmit={submit} noValidate>
      <label for="code">{words.label}</label>
      <div class="field-row">
        <input
          id="code"
          ref={field}
          class="code-input"
          autocomplete="off"
          autocapitalize="characters"
          spellcheck={false}
          maxLength={60}
          required
          aria-invalid={isWrong}
          aria-describedby={isWrong ? "code-error code-hint" : "code-hint"}
        />
        <button type="submit" class="primary">
          {words.submit}
        </button>
      </div>
      <p id="code-error" class="field-error" role="alert">
        {isWrong ? words.malformed : ""}
      </p>
      <p id="code-hint" class="hint">
        {words.hint}
      </p>
    </form>
  );
}
