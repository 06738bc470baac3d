import { type ReactElement, type ReactNode, type Ref, useEffect } from "react";
import type { Evidence } from "../../verifier/evidence.ts";
import { CopyButton } from "../design/copy-button.tsx";
import { Now, When } from "../design/date-time.tsx";
import { Icon, type Tone } from "../design/icon.tsx";
import { Say } from "../design/say.tsx";
import { Skeleton } from "../design/skeleton.tsx";
import { Verdict } from "../design/verdict.tsx";
import { Foreign, inert } from "../shell/foreign.tsx";
import type { Language } from "../shell/language.ts";
import { NO_CODE } from "./code-in-address.ts";
import { PICK } from "./drop-zone.tsx";
import { codeOf, documentName, ownName, recordOfReceipt, textOf, validRecord } from "./facts.ts";
import { isInOrder, type Kind } from "./kinds.ts";
import { knownMembers, listed } from "./members.ts";
import { Retry } from "./retry.tsx";
import type { Shown } from "./shown.ts";
import type { Verification } from "./use-verification.ts";
import type { VerdictWords, VerifyWords } from "./words.ts";

const TONES: Readonly<Record<Kind, Exclude<Tone, "note">>> = {
  verified: "ok",
  verified_here: "ok",
  test: "warn",
  test_no_file: "warn",
  authentic: "info",
  attached_record: "info",
  on_record: "info",
  name_needed: "info",
  unconfirmed: "warn",
  keys_unknown: "warn",
  keys_older: "warn",
  environment_unknown: "warn",
  no_record: "warn",
  different_file: "bad",
  altered: "bad",
  foreign_keys: "bad",
  untrusted_keys: "bad",
  other_code: "bad",
  record_at_fault: "bad",
  code_unknown: "warn",
  not_a_code: "warn",
  file_unknown: "warn",
  zip_unread: "warn",
  unreadable: "warn",
  throttled: "warn",
  unreachable: "warn",
};

/** The tone of a result; null before the result is known. */
export function toneOf(shown: Shown): Exclude<Tone, "note"> | null {
  return shown.status === "result" ? TONES[shown.kind] : null;
}

export interface VerdictBandProps {
  readonly words: VerifyWords;
  readonly language: Language;
  readonly verification: Verification;
  readonly shown: Exclude<Shown, { status: "asking" | "envelope" }>;
  /** The address of the proof, to hand on; null without a code. */
  readonly address: string | null;
  /** The address that printed pages show: also what does not match may have to be shown to somebody. */
  readonly paperAddress: string;
  readonly heading: Ref<HTMLHeadingElement>;
  /** Wraps what a visitor does, so that the result takes the focus. */
  readonly acting: (action: () => void) => () => void;
}

/** The verdict by sentence, or what is under way in its place. */
export function VerdictBand(props: VerdictBandProps): ReactElement {
  const { words, verification, shown, heading } = props;
  useTitle(titleOf(props));
  if (shown.status === "progress") return progressBand(props);
  const { kind } = shown;
  const verdict = words.verdicts[kind];
  const values = valuesOf(kind, props);
  const remarks = remarksOf(kind, verification, words);
  return (
    <Verdict
      tone={TONES[kind]}
      heading={heading}
      state={verdict.state}
      sentence={<Say text={verdict.sentence} with={values} />}
    >
      <p className="lead">
        <Say text={verdict.lead} with={values} />
        {hasOtherName(kind, verification) && (
          <>
            {" "}
            <Say text={words.also.ownName} with={values} />
          </>
        )}
      </p>
      {remarks.map((remark) => (
        <p key={remark} className="note">
          <Icon tone="note" />
          <span>{remark}</span>
        </p>
      ))}
      <Actions {...props} kind={kind} />
      <p className="on-paper">
        <Say
          // Of a good verdict, the sentence before says when.
          text={verdict.lead.includes("{now}") ? "{address}" : words.also.checkedAt}
          with={{ ...values, address: props.paperAddress }}
        />
      </p>
    </Verdict>
  );
}

