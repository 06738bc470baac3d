import { Link } from "@tanstack/react-router";
import { type ReactElement, type SubmitEvent, useRef, useState } from "react";
import { confirmReset } from "../api/auth.ts";
import type { Refusal } from "../api/refusal.ts";
import { PasswordEntry } from "../parts/entry.tsx";
import { RefusalNotice } from "../parts/refusal-notice.tsx";
import { usePlace } from "../place.tsx";
import { Door, DoorState } from "./door.tsx";
import { forgetLink } from "./link.ts";
import { lengthFault, passwordFault } from "./new-password.ts";

/** /app/welcome#…: a new person, and one who forgot the password, chooses one. */
export function Welcome(): ReactElement {
  const { words, link } = usePlace();
  const { welcome } = words;
  const field = useRef<HTMLInputElement>(null);
  const [shown, show] = useState<"form" | "dead" | "done">(link === null ? "dead" : "form");
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (isBusy || link === null) return;
    const password = field.current?.value ?? "";
    const fault = lengthFault(words, password);
    setError(fault);
    setRefusal(null);
    if (fault !== null) return field.current?.focus();
    setBusy(true);
    const answer = await confirmReset(link, password);
    setBusy(false);
    if (answer.ok || answer.refusal.code === "not_found") {
      forgetLink();
      return show(answer.ok ? "done" : "dead");
    }
    const refused = passwordFault(words, answer.refusal);
    setError(refused);
    if (refused === null) setRefusal(answer.refusal);
    else field.current?.focus();
  };
  if (shown === "dead")
    return (
      <Door title={welcome.deadHeading}>
        <DoorState icon="brokenLink" tone="warn" heading={welcome.deadHeading}>
          <p>{welcome.deadText}</p>
          <p>{welcome.deadNext}</p>
        </DoorState>
        <div className="stack tight">
          <Link to="/password" className="button">
            {words.enter.forgot}
          </Link>
          <Link to="/" className="button plain">
            {welcome.enter}
          </Link>
        </div>
      </Door>
    );
  if (shown === "done")
    return (
      <Door title={welcome.doneHeading}>
        <DoorState icon="done" tone="ok" heading={welcome.doneHeading}>
          <p role="status">{welcome.doneText}</p>
        </DoorState>
        {/* The page is loaded anew: the former session has ended. */}
        <a href="/app" className="button main">
          {welcome.enter}
        </a>
      </Door>
    );
  return (
    <Door title={welcome.heading}>
      <div className="stack tight">
        <h1>{welcome.heading}</h1>
        <p>{welcome.text}</p>
      </div>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <PasswordEntry field={field} kind="new-password" label={welcome.password} hint={welcome.hint} error={error} />
        {refusal !== null && <RefusalNotice refusal={refusal} />}
        <button type="submit" className="button main" aria-disabled={isBusy}>
          {welcome.submit}
        </button>
      </form>
    </Door>
  );
}
