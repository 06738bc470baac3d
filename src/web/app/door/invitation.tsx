import { Link } from "@tanstack/react-router";
import { type ReactElement, type SubmitEvent, useEffect, useRef, useState } from "react";
import { Say } from "../../design/say.tsx";
import { Foreign } from "../../shell/foreign.tsx";
import { LANGUAGES } from "../../shell/language.ts";
import { LANGUAGE_NAMES } from "../../shell/words.ts";
import { acceptInvitation, type Invitation, readInvitation } from "../api/auth.ts";
import type { Refusal } from "../api/refusal.ts";
import { Loading } from "../panel/nowhere.tsx";
import { Entry, HiddenUsername, PasswordEntry } from "../parts/entry.tsx";
import { Notice, RefusalNotice } from "../parts/refusal-notice.tsx";
import { usePlace } from "../place.tsx";
import { Door, DoorState } from "./door.tsx";
import { FactorForm } from "./factor-form.tsx";
import { forgetLink } from "./link.ts";
import { lengthFault, passwordFault } from "./new-password.ts";
import { Wait } from "./wait.tsx";

type Shown =
  | { readonly kind: "reading" }
  | { readonly kind: "dead" }
  | { readonly kind: "fault"; readonly refusal: Refusal }
  | { readonly kind: "form"; readonly invitation: Invitation };

/** /app/invitation#…: an invited person sees who invites, and accepts. */
export function AcceptInvitation(): ReactElement {
  const { words, link } = usePlace();
  const { invitation: own } = words;
  const [shown, show] = useState<Shown>(link === null ? { kind: "dead" } : { kind: "reading" });
  useEffect(() => {
    if (link === null || shown.kind !== "reading") return;
    void readInvitation(link).then((answer) => {
      if (answer.ok) show({ kind: "form", invitation: answer.body });
      else if (["not_found", "invalid_request"].includes(answer.refusal.code)) show({ kind: "dead" });
      else show({ kind: "fault", refusal: answer.refusal });
    });
  }, [link, shown.kind]);
  if (shown.kind === "form") return <Accept invitation={shown.invitation} onDead={() => show({ kind: "dead" })} />;
  if (shown.kind === "dead")
    return (
      <Door title={own.deadHeading}>
        <DoorState icon="brokenLink" tone="warn" heading={own.deadHeading}>
          <p>{own.deadText}</p>
          <p>{own.deadNext}</p>
        </DoorState>
        <Link to="/" className="button">
          {own.haveAccount}
        </Link>
      </Door>
    );
  return (
    <Door title={words.panel.faultHeading}>
      {shown.kind === "reading" ? (
        <Loading />
      ) : (
        <>
          <h1>{words.panel.faultHeading}</h1>
          <RefusalNotice refusal={shown.refusal} />
          <button type="button" className="button main" onClick={() => show({ kind: "reading" })}>
            {words.retry}
          </button>
        </>
      )}
    </Door>
  );
}

interface AcceptProps {
  readonly invitation: Invitation;
  readonly onDead: () => void;
}

function Accept({ invitation, onDead }: AcceptProps): ReactElement {
  const { words, language, link } = usePlace();
  const { invitation: own } = words;
  const { organization, email, role, known } = invitation;
  const nameField = useRef<HTMLInputElement>(null);
  const languageField = useRef<HTMLSelectElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);
  const [password, keepPassword] = useState("");
  const [step, go] = useState<"form" | "code" | number>("form");
  const [isBusy, setBusy] = useState(false);
  const [errors, setErrors] = useState<{ readonly name?: string; readonly password?: string }>({});
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const title = own.heading.replace("{organization}", organization);
  const accept = async (given: Omit<Parameters<typeof acceptInvitation>[0], "link">): Promise<Refusal | null> => {
    setBusy(true);
    const answer = await acceptInvitation({ link: link ?? "", ...given });
    setBusy(false);
    if (answer.ok) {
      forgetLink();
      location.assign("/app");
      return null;
    }
    if (answer.refusal.code === "too_many_attempts") go(answer.refusal.seconds ?? 60);
    if (answer.refusal.code === "not_found") onDead();
    return answer.refusal;
  };
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const typed = passwordField.current?.value ?? "";
    const name = (nameField.current?.value ?? "").trim();
    const nameFault = known || name !== "" ? null : own.nameMissing;
    const fault = known ? (typed === "" ? words.enter.passwordMissing : null) : lengthFault(words, typed);
    setErrors({ ...(nameFault === null ? {} : { name: nameFault }), ...(fault === null ? {} : { password: fault }) });
    setRefusal(null);
    if (nameFault !== null) return nameField.current?.focus();
    if (fault !== null) return passwordField.current?.focus();
    keepPassword(typed);
    const refused = await accept(
      known ? { password: typed } : { password: typed, name, language: languageField.current?.value ?? language },
    );
    if (refused === null || ["too_many_attempts", "not_found"].includes(refused.code)) return;
    if (refused.code === "second_factor_required") return go("code");
    const wrong = refused.code === "unauthenticated" ? own.wrong : known ? null : passwordFault(words, refused);
    if (wrong === null) return setRefusal(refused);
    setErrors({ password: wrong });
    const field = passwordField.current;
    if (known && field !== null) field.value = "";
    field?.focus();
  };
  if (typeof step === "number")
    return (
      <Door title={words.wait.heading}>
        <Wait email={email} seconds={step} onRetry={() => go("form")} />
      </Door>
    );
  if (step === "code")
    return (
      <Door title={words.factor.heading}>
        <FactorForm
          email={email}
          isBusy={isBusy}
          submit={own.submit}
          onCode={(code) => accept({ password, code })}
          onBack={() => go("form")}
        />
      </Door>
    );
  return (
    <Door title={title}>
      <h1>
        <Say text={own.heading} with={{ organization: <Foreign text={organization} /> }} />
      </h1>
      <dl className="facts">
        <div>
          <dt>{words.enter.email}</dt>
          <dd>
            <Foreign text={email} />
          </dd>
        </div>
        <div>
          <dt>{own.role}</dt>
          <dd>
            <b>{words.roles[role].name}</b>. {words.roles[role].text}
          </dd>
        </div>
      </dl>
      {known && (
        <Notice tone="info" icon="info">
          <p>{own.known}</p>
        </Notice>
      )}
      <form onSubmit={(event) => void submit(event)} noValidate>
        <HiddenUsername email={email} />
        {!known && (
          <>
            <Entry label={own.name} error={errors.name}>
              {(control) => (
                <input {...control} ref={nameField} className="input" autoComplete="name" maxLength={255} />
              )}
            </Entry>
            <Entry label={own.language}>
              {(control) => (
                <select {...control} ref={languageField} className="input" defaultValue={language}>
                  {LANGUAGES.map((each) => (
                    <option key={each} value={each} lang={each}>
                      {LANGUAGE_NAMES[each]}
                    </option>
                  ))}
                </select>
              )}
            </Entry>
          </>
        )}
        <PasswordEntry
          field={passwordField}
          kind={known ? "current-password" : "new-password"}
          label={known ? own.yours : own.choose}
          hint={known ? own.yoursHint : words.welcome.hint}
          error={errors.password}
          {...(known ? { aside: <Link to="/password">{words.enter.forgot}</Link> } : {})}
        />
        {refusal !== null && <RefusalNotice refusal={refusal} />}
        <button type="submit" className="button main" aria-disabled={isBusy}>
          {own.submit}
        </button>
      </form>
      <p className="quiet small">
        {known ? "" : own.seen} {own.unexpected}
      </p>
    </Door>
  );
}