/** Not a component: the band is one element all along, because screen readers announce what changes in it. */
function progressBand({ words: all, language, verification, shown, heading, acting }: VerdictBandProps): ReactElement {
  const words = all.progress;
  const { file, reading, removeFile, cancelReading } = verification;
  const progress = shown.status === "progress" ? shown.progress : "looking_up";
  const isHashing = progress === "hashing" && file.status === "hashing";
  const slow = isHashing ? file : progress === "reading" ? reading : null;
  if (slow !== null) {
    const done = slow.size === 0 ? 1 : slow.bytes / slow.size;
    const [state, cancel] = isHashing ? [words.hashing, removeFile] : [words.readingDossier, cancelReading];
    return (
      <Verdict tone={null} heading={heading} state={state} sentence={<Own name={slow.name} />}>
        <div className="hashing">
          <progress aria-labelledby="verdict" max={1} value={done} />{" "}
          <span className="percent">{new Intl.NumberFormat(language, { style: "percent" }).format(done)}</span>
        </div>
        <p className="row">
          <button type="button" className="button slim" onClick={acting(cancel)}>
            {words.cancel}
          </button>
        </p>
      </Verdict>
    );
  }
  const { code, receipt } = verification;
  const ofFile = code === null && receipt === null && file.status === "hashed" ? file.file.name : null;
  const shownCode = code === null || code === NO_CODE ? null : code;
  return (
    <Verdict
      tone={null}
      heading={heading}
      state={progress === "reading" ? words.reading : words.lookingUp}
      sentence={
        progress === "reading" ? (
          words.readingSentence
        ) : ofFile === null ? (
          <Say
            text={words.code}
            with={{ code: shownCode === null ? <span className="bone third" /> : <b className="mono">{shownCode}</b> }}
          />
        ) : (
          <Say text={words.file} with={{ file: <Own name={ofFile} /> }} />
        )
      }
    >
      <Skeleton bones={["", "half"]} />
    </Verdict>
  );
}

function Own({ name }: { readonly name: string }): ReactElement {
  return (
    <b>
      <Foreign text={name} />
    </b>
  );
}

/** The facts in sentences. Where a proof failed, they come from the service's record and never from the receipt. */
function valuesOf(
  kind: Kind,
  { words, language, verification }: VerdictBandProps,
): Readonly<Record<string, ReactNode>> {
  const { findings, lookup, checkedAt, code } = verification;
  const own = ownName(verification);
  const given = {
    own: own === null ? null : <Own name={own} />,
    now: <Now instant={checkedAt} language={language} />,
    code: code === null ? null : <b className="mono unbroken">{inert(code)}</b>,
    document: documentName(verification, words),
  };
  if (findings === null) return given;
  if (findings.verdict !== "failed") return { ...given, ...factsOf(findings.evidence, own, words, language, true) };
  const hasSame = recordOfReceipt(verification);
  const recordHolds = hasSame && (
    <Say text={words.also.recordHolds} with={factsOf(hasSame.evidence, null, words, language, true)} />
  );
  switch (kind) {
    case "different_file":
      return { ...given, saved: words.also.saved, proof: proofBeside(verification, words, language) };
    case "altered": {
      const members = knownMembers(findings.differing);
      const [only = "other"] = members;
      const difference =
        hasSame === null
          ? words.also.noRecord
          : members.length > 1
            ? words.also.several.replace("{members}", listed(members, words))
            : words.also.one[only];
      const isSilent = lookup.status === "failed" || lookup.status === "throttled";
      return { ...given, difference, record: recordHolds ?? (isSilent ? words.also.serviceSilent : null) };
    }
    default:
      return { ...given, record: recordHolds };
  }
}

/** What is known about the proof when the file is not its file. */
function proofBeside(verification: Verification, words: VerifyWords, language: Language): ReactNode {
  const { findings } = verification;
  if (findings !== null && isInOrder(findings)) {
    const { file, ...facts } = factsOf(findings.evidence, null, words, language, false);
    return <Say text={words.also.inOrder} with={{ ...facts, registered: file }} />;
  }
  const record = validRecord(verification);
  if (record !== null)
    return <Say text={words.also.onRecord} with={factsOf(record.evidence, null, words, language, false)} />;
  return words.also.notConfirmed;
}

