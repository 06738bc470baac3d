import { type ReactElement, type SubmitEvent, useRef } from "react";
import type { VerifyWords } from "./words.ts";

interface NameFormProps {
  readonly words: VerifyWords["naming"];
  readonly name: string;
  /** True if this name has been tried and does not match. */
  readonly wasTried: boolean;
  readonly onName: (name: string) => void;
}

/** The signatures cover the name under which a file was registered. A visitor who renamed the file can enter the old name. */
export function NameForm({ words, name, wasTried, onName }: NameFormProps): ReactElement {
  const field = useRef<HTMLInputElement>(null);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onName(field.current?.value ?? "");
  };
  return (
    <form className="card" onSubmit={submit}>
      <label htmlFor="file-name">{words.label}</label>
      <div className="field-row">
        <input
          id="file-name"
          ref={field}
          defaultValue={name}
          autoComplete="off"
          spellCheck={false}
          maxLength={255}
          aria-invalid={wasTried}
          aria-describedby="file-name-error file-name-hint"
        />
        <button type="submit" className="primary">
          {words.submit}
        </button>
      </div>
      <p id="file-name-error" className="field-error" role="alert">
        {wasTried ? words.stillDiffers : ""}
      </p>
      <p id="file-name-hint" className="hint">
        {words.hint}
      </p>
    </form>
  );
}
