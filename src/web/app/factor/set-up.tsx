import { lazy, type ReactElement, type SubmitEvent, Suspense, useEffect, useRef, useState } from "react";
import { CopyButton } from "../../design/copy-button.tsx";
import { graphql } from "../api/graph.ts";
import { useAct } from "../api/use-act.ts";
import { CodeInput } from "../door/factor-form.tsx";
import { AppDialog } from "../parts/app-dialog.tsx";
import { Entry, HiddenUsername, PasswordEntry } from "../parts/entry.tsx";
import { usePlace, useSession } from "../place.tsx";
import { FactorRefusal } from "./factor-refusal.tsx";
import { factorWords } from "./words.ts";

const QrCode = lazy(() => import("../../design/qr-code.tsx"));

const BEGIN = graphql(`
  mutation BeginTotp {
    beginTotp {
      uri
      secret
    }
  }
`);
const CONFIRM = graphql(`
  mutation ConfirmTotp($input: ConfirmTotpInput!) {
    confirmTotp(input: $input) {
      recoveryCodes
    }
  }
`);

interface SetUpProps {
  readonly onClose: () => void;
  readonly onCodes: (codes: readonly string[]) => void;
}

/** Hands a secret to an authenticator app, and asks for the password and for the first code of the app. */
export function SetUp({ onClose, onCodes }: SetUpProps): ReactElement {
  const { words: common, language } = usePlace();
  const words = factorWords[language];
  const { user } = useSession();
  const begin = useAct(BEGIN);
  const confirm = useAct(CONFIRM);
  const [begun, setBegun] = useState<{ readonly uri: string; readonly secret: string } | null>(null);
  const [isMissing, setMissing] = useState(false);
  const [isMalformed, setMalformed] = useState(false);
  const passwordField = useRef<HTMLInputElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const hasBegun = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the set-up begins once, when the dialog opens.
  useEffect(() => {
    if (hasBegun.current) return;
    hasBegun.current = true;
    void begin.act({}).then((answer) => setBegun(answer?.beginTotp ?? null));
  }, []);
  const wrong = confirm.refusal?.fields.map((each) => each.field) ?? [];
  const isWrongPassword = wrong.includes("password");
  const isWrong = wrong.includes("code");
  const refusal = begin.refusal ?? (isWrongPassword || isWrong ? null : confirm.refusal);
  // A refusal moves the focus to what it is about, once the page tells it.
  const refused = confirm.refusal;
  useEffect(() => {
    if (refused === null) return;
    const at = refused.fields.some((each) => each.field === "password") ? passwordField : field;
    at.current?.focus();
    at.current?.select();
  }, [refused]);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (confirm.isBusy) return;
    confirm.clear();
    const password = passwordField.current?.value ?? "";
    const code = (field.current?.value ?? "").replace(/\s/g, "");
    const isSound = /^\d{6}$/.test(code);
    setMissing(password === "");
    setMalformed(!isSound);
    if (password === "" || !isSound) return (password === "" ? passwordField : field).current?.focus();
    const answer = await confirm.act({ input: { code, password } });
    if (answer?.confirmTotp) onCodes(answer.confirmTotp.recoveryCodes);
  };
  return (
    <AppDialog isOpen title={words.setUpHeading} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <p>{words.scan}</p>
        {begun !== null && (
          <>
            <a className="button only-phone" href={begun.uri}>
              {words.openHere}
            </a>
            <Suspense fallback={<span className="qr" />}>
              <QrCode text={begun.uri} label={words.qr} />
            </Suspense>
            <div className="stack tight">
              <p className="quiet">{words.byHand}</p>
              <div className="copy">
                <code className="break">{begun.secret.replace(/(.{4})(?=.)/g, "$1 ")}</code>
                <CopyButton text={begun.secret} words={common} />
              </div>
            </div>
          </>
        )}
        <HiddenUsername email={user.email} />
        <PasswordEntry
          field={passwordField}
          kind="current-password"
          label={common.enter.password}
          hint={words.passwordToo}
          error={isMissing ? common.enter.passwordMissing : isWrongPassword ? words.wrongPassword : null}
        />
        <Entry label={words.code} error={isMalformed ? common.factor.malformed : isWrong ? common.factor.wrong : null}>
          {(control) => <CodeInput {...control} field={field} />}
        </Entry>
        {refusal !== null && <FactorRefusal refusal={refusal} />}
        <div className="row">
          <button type="submit" className="button main" aria-disabled={confirm.isBusy || begun === null}>
            {words.goOn}
          </button>
          <button type="button" className="button" onClick={onClose}>
            {common.cancel}
          </button>
        </div>
      </form>
    </AppDialog>
  );
}