function factsOf(
  evidence: Evidence,
  own: string | null,
  words: VerifyWords,
  language: Language,
  isStrong: boolean,
): Readonly<Record<"file" | "organization" | "when", ReactNode>> {
  const name = textOf(evidence, "file_name") ?? own;
  const organization = textOf(evidence, "organization");
  return {
    file: name === null ? words.facts.aFile : <Own name={name} />,
    organization: organization === null ? words.facts.anOrganization : <Own name={organization} />,
    when: <When written={textOf(evidence, "registered_at") ?? "—"} language={language} isStrong={isStrong} />,
  };
}

/** Whether the visitor's file matches and has another name than the registered one. */
function hasOtherName(kind: Kind, verification: Verification): boolean {
  if (kind !== "verified" && kind !== "verified_here") return false;
  const registered = verification.findings === null ? null : textOf(verification.findings.evidence, "file_name");
  const own = ownName(verification);
  return registered !== null && own !== null && registered.normalize() !== own.normalize();
}

function remarksOf(kind: Kind, { receipt, notice }: Verification, words: VerifyWords): string[] {
  const isVerified = kind === "verified" || kind === "verified_here";
  return [
    ...(isVerified && receipt?.isPdf ? [words.also.pagesNotChecked] : []),
    // Where the sentence says it, it is not said again.
    ...(notice === null || kind === "zip_unread" ? [] : [words.notices[notice]]),
  ];
}

function Actions({
  words: all,
  verification,
  address,
  acting,
  kind,
}: VerdictBandProps & { readonly kind: Kind }): ReactElement | null {
  const words = all.actions;
  const { lookup, isCheckMissing, attempt, retry, searchFile, checkByCode, checkReceipt } = verification;
  const button = (text: string, action: () => void, isMain = false) => (
    <button key={text} type="button" className={isMain ? "button main slim" : "button slim"} onClick={action}>
      {text}
    </button>
  );
  const choose = button(words.chooseOther, () => document.getElementById(PICK)?.click(), true);
  const byKind: Partial<Record<Kind, ReactNode[]>> = {
    different_file: [choose, button(words.searchFile, acting(searchFile))],
    altered: [button(words.byCode, acting(checkByCode), true)],
    foreign_keys: [button(words.byCode, acting(checkByCode), true)],
    other_code: [button(words.thisReceipt, acting(checkReceipt), true)],
    file_unknown: [choose],
    zip_unread: [choose],
    unreadable: [choose],
  };
  const canKeep = ["verified", "verified_here", "test", "test_no_file"].includes(kind) && address !== null;
  const actions = [
    ...(lookup.status === "throttled" || lookup.status === "failed" || isCheckMissing
      ? [
          <Retry
            key={`retry ${attempt}`}
            words={words}
            seconds={lookup.status === "throttled" ? lookup.seconds : 0}
            onRetry={acting(retry)}
          />,
        ]
      : []),
    ...(byKind[kind] ?? []),
    ...(canKeep ? [button(words.print, () => print()), <CopyButton key="copy" text={address} words={words} />] : []),
  ];
  return actions.length === 0 ? null : <div className="row">{actions}</div>;
}

/** The result first, since it is what tells one tab from another. */
function titleOf({ words, verification, shown }: VerdictBandProps): string {
  const code = codeOf(verification);
  const shownCode = code === null || code === NO_CODE ? null : inert(code);
  if (shown.status === "progress") {
    const { lookingUp, reading, hashing } = words.progress;
    const doing = { looking_up: lookingUp, reading, hashing }[shown.progress];
    return `${doing}${shownCode === null ? "" : ` ${shownCode}`} · Selo`;
  }
  const verdict: VerdictWords = words.verdicts[shown.kind];
  const name = ownName(verification) ?? "";
  const result = (verdict.title ?? verdict.state)
    .replace(/\{(?:file|own)\}/, () => inert(name))
    .replace("{document}", documentName(verification, words));
  return `${result}${shownCode === null ? "" : `, ${shownCode}`} · Selo`;
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
}
