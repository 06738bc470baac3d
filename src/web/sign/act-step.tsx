import { type ReactElement, type RefObject, useRef, useState } from "react";
import { FoldIcon, PenIcon } from "./icons.tsx";
import { NoticeLine } from "./notice.tsx";
import { completionOf, missing } from "./reader/fields.ts";
import { SignatureInput } from "./reader/signature-input.tsx";
import type { Signing } from "./service.ts";
import { Actions, FieldError, Main, StepHeading } from "./step.tsx";
import type { Flow } from "./use-signing.ts";
import type { Role, SignWords } from "./words.ts";

interface ActStepProps {
  readonly flow: Flow;
  readonly words: SignWords;
  readonly role: Role;
  readonly signing: Signing;
}

type Fault = "agreement" | "signature" | "signature_refused";

/** Agreement first, then the signature. Only a signatario signs; others approve or witness. */
export function ActStep({ flow, words: all, role, signing }: ActStepProps): ReactElement {
  const words = all.act;
  const { kept, update } = flow;
  const { version } = signing.consent;
  // Agreement is given once more after a reload: it is an act, and nothing that was typed.
  const [agreed, setAgreed] = useState<string | null>(null);
  const [faults, setFaults] = useState<readonly Fault[]>([]);
  const box = useRef<HTMLInputElement>(null);
  const signed = useRef<HTMLElement>(null);
  const signs = role === "signatario";
  const fields = signing.fields ?? [];
  const knownCpf = signing.participant.cpf;
  const values = kept.values ?? {};

  const submit = async () => {
    const found: Fault[] = [];
    if (agreed !== version) found.push("agreement");
    if (signs && kept.signature === undefined) found.push("signature");
    setFaults(found);
    if (found[0] === "agreement") return box.current?.focus();
    if (found[0] === "signature") return focusFirst(signed.current);
    const [lacking] = missing(fields, values, knownCpf);
    if (lacking !== undefined) {
      update({ field: lacking.id });
      return flow.go("fields");
    }
    const { cpf = null, ...given } = completionOf(fields, values, knownCpf);
    const refused = await flow.act({ signature: signs ? (kept.signature ?? null) : null, values: given.values, cpf });
    if (refused === null) return;
    if (refused.includes("signature")) {
      setFaults(["signature_refused"]);
      focusFirst(signed.current);
    }
  };
  return (
    <form
      className="sign-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Main className="close">
        <StepHeading>{words.heading[role]}</StepHeading>
        <section className="stack snug">
          <h2>{words.agreement}</h2>
          <Consent
            words={words}
            signing={signing}
            box={box}
            isAgreed={agreed === version}
            isMissing={faults.includes("agreement")}
            onChange={(isAgreed) => {
              setAgreed(isAgreed ? version : null);
              setFaults(faults.filter((fault) => fault !== "agreement"));
            }}
          />
        </section>
        {signs && (
          <section className="stack snug" ref={signed}>
            <h2>{words.signature}</h2>
            <SignatureInput
              name={signing.participant.name}
              value={kept.signature ?? null}
              onValue={(signature) => {
                update({ signature: signature ?? undefined });
                setFaults(faults.filter((fault) => fault === "agreement"));
              }}
              words={all.reader}
              error={
                faults.includes("signature")
                  ? words.noSignature
                  : faults.includes("signature_refused")
                    ? words.signatureRefused
                    : null
              }
            />
          </section>
        )}
        <p className="quiet">{words.recorded}</p>
      </Main>
      <Actions label={all.actions}>
        <NoticeLine words={all} notice={flow.notice} signing={flow.signing} />
        <button type="submit" className="button main" aria-disabled={flow.isBusy}>
          <PenIcon />
          {flow.isBusy ? words.busy : words.submit[role]}
        </button>
      </Actions>
    </form>
  );
}

interface ConsentProps {
  readonly words: SignWords["act"];
  readonly signing: Signing;
  readonly box: RefObject<HTMLInputElement | null>;
  readonly isAgreed: boolean;
  /** Whether it was missing when the participant wanted to go on. */
  readonly isMissing: boolean;
  readonly onChange: (isAgreed: boolean) => void;
}

/** The text, and the tick of who agrees. */
export function Consent({ words, signing, box, isAgreed, isMissing, onChange }: ConsentProps): ReactElement {
  return (
    <>
      <Agreement words={words} signing={signing} />
      <label className="sign-check">
        <input
          ref={box}
          type="checkbox"
          checked={isAgreed}
          aria-describedby={isMissing ? "agreement-error agreement" : "agreement"}
          aria-invalid={isMissing}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
        <span>{words.agree}</span>
      </label>
      {isMissing && <FieldError id="agreement-error">{words.disagree}</FieldError>}
    </>
  );
}

/** The text is whole for readers of the screen. Eyes see its first two lines until they ask for all of it: so it is in view together with the signature. */
function Agreement({ words, signing }: { readonly words: SignWords["act"]; readonly signing: Signing }): ReactElement {
  const [isWhole, setWhole] = useState(false);
  const { version, text } = signing.consent;
  return (
    <div className={isWhole ? "agreement" : "agreement folded"}>
      <p id="agreement" lang={signing.language}>
        {text}
      </p>
      <div className="agreement-foot">
        <button
          type="button"
          className="button plain"
          aria-expanded={isWhole}
          aria-controls="agreement"
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? words.showLess : words.readAll}
          <FoldIcon isOpen={isWhole} />
        </button>
        <span className="small quiet">{words.version.replace("{version}", version)}</span>
      </div>
    </div>
  );
}

/** What is missing is where the focus is: the chosen way of signing, else the field of the name. */
function focusFirst(section: HTMLElement | null): void {
  section?.querySelector<HTMLElement>("input:checked, input:not([type='radio'])")?.focus();
}
