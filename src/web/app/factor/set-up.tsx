import { lazy, type ReactElement, type SubmitEvent, Suspense, useEffect, useRef, useState } from "react";
import { CopyButton } from "../../design/copy-button.tsx";
import { graphql } from "../api/graph.ts";
import { useAct } from "../api/use-act.ts";
import { CodeInput } from "../door/factor-form.tsx";
import { AppDialog } from "../parts/app-dialog.tsx";
import { Entry } from "../parts/entry.tsx";
import { usePlace } from "../place.tsx";
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
  mutation ConfirmTotp($code: String!) {
    confirmTotp(input: { code: $code }) {
      recoveryCodes
    }
  }
`);

interface SetUpProps {
  readonly onClose: () => void;
  readonly onCodes: (codes: readonly string[]) => void;
}

/** Hands a secret to an authenticator app, and asks for the first code of it. */
export function SetUp({ onClose, onCodes }: SetUpProps): ReactElement {
  const { words: common, language } = usePlace();
  const words = factorWords[language];
  const begin = useAct(BEGIN);
  const confirm = useAct(CONFIRM);
  const [begun, setBegun] = useState<{ readonly uri: string; readonly secret: string } | null>(null);
  const [isMalformed, setMalformed] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const hasBegun = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the set-up begins once, when the dialog opens.
  useEffect(() => {
    if (hasBegun.current) return;
    hasBegun.current = true;
    void begin.act({}).then((answer) => setBegun(answer?.beginTotp ?? null));
  }, []);
  const isWrong = confirm.refusal?.code === "invalid_request";
  const refusal = begin.refusal ?? (isWrong ? null : confirm.refusal);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    confirm.clear();
    const code = (field.current?.value ?? "").replace(/\s/g, "");
    const isSound = /^\d{6}$/.test(code);
    setMalformed(!isSound);
    const answer = isSound ? await confirm.act({ code }) : null;
    if (answer?.confirmTotp) onCodes(answer.confirmTotp.recoveryCodes);
    else {
      field.current?.focus();
      field.current?.select();
    }
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
