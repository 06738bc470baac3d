import type { VNode } from "preact";
import { useRef } from "preact/hooks";
import type { VerifyWords } from "./words.ts";

interface NameFormProps {
  readonly words: VerifyWords["naming"];
  readonly name: string;
  /** True if this name has been tried and does not match. */
  readonly wasTried: boolean;
  readonly onName: (name: string) => void;
}

/** The signatures cover the name under which a file was registered. A visitor who renamed the file can enter the old name. */
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
