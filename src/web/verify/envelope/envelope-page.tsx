import { type ReactElement, type ReactNode, type Ref, useMemo, useState } from "react";
import { CopyButton } from "../../design/copy-button.tsx";
import { Now, When } from "../../design/date-time.tsx";
import { EnvironmentBanner } from "../../design/environment-banner.tsx";
import { Icon, type Tone } from "../../design/icon.tsx";
import { Say } from "../../design/say.tsx";
import { Verdict } from "../../design/verdict.tsx";
import { Foreign, inert } from "../../shell/foreign.tsx";
import type { Language } from "../../shell/language.ts";
import { PICK } from "../drop-zone.tsx";
import { Keys } from "../keys.tsx";
import { Limits } from "../limits.tsx";
import { Offline } from "../offline.tsx";
import { Retry } from "../retry.tsx";
import { Share } from "../share.tsx";
import type { Verification } from "../use-verification.ts";
import { useTitle } from "../verdict-band.tsx";
import type { VerifyWords } from "../words.ts";
import { assessEnvelope } from "./assess.ts";
import { EnvelopeChecks } from "./envelope-checks.tsx";
import { EnvelopeFacts } from "./envelope-facts.tsx";
import { EnvelopeInputs } from "./envelope-inputs.tsx";
import { EnvelopeNames } from "./envelope-names.tsx";
import type { EnvelopeFindings, EnvelopeKind } from "./findings.ts";
import { envelopeWords } from "./languages.ts";
import { namesOf, signersOf } from "./signers.ts";
import type { EnvelopeWords } from "./words.ts";
import "./envelope.css";

const TONES: Readonly<Record<EnvelopeKind, Exclude<Tone, "note">>> = {
  final: "ok",
  original: "ok",
  dossier: "ok",
  dossier_erased: "ok",
  erasure_unsealed: "warn",
  completed: "info",
  report_alone: "info",
  unsigned: "warn",
  open: "info",
  declined: "warn",
  cancelled: "warn",
  expired: "warn",
  failed: "warn",
  ended: "ok",
  ended_unsealed: "warn",
  test: "warn",
  different: "bad",
  at_fault: "bad",
  report_altered: "bad",
  dossier_altered: "bad",
  foreign_keys: "bad",
  other_code: "bad",
  keys_unknown: "warn",
  keys_older: "warn",
  no_record: "warn",
};

/** Results under which what is said about the envelope cannot be relied on, so that it is not shown. */
const UNRELIABLE: readonly EnvelopeKind[] = [
  "report_altered",
  "dossier_altered",
  "foreign_keys",
  "at_fault",
  "other_code",
  "unsigned",
];

export interface EnvelopePageProps {
  readonly words: VerifyWords;
  readonly language: Language;
  readonly verification: Verification;
  /** The public address of a code. */
  readonly addressOf: (code: string | null) => string;
  readonly isOver: boolean;
  readonly heading: Ref<HTMLHeadingElement>;
  readonly act: (action: () => void) => void;
  readonly onFiles: (files: readonly File[]) => void;
}

/** The verify page about an envelope: the browser computes everything, as it does about a proof. */
export function EnvelopePage(props: EnvelopePageProps): ReactElement | null {
  const { words: all, language, verification, addressOf, isOver, act, onFiles } = props;
  const words = envelopeWords[language];
  const { envelope, code: asked, lookup } = verification;
  const findings = useMemo(() => (envelope === null ? null : assessEnvelope(envelope, asked)), [envelope, asked]);
  const [areKeysOpen, setKeysOpen] = useState(false);
  if (findings === null) return null;
  const { kind, code, isTest } = findings;
  const isReliable = !UNRELIABLE.includes(kind);
  const address = code !== null && isReliable ? addressOf(code) : null;
  const side = (
    <div key="side" className="side">
      <Limits words={words.limits} isTest={isTest} />
      {address !== null && code !== null && <Share words={words.share} code={code} address={address} />}
    </div>
  );
  const checks = (
    <EnvelopeChecks key="checks" all={all} words={words} findings={findings} verification={verification} />
  );
  const inputs = (
    <EnvelopeInputs
      key="inputs"
      all={all}
      words={words}
      verification={verification}
      findings={findings}
      isOver={isOver}
      act={act}
      onFiles={onFiles}
    />
  );
  const tone = TONES[kind];
  // A clerk's first question is who signed, unless something is wrong.
  const names = isReliable && <EnvelopeNames words={words} language={language} findings={findings} />;
  return (
    <>
      {isTest && <EnvironmentBanner text={words.testBar} />}
      <div className="needs-script">
        <Band {...props} findings={findings} address={address} />
      </div>
      <div className="page columns needs-script">
        {tone !== "bad" && names}
        {tone === "bad" ? [checks, side, inputs] : tone === "ok" ? [side, checks, inputs] : [inputs, side, checks]}
        {tone === "bad" && names}
        {isReliable && <EnvelopeFacts words={words} language={language} findings={findings} />}
        <Keys
          words={all.keys}
          verification={verification}
          language={language}
          isOpen={areKeysOpen}
          onOpen={setKeysOpen}
          act={act}
        />
        <Offline words={{ ...all.offline, ...words.offline }} lookup={lookup} />
      </div>
    </>
  );
}

