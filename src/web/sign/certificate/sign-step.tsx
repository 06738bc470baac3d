import { type ReactElement, useRef, useState } from "react";
import { momentOf } from "../../design/date-time.tsx";
import { Fact, FactList } from "../../design/fact-list.tsx";
import { Icon } from "../../design/icon.tsx";
import { Foreign } from "../../shell/foreign.tsx";
import { Consent } from "../act-step.tsx";
import { PenIcon } from "../icons.tsx";
import { NoticeLine } from "../notice.tsx";
import { missing } from "../reader/fields.ts";
import type { Certified } from "../service.ts";
import { Actions, Main, StepHeading } from "../step.tsx";
import type { StepProps } from "./common.ts";
import { BadgeIcon } from "./icons.tsx";
import { shownCpf } from "./shown-cpf.ts";

/** Whose certificate it is, the agreement, and the act. */
export function SignStep({
  flow,
  all,
  words,
  language,
  signing,
  certificate,
  certified,
}: StepProps & { readonly certified: Certified }): ReactElement {
  const { version } = signing.consent;
  // Agreement is given once more after a reload: it is an act, and nothing that was typed.
  const [agreed, setAgreed] = useState<string | null>(null);
  const [isMissing, setMissing] = useState(false);
  const box = useRef<HTMLInputElement>(null);
  const fields = signing.fields ?? [];
  const { name, cpf, issuer, not_after } = certified.certificate;
  const submit = () => {
    setMissing(agreed !== version);
    if (agreed !== version) return box.current?.focus();
    const [lacking] = missing(fields, flow.kept.values ?? {}, signing.participant.cpf);
    if (lacking !== undefined) {
      flow.update({ field: lacking.id });
      return flow.go("fields");
    }
    void certificate.sign();
  };
  return (
    <form
      className="sign-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Main className="close">
        <StepHeading>{words.sign.heading}</StepHeading>
        <section className="stack snug">
          <h2>{words.sign.agreement}</h2>
          <Consent
            words={all.act}
            signing={signing}
            box={box}
            isAgreed={agreed === version}
            isMissing={isMissing}
            onChange={(isAgreed) => {
              setAgreed(isAgreed ? version : null);
              setMissing(false);
            }}
          />
        </section>
        <section className="stack snug">
          <h2>{words.sign.certificate}</h2>
          <div className="own-card">
            <header>
              <BadgeIcon />
              <p>
                <b>
                  <Foreign text={name} />
                </b>
                {cpf !== null && <span className="nowrap">{words.sign.cpf.replace("{cpf}", shownCpf(cpf))}</span>}
              </p>
              <button type="button" className="button plain slim" onClick={certificate.change}>
                {words.sign.change}
              </button>
            </header>
            <FactList>
              <Fact term={words.sign.issuer}>
                <Foreign text={issuer} />
              </Fact>
              <Fact term={words.sign.until}>{momentOf(new Date(not_after), language).date}</Fact>
            </FactList>
          </div>
          {fields.length > 0 && <p className="quiet">{words.sign.drawn}</p>}
        </section>
      </Main>
      <Actions label={all.actions}>
        <NoticeLine words={all} notice={flow.notice} signing={flow.signing} />
        <div role="status">
          {certificate.isAgain && (
            <div className="sign-notice">
              <Icon tone="note" />
              <p>{words.sign.again}</p>
            </div>
          )}
        </div>
        <button type="submit" className="button main" aria-disabled={flow.isBusy}>
          <PenIcon />
          {certificate.doing === "signing" ? words.sign.busy : words.sign.submit}
        </button>
      </Actions>
    </form>
  );
}
