import { type ReactElement, type Ref, type SubmitEvent, useEffect, useRef, useState } from "react";
import { Say } from "../../design/say.tsx";
import { Foreign } from "../../shell/foreign.tsx";
import type { Refusal } from "../api/refusal.ts";
import { type ControlProps, Entry } from "../parts/entry.tsx";
import { RefusalNotice } from "../parts/refusal-notice.tsx";
import { usePlace } from "../place.tsx";

interface FactorFormProps {
  readonly email: string;
  readonly isBusy: boolean;
  readonly submit: string;
  /** @returns why the code did not open the session; null when it did */
  readonly onCode: (code: string) => Promise<Refusal | null>;
  readonly onBack: () => void;
}

/** The code of an authenticator app, or a recovery code in its place. */
export function FactorForm({ email, isBusy, submit, onCode, onBack }: FactorFormProps): ReactElement {
  const { words } = usePlace();
  const { factor } = words;
  const [isRecovery, setRecovery] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const field = useRef<HTMLInputElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the field takes the focus whenever another of the two appears.
  useEffect(() => field.current?.focus(), [isRecovery]);
  const turn = (to: boolean) => {
    setRecovery(to);
    setError(null);
    setRefusal(null);
  };
  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const code = (field.current?.value ?? "").replace(/\s/g, "");
    const isSound = isRecovery ? code !== "" : /^\d{6}$/.test(code);
    setRefusal(null);
    setError(isSound ? null : isRecovery ? factor.recoveryWrong : factor.malformed);
    const refused = isSound ? await onCode(code) : null;
    if (refused !== null) {
      const isWrong = ["unauthenticated", "second_factor_required", "invalid_request"].includes(refused.code);
      if (isWrong) setError(isRecovery ? factor.recoveryWrong : factor.wrong);
      else setRefusal(refused);
    }
    field.current?.focus();
    field.current?.select();
  };
  return (
    <>
      <div className="stack tight">
        <h1>{isRecovery ? factor.recoveryHeading : factor.heading}</h1>
        <p>
          {isRecovery ? factor.recoveryText : <Say text={factor.text} with={{ email: <Foreign text={email} /> }} />}
        </p>
      </div>
      <form onSubmit={(event) => void send(event)} noValidate>
        {isRecovery ? (
          <Entry key="recovery" label={factor.recoveryCode} error={error}>
            {(control) => (
              <input
                {...control}
                ref={field}
                className="input mono"
                autoComplete="off"
                autoCapitalize="characters"
                spellCheck={false}
                maxLength={40}
              />
            )}
          </Entry>
        ) : (
          <Entry key="code" label={factor.code} hint={factor.changes} error={error}>
            {(control) => <CodeInput {...control} field={field} />}
          </Entry>
        )}
        {refusal !== null && <RefusalNotice refusal={refusal} />}
        <button type="submit" className="button main" aria-disabled={isBusy}>
          {submit}
        </button>
      </form>
      <div className="stack tight">
        <button type="button" className="button plain" onClick={() => turn(!isRecovery)}>
          {isRecovery ? factor.app : factor.recovery}
        </button>
        <button type="button" className="button plain" onClick={onBack}>
          {factor.back}
        </button>
      </div>
      {isRecovery && (
        <details>
          <summary>{factor.lost}</summary>
          <p className="quiet small">{factor.lostText}</p>
        </details>
      )}
    </>
  );
}

/** Six digits of an authenticator app. */
export function CodeInput({
  field,
  ...control
}: ControlProps & { readonly field: Ref<HTMLInputElement> }): ReactElement {
  return (
    <input
      {...control}
      ref={field}
      className="input code-input"
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={7}
    />
  );
}