/** The verdict in a sentence. */
function Band({
  words: all,
  language,
  verification,
  addressOf,
  heading,
  act,
  findings,
  address,
}: EnvelopePageProps & { readonly findings: EnvelopeFindings; readonly address: string | null }): ReactElement {
  const words = envelopeWords[language];
  const { kind, code } = findings;
  const verdict = words.verdicts[kind];
  const { file, lookup, notice, attempt, retry, checkReceipt } = verification;
  const name = file.status === "hashed" ? file.file.name : "";
  useTitle(
    `${(verdict.title ?? verdict.state).replace("{file}", () => inert(name))}${code === null ? "" : `, ${inert(code)}`} · Selo`,
  );
  const values = valuesOf(findings, words, language, verification);
  const isSilent = lookup.status === "failed" || lookup.status === "throttled";
  const canKeep = address !== null && ["final", "original", "completed", "test"].includes(kind);
  const actions: ReactNode[] = [
    isSilent && (
      <Retry
        key={`retry ${attempt}`}
        words={all.actions}
        seconds={lookup.status === "throttled" ? lookup.seconds : 0}
        onRetry={() => act(retry)}
      />
    ),
    kind === "different" && (
      <button
        key="choose"
        type="button"
        className="button main slim"
        onClick={() => document.getElementById(PICK)?.click()}
      >
        {all.actions.chooseOther}
      </button>
    ),
    kind === "other_code" && (
      <button key="other" type="button" className="button main slim" onClick={() => act(checkReceipt)}>
        {all.actions.thisReceipt}
      </button>
    ),
    canKeep && (
      <button key="print" type="button" className="button slim" onClick={() => print()}>
        {all.actions.print}
      </button>
    ),
    canKeep && address !== null && <CopyButton key="copy" text={address} words={all.actions} />,
  ].filter(Boolean);
  return (
    <Verdict
      tone={TONES[kind]}
      heading={heading}
      state={verdict.state}
      sentence={<Say text={verdict.sentence} with={values} />}
    >
      <p className="lead">
        <Say text={verdict.lead} with={values} />
      </p>
      {notice !== null && (
        <p className="note">
          <Icon tone="note" />
          <span>{all.notices[notice]}</span>
        </p>
      )}
      {actions.length > 0 && <div className="row">{actions}</div>}
      <p className="on-paper">
        <Say
          text={verdict.lead.includes("{now}") ? "{address}" : all.also.checkedAt}
          with={{ ...values, address: addressOf(code) }}
        />
      </p>
    </Verdict>
  );
}

/** The facts in sentences: from what was signed where it is signed, else from the service's answer. */
function valuesOf(
  findings: EnvelopeFindings,
  words: EnvelopeWords,
  language: Language,
  { file, checkedAt, report }: Verification,
): Readonly<Record<string, ReactNode>> {
  const { answer, completion, file: match, end } = findings;
  const signed = completion ?? report?.evidence.records?.[0]?.evidence;
  const said = (name: string) => {
    const value = signed?.members[name];
    return typeof value === "string" ? value : null;
  };
  const strong = (text: string) => (
    <b>
      <Foreign text={text} />
    </b>
  );
  const records = completion?.members["records"];
  const participants = answer?.participants.filter(({ role }) => role !== "observador") ?? [];
  const done = participants.filter(({ status }) => status === "completed").length;
  const completedAt = said("completed_at") ?? answer?.completed_at ?? null;
  const sentAt = answer?.sent_at ?? null;
  const sealedAt = report?.evidence.seal?.seal.members["sealed_at"];
  const when = (written: unknown) =>
    typeof written === "string" ? <When written={written} language={language} isStrong /> : null;
  return {
    ending: end === null ? null : words.endings[end.status],
    ended: when(end?.at),
    covered: when(sealedAt),
    what: report?.files === undefined ? words.thisReport : words.thisDossier,
    file: file.status === "hashed" ? strong(file.file.name) : words.aFile,
    organization: strong(said("organization") ?? answer?.organization ?? "—"),
    people: firstSigner(findings, words) ?? words.people(Array.isArray(records) ? records.length : done),
    progress: answer === null ? null : words.progress(done, participants.length),
    when: completedAt === null ? null : <When written={completedAt} language={language} isStrong />,
    sent: sentAt === null ? null : <When written={sentAt} language={language} isStrong />,
    original: match === "original" || match === "final" ? words.isOriginal : null,
    now: <Now instant={checkedAt} language={language} />,
  };
}

/** Of a report alone, the sentence begins with a name: it is what the report adds. */
function firstSigner(findings: EnvelopeFindings, words: EnvelopeWords): ReactNode {
  if (findings.kind !== "report_alone" || namesOf(findings) !== "proven") return null;
  const signers = signersOf(findings) ?? [];
  const name = signers.find((each) => each.action === "signed" && each.name !== null)?.name;
  if (name === undefined || name === null) return null;
  return (
    <>
      <b>
        <Foreign text={name} />
      </b>
      {signers.length > 1 && words.names.andMore(signers.length - 1)}
    </>
  );
}
