import type { VNode } from "preact";
import { useRef } from "preact/hooks";
import type { VerifyWords } from "./words.ts";

interface NameFormProps {
  readonly words: VerifyWords["naming"];
  readonly name: string;
  /** True when this name has been tried and is not the one. */
  readonly wasTried: boolean;
  readonly onName: (name: string) => void;
}

/** The signatures cover the name that a file was registered under. A visitor who renamed the file can say what it was. */
export function NameForm({ words, name, wasTried, onName }: NameFormProps): VNode {
  const field = useRef<HTMLInputElement>(null);
  const submit = (event: Event) => {
    event.preventDefault();
    onName(field.current?.value ?? "");
  };
  return (
    <form class="card" onSubmit={submit}>
      <label for="file-name">{words.label}</label>
      <div class="field-row">
        <input
          id="file-name"
          ref={field}
          defaultValue={name}
          autocomplete="off"
          spellcheck={false}
          maxLength={255}
          aria-invalid={wasTried}
          aria-describedby="file-name-error file-name-hint"
        />
        <button type="submit" class="primary">
          {words.submit}
        </button>
      </div>
      <p id="file-name-error" class="field-error" role="alert">
        {wasTried ? words.stillDiffers : ""}
      </p>
      <p id="file-name-hint" class="hint">
        {words.hint}
      </p>
    </form>
  );
}
