import "./certificate.css";
import { type ReactElement, useEffect } from "react";
import { Fact } from "../../design/fact-list.tsx";
import { Say } from "../../design/say.tsx";
import type { Language } from "../../shell/language.ts";
import { Done, type DoneProps } from "../done.tsx";
import { LockIcon } from "../icons.tsx";
import type { Step } from "../place.ts";
import type { Certified, Signing } from "../service.ts";
import { Main, StepHeading } from "../step.tsx";
import type { Flow } from "../use-signing.ts";
import type { SignWords } from "../words.ts";
import { OpenStep } from "./open-step.tsx";
import { OpeningStep } from "./opening-step.tsx";
import { shownCpf } from "./shown-cpf.ts";
import { SignStep } from "./sign-step.tsx";
import { useCertificate } from "./use-certificate.ts";
import type { CertificateWords } from "./words.ts";
import { en } from "./words-en.ts";
import { ptBr } from "./words-pt-br.ts";

const WORDS: Readonly<Record<Language, CertificateWords>> = { en, "pt-BR": ptBr };

export interface CertificateStepsProps {
  readonly flow: Flow;
  readonly words: SignWords;
  readonly language: Language;
  readonly signing: Signing;
  /** `certificate` or `act`. */
  readonly step: Step;
}

/** Opening the certificate, and signing with it. What was opened lives from the one step to the other, and no longer. */
export function Steps({ flow, words: all, language, signing, step }: CertificateStepsProps): ReactElement {
  const words = WORDS[language];
  const certificate = useCertificate(flow, signing);
  const isLost = step === "act" && certificate.certified === null;
  const { go } = flow;
  useEffect(() => {
    if (isLost) go("certificate", "replace");
  }, [go, isLost]);
  const common = { flow, all, words, language, signing, certificate };
  if (globalThis.crypto.subtle === undefined)
    return (
      <Main>
        <div className="stack">
          <span className="state-mark warn">
            <LockIcon />
          </span>
          <StepHeading>{words.insecure.sentence}</StepHeading>
          <p>{words.insecure.remedy}</p>
        </div>
      </Main>
    );
  if (certificate.doing === "reading" || certificate.doing === "judging") return <OpeningStep {...common} />;
  return step === "certificate" || certificate.certified === null ? (
    <OpenStep {...common} />
  ) : (
    <SignStep {...common} certified={certificate.certified} />
  );
}

export type CertificateDoneProps = Omit<DoneProps, "own"> & { readonly certified: Certified["certificate"] };

/** The end, where a certificate signed. */
export function CertificateDone({ certified, ...done }: CertificateDoneProps): ReactElement {
  const words = WORDS[done.language].done;
  const { name, cpf, issuer } = certified;
  return (
    <Done
      {...done}
      own={{
        heading: words.heading,
        sentence: words.sentence,
        note: (
          <section className="sign-note own-dropped">
            <LockIcon />
            <p>{words.dropped}</p>
          </section>
        ),
        // In live the service takes no signature before the issuer has said so. In test nobody may be asked.
        more: done.flow.signing?.environment === "live" && <Fact term={words.state}>{words.notRevoked}</Fact>,
        how: <Say text={cpf === null ? words.howWithoutCpf : words.how} with={{ name, issuer, cpf: shownCpf(cpf) }} />,
      }}
    />
  );
}
