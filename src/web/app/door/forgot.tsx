import { Link } from "@tanstack/react-router";
import { type ReactElement, type SubmitEvent, useRef, useState } from "react";
import { Say } from "../../design/say.tsx";
import { Foreign } from "../../shell/foreign.tsx";
import { askForReset } from "../api/auth.ts";
import type { Refusal } from "../api/refusal.ts";
import { Entry } from "../parts/entry.tsx";
import { RefusalNotice } from "../parts/refusal-notice.tsx";
import { usePlace } from "../place.tsx";
import { Door, DoorState } from "./door.tsx";

/** /app/password: mails a link with which a person chooses another password. */
export function Forgot(): ReactElement {
  const { words } = usePlace();
  const { forgot, enter } = words;
  const field = useRef<HTMLInputElement>(null);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [isMissing, setMissing] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const email = (field.current?.value ?? "").trim();
    setMissing(email === "");
    setRefusal(null);
    if (email === "") return field.current?.focus();
    setBusy(true);
    const answer = await askForReset(email);
    setBusy(false);
    if (answer.ok) return setSentTo(email);
    if (answer.refusal.code === "invalid_request") {
      setMissing(true);
      field.current?.focus();
    } else setRefusal(answer.refusal);
  };
  if (sentTo !== null)
    return (
      <Door title={forgot.sentHeading}>
        <DoorState icon="mail" tone="info" heading={forgot.sentHeading}>
          <p role="status">
            <Say
              text={forgot.sentText.replaceAll("**", "")}
              with={{
                email: (
                  <b>
                    <Foreign text={sentTo} />
                  </b>
                ),
              }}
            />
          </p>
          <p className="quiet small">{forgot.notCome}</p>
        </DoorState>
        <div className="stack tight">
          <Link to="/" className="button">
            {forgot.backToEnter}
          </Link>
          <button type="button" className="button plain" onClick={() => setSentTo(null)}>
            {forgot.other}
          </button>
        </div>
      </Door>
    );
  return (
    <Door title={forgot.heading}>
      <div className="stack tight">
        <h1>{forgot.heading}</h1>
        <p>{forgot.text}</p>
      </div>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Entry label={enter.email} error={isMissing ? enter.emailMissing : null}>
          {(control) => (
            <input
              {...control}
              ref={field}
              className="input"
              type="email"
              inputMode="email"
              autoComplete="username"
              autoCapitalize="none"
              spellCheck={false}
            />
          )}
        </Entry>
        {refusal !== null && <RefusalNotice refusal={refusal} />}
        <button type="submit" className="button main" aria-disabled={isBusy}>
          {forgot.submit}
        </button>
      </form>
      <Link to="/" className="button plain">
        {words.factor.back}
      </Link>
    </Door>
  );
}
