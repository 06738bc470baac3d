import { type ReactElement, useEffect } from "react";
import type { SiteFacts } from "../shell/facts.ts";
import type { Language } from "../shell/language.ts";
import { ActStep } from "./act-step.tsx";
import { CertificateDone, CertificateSteps } from "./certificate-steps.tsx";
import { CodeStep } from "./code-step.tsx";
import { Copies } from "./copies.tsx";
import { DeclineDialog, useDeclining } from "./decline.tsx";
import { Delegated, DelegateStep } from "./delegate-steps.tsx";
import { Done } from "./done.tsx";
import { FactorStep } from "./factor-step.tsx";
import { DeclinedPage, FaultPage, Opening } from "./faults.tsx";
import { NoticeLine } from "./notice.tsx";
import type { Place, Step } from "./place.ts";
import { Reading } from "./reading.tsx";
import { RequestStep } from "./request-step.tsx";
import { SignBar } from "./sign-bar.tsx";
import { factorOf, isCompleted, isQualified, useSigning } from "./use-signing.ts";
import type { Role, SignWords } from "./words.ts";

interface SignPageProps {
  readonly place: Place | null;
  readonly language: Language;
  readonly words: SignWords;
  readonly facts: SiteFacts;
  /** The language of the envelope, once it is known. */
  readonly onEnvelope: (language: string) => void;
  readonly onChoice: (language: Language) => void;
}

const ROLES: readonly Role[] = ["signatario", "aprovador", "testemunha", "observador"];

/** /sign/{participant_id}: one thing at a time. */
export function SignPage({ place, language, words, facts, onEnvelope, onChoice }: SignPageProps): ReactElement {
  const flow = useSigning(place);
  const { shown, signing, kept, notice } = flow;
  const declining = useDeclining(flow);
  const role = ROLES.find((each) => each === signing?.participant.role) ?? "signatario";
  const spoken = signing?.language;
  useEffect(() => {
    if (spoken !== undefined) onEnvelope(spoken);
  }, [onEnvelope, spoken]);
  const isTest = signing?.environment === "test";
  const name = shown.kind === "step" ? words.steps[shown.step] : null;
  useEffect(() => {
    // Never the title of the envelope: others see titles of tabs.
    const title = name === null ? words.title : `${name} · Selo`;
    document.title = isTest ? `${words.testTitle} · ${title}` : title;
  }, [isTest, name, words]);

  const steps: readonly Step[] = signing === null ? [] : stepsOf(signing, role);
  const mayDecline =
    shown.kind === "step" &&
    signing !== null &&
    !isCompleted(signing) &&
    signing.turn === "yes" &&
    // Nothing can be declined before the second factor.
    shown.step !== "factor" &&
    role !== "observador";
  const isWide = shown.kind === "step" && (shown.step === "read" || shown.step === "fields");
  const common = { flow, words, language, role };
  return (
    <div className={isWide ? "sign wide" : "sign"}>
      {/* No link: a fragment in the address is the place of the secret. */}
      <button type="button" className="skip" onClick={skip}>
        {words.skip}
      </button>
      {isTest && (
        <aside className="sign-test" aria-label={words.testHeading}>
          <strong>{words.testHeading}</strong> <span>{words.testText}</span>
        </aside>
      )}
      <SignBar
        words={words}
        language={language}
        steps={steps}
        step={shown.kind === "step" ? shown.step : null}
        title={isWide && signing !== null ? signing.title : null}
        onChoice={(choice) => {
          flow.update({ language: choice });
          onChoice(choice);
        }}
        onDecline={mayDecline ? declining.open : null}
      />
      {shown.kind === "opening" && <Opening words={words} />}
      {shown.kind === "fault" && (
        <FaultPage
          key={shown.fault.name}
          fault={shown.fault}
          signing={signing}
          words={words}
          participantId={place?.participantId ?? ""}
          onRetry={() => void flow.open()}
        />
      )}
      {shown.kind === "ended" &&
        (shown.ended.status === "declined" ? (
          <DeclinedPage words={words} signing={signing} />
        ) : shown.ended.status === "delegated" ? (
          <Delegated flow={flow} words={words} language={language} at={shown.ended.at} />
        ) : flow.certified === null ? (
          <Done {...common} ended={shown.ended} />
        ) : (
          <CertificateDone {...common} ended={shown.ended} certified={flow.certified} />
        ))}
      {shown.kind === "step" && signing !== null && (
        <>
          {shown.step === "request" && <RequestStep {...common} signing={signing} facts={facts} />}
          {shown.step === "code" && <CodeStep {...common} />}
          {shown.step === "factor" && <FactorStep {...common} signing={signing} />}
          {isWide && <Reading {...common} signing={signing} step={shown.step} facts={facts} />}
          {isQualified(signing) && (shown.step === "certificate" || shown.step === "act") ? (
            <CertificateSteps {...common} signing={signing} step={shown.step} />
          ) : (
            shown.step === "act" && <ActStep {...common} signing={signing} />
          )}
          {shown.step === "delegate" && <DelegateStep {...common} signing={signing} />}
          {shown.step === "copies" && <Copies {...common} signing={signing} />}
        </>
      )}
      {signing !== null && shown.kind === "step" && (
        <DeclineDialog
          words={words}
          signing={signing}
          declining={declining}
          isSignedIn={kept.token !== undefined || isQualified(signing)}
          isBusy={flow.isBusy}
        >
          <NoticeLine words={words} notice={notice} signing={signing} />
        </DeclineDialog>
      )}
    </div>
  );
}

function skip(): void {
  document.getElementById("main")?.focus();
}

/** The steps that lie before this participant. Which fields there are is known after the code. */
function stepsOf(signing: Parameters<typeof isCompleted>[0], role: Role): readonly Step[] {
  const needsCertificate = isQualified(signing);
  const first: readonly Step[] = needsCertificate
    ? ["request"]
    : factorOf(signing) === null
      ? ["request", "code"]
      : ["request", "code", "factor"];
  if (isCompleted(signing)) return [...first, "copies"];
  if (role === "observador") return [...first, "read"];
  const fields: readonly Step[] = signing.fields?.length === 0 ? [] : ["fields"];
  return [...first, "read", ...fields, ...(needsCertificate ? (["certificate"] as const) : []), "act"];
}
