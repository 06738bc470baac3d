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
    <form className="card field" onSubmit={submit}>
      <label htmlFor="file-name">{words.label}</label>
      <p id="file-name-hint" className={wasTried ? "small field-error" : "small quiet"}>
        {wasTried ? words.stillDiffers : words.hint}
      </p>
      <div className="row">
        <input
          id="file-name"
          ref={field}
          className="text"
          defaultValue={name}
          autoComplete="off"
          spellCheck={false}
          maxLength={255}
          aria-invalid={wasTried}
          aria-describedby="file-name-hint"
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <button type="submit" className="button main">
          {words.submit}
        </button>
      </div>
    </form>
  );
}
