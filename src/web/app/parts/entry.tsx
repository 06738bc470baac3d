import { type ReactElement, type ReactNode, type Ref, useId, useState } from "react";
import { usePlace } from "../place.tsx";
import { LineIcon } from "./line-icon.tsx";

interface EntryProps {
  readonly label: string;
  /** Beside the label, such as a link. */
  readonly aside?: ReactNode;
  readonly hint?: ReactNode;
  readonly error?: string | null | undefined;
  /** Draws the control with these attributes. */
  readonly children: (control: ControlProps) => ReactNode;
}

export interface ControlProps {
  readonly id: string;
  readonly "aria-invalid"?: true;
  readonly "aria-describedby"?: string;
}

/** A control with its label, its hint and its error. */
export function Entry({ label, aside, hint, error, children }: EntryProps): ReactElement {
  const id = useId();
  const described = [error ? `${id}-error` : null, hint ? `${id}-hint` : null].filter((each) => each !== null);
  return (
    <div className="entry">
      {aside === undefined ? (
        <label htmlFor={id}>{label}</label>
      ) : (
        <div className="labels">
          <label htmlFor={id}>{label}</label>
          {aside}
        </div>
      )}
      {children({
        id,
        ...(error ? { "aria-invalid": true } : {}),
        ...(described.length > 0 ? { "aria-describedby": described.join(" ") } : {}),
      })}
      {error && <EntryError id={`${id}-error`} text={error} />}
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

export function EntryError({ id, text }: { readonly id?: string; readonly text: ReactNode }): ReactElement {
  return (
    <p className="entry-error" id={id} role="alert">
      <LineIcon name="error" />
      <span>{text}</span>
    </p>
  );
}

interface PasswordEntryProps extends Omit<EntryProps, "children"> {
  readonly field: Ref<HTMLInputElement>;
  /** For password managers. */
  readonly kind: "current-password" | "new-password";
}

/** A password, which can be shown. Pasting and password managers work as anywhere. */
export function PasswordEntry({ field, kind, ...entry }: PasswordEntryProps): ReactElement {
  const { words } = usePlace();
  const [isShown, show] = useState(false);
  return (
    <Entry {...entry}>
      {(control) => (
        <div className="secret">
          <input
            {...control}
            ref={field}
            className="input"
            type={isShown ? "text" : "password"}
            autoComplete={kind}
            autoCapitalize="none"
            spellCheck={false}
            maxLength={256}
          />
          <button
            type="button"
            className="button plain"
            aria-pressed={isShown}
            aria-label={words.showPassword}
            onClick={() => show(!isShown)}
          >
            {isShown ? words.hide : words.show}
          </button>
        </div>
      )}
    </Entry>
  );
}

/** Tells password managers whose password is asked for. Nobody sees it. */
export function HiddenUsername({ email }: { readonly email: string }): ReactElement {
  return (
    <input
      className="out-of-sight"
      type="email"
      autoComplete="username"
      value={email}
      readOnly
      tabIndex={-1}
      aria-hidden="true"
    />
  );
}
