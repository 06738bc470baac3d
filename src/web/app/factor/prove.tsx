import { type ReactElement, type ReactNode, type SubmitEvent, useRef, useState } from "react";
import type { Refusal } from "../api/refusal.ts";
import { AppDialog } from "../parts/app-dialog.tsx";
import { HiddenUsername, PasswordEntry } from "../parts/entry.tsx";
import { usePlace, useSession } from "../place.tsx";
import { FactorEntry } from "./factor-entry.tsx";
import { FactorRefusal } from "./factor-refusal.tsx";
import { factorWords } from "./words.ts";

interface ProveProps {
  readonly title: string;
  readonly submit: string;
  /** Without an authenticator app the password alone is asked for. */
  readonly asksCode?: boolean;
  readonly isBusy: boolean;
  readonly refusal: Refusal | null;
  readonly onProof: (proof: { readonly password: string; readonly code: string }) => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Asks for the password, and for a code, before what weakens the account. */
export function Prove({
  title,
  submit,
  asksCode = true,
  isBusy,
  refusal,
  onProof,
  onClose,
  children,
}: ProveProps): ReactElement {
  const { words: common, language } = usePlace();
  const words = factorWords[language];
  const { user } = useSession();
  const password = useRef<HTMLInputElement>(null);
  const code = useRef<HTMLInputElement>(null);
  const [isMissing, setMissing] = useState(false);
  const isWrong = refusal?.code === "invalid_request";
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const given = { password: password.current?.value ?? "", code: (code.current?.value ?? "").replace(/\s/g, "") };
    const lacks = given.password === "" || (asksCode && given.code === "");
    setMissing(lacks);
    if (lacks) (given.password === "" ? password : code).current?.focus();
    else onProof(given);
  };
  return (
    <AppDialog isOpen title={title} onClose={onClose} first={password}>
      {children}
      <form onSubmit={send} noValidate>
        <HiddenUsername email={user.email} />
        <PasswordEntry
          field={password}
          kind="current-password"
          label={common.enter.password}
          error={isWrong || isMissing ? (asksCode ? words.wrong : words.wrongPassword) : null}
        />
        {asksCode && <FactorEntry field={code} />}
        {refusal !== null && !isWrong && <FactorRefusal refusal={refusal} />}
        <div className="row">
          <button type="submit" className="button danger main" aria-disabled={isBusy}>
            {submit}
          </button>
          <button type="button" className="button" onClick={onClose}>
            {common.cancel}
          </button>
        </div>
      </form>
    </AppDialog>
  );
}
