import { type ReactElement, type ReactNode, type RefObject, type SubmitEvent, useRef, useState } from "react";
import { type Answer, type Session, signIn } from "../api/auth.ts";
import { canUsePasskeys, signInWithPasskey } from "../api/passkeys.ts";
import type { Refusal } from "../api/refusal.ts";
import { Entry, PasswordEntry } from "../parts/entry.tsx";
import { RefusalNotice } from "../parts/refusal-notice.tsx";
import { usePlace } from "../place.tsx";
import { FactorForm } from "./factor-form.tsx";
import { Wait } from "./wait.tsx";

interface SignInFormProps {
  /** Above the form, as long as the password is asked for. */
  readonly children: ReactNode;
  /** Below it. */
  readonly after?: ReactNode;
  /** Whose password it is, where that is known. */
  readonly email?: string;
  /** The field of the password, for who gives it the focus. */
  readonly password?: RefObject<HTMLInputElement | null>;
  readonly forgot: ReactNode;
  readonly submit: string;
  readonly onOpened: (session: Session) => void;
}

type Step = { readonly name: "password" | "code" } | { readonly name: "wait"; readonly seconds: number };

/** E-mail and password, then the code of a second factor where there is one. */
export function SignInForm({
  children,
  after,
  email,
  password,
  forgot,
  submit,
  onOpened,
}: SignInFormProps): ReactElement {
  const { words } = usePlace();
  const { enter } = words;
  const emailField = useRef<HTMLInputElement>(null);
  const own = useRef<HTMLInputElement>(null);
  const passwordField = password ?? own;
  /** For the step of the code. */
  const given = useRef({ email: email ?? "", password: "" });
  const [step, go] = useState<Step>({ name: "password" });
  const [isBusy, setBusy] = useState(false);
  const [missing, setMissing] = useState<"email" | "password" | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);

  const tryTo = async (ask: () => Promise<Answer<Session>>): Promise<Refusal | null> => {
    setBusy(true);
    const answer = await ask();
    setBusy(false);
    if (answer.ok) {
      onOpened(answer.body);
      return null;
    }
    if (answer.refusal.code === "too_many_attempts") go({ name: "wait", seconds: answer.refusal.seconds ?? 60 });
    return answer.refusal;
  };
  const submitPassword = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const typed = {
      email: (email ?? emailField.current?.value ?? "").trim(),
      password: passwordField.current?.value ?? "",
    };
    setRefusal(null);
    const lacks = typed.email === "" ? "email" : typed.password === "" ? "password" : null;
    setMissing(lacks);
    if (lacks !== null) return (lacks === "email" ? emailField : passwordField).current?.focus();
    given.current = typed;
    const refused = await tryTo(() => signIn(typed.email, typed.password));
    if (refused === null || refused.code === "too_many_attempts") return;
    if (refused.code === "second_factor_required") return go({ name: "code" });
    setRefusal(refused);
    const field = passwordField.current;
    if (refused.code === "unauthenticated" && field !== null) {
      field.value = "";
      field.focus();
    }
  };

  const enterWithPasskey = async () => {
    if (isBusy) return;
    setRefusal(null);
    setMissing(null);
    setRefusal(await tryTo(signInWithPasskey));
  };

  if (step.name === "wait")
    return (
      <Wait
        email={given.current.email}
        seconds={step.seconds}
        onRetry={() => go({ name: "password" })}
        {...(email === undefined
          ? {
              onOther: () => {
                given.current = { email: "", password: "" };
                go({ name: "password" });
              },
            }
          : {})}
      />
    );
  if (step.name === "code")
    return (
      <FactorForm
        email={given.current.email}
        isBusy={isBusy}
        submit={submit}
        onCode={(code) => tryTo(() => signIn(given.current.email, given.current.password, code))}
        onBack={() => go({ name: "password" })}
      />
    );
  const isWrong = refusal?.code === "unauthenticated" || refusal?.code === "invalid_request";
  return (
    <>
      {children}
      <form onSubmit={(event) => void submitPassword(event)} noValidate>
        <Entry label={enter.email} error={missing === "email" ? enter.emailMissing : null}>
          {(control) => (
            <input
              {...control}
              ref={emailField}
              className="input"
              type="email"
              inputMode="email"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
              defaultValue={given.current.email}
              readOnly={email !== undefined}
            />
          )}
        </Entry>
        <PasswordEntry
          field={passwordField}
          kind="current-password"
          label={enter.password}
          aside={forgot}
          error={missing === "password" ? enter.passwordMissing : isWrong ? enter.wrong : null}
        />
        {refusal !== null && !isWrong && <RefusalNotice refusal={refusal} />}
        <button type="submit" className="button main" aria-disabled={isBusy}>
          {submit}
        </button>
        {canUsePasskeys() && (
          <button type="button" className="button" aria-disabled={isBusy} onClick={() => void enterWithPasskey()}>
            {enter.passkey}
          </button>
        )}
      </form>
      {after}
    </>
  );
}
