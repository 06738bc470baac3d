import type { ReactElement } from "react";
import { type CheckGroup, type CheckLine, CheckList } from "../design/check-list.tsx";
import type { Language } from "../shell/language.ts";
import type { Findings, PageCheck } from "./assess.ts";
import { textOf } from "./facts.ts";
import { areConfirmed } from "./kinds.ts";
import { knownMembers, listed } from "./members.ts";
import type { Verification } from "./use-verification.ts";
import type { VerifyWords } from "./words.ts";

interface CheckGroupsProps {
  readonly words: VerifyWords;
  readonly language: Language;
  readonly findings: Findings;
  readonly verification: Verification;
}

/** Every check, in three groups: the file, the signatures, the record. */
export function CheckGroups(props: CheckGroupsProps): ReactElement {
  return (
    <CheckList
      title={props.words.checks.heading}
      groups={[fileGroup(props), signatureGroup(props), recordGroup(props)]}
    />
  );
}

type Summary = keyof VerifyWords["checks"]["summaries"];
type Outcome = Pick<CheckGroup, "tone" | "word"> & { readonly summary: Summary };

function group(
  name: "file" | "signatures" | "record",
  words: VerifyWords,
  outcome: Outcome,
  lines: readonly CheckLine[],
): CheckGroup {
  const { tone, summary } = outcome;
  const isSaidOfSeveral = name === "signatures" && (tone === "ok" || tone === "bad");
  const word = isSaidOfSeveral ? words.results.ofSignatures[tone] : outcome.word;
  return { name, title: words.checks.groups[name], tone, word, summary: words.checks.summaries[summary], lines };
}

const good = (words: VerifyWords, summary: Summary): Outcome => ({ tone: "ok", word: words.results.ok, summary });
const bad = (words: VerifyWords, summary: Summary): Outcome => ({ tone: "bad", word: words.results.bad, summary });
const pending = (words: VerifyWords, summary: Summary): Outcome => ({
  tone: "info",
  word: words.results.info,
  summary,
});

function line({ name, result, reason }: PageCheck, words: VerifyWords): CheckLine {
  const { names, reasons } = words.checks;
  const prefix = name === "record" ? undefined : names[name];
  const ofSignature: Partial<Record<PageCheck["reason"], string>> = words.checks.ofSignature;
  const text = prefix === undefined ? reasons[reason] : `${prefix}: ${ofSignature[reason] ?? reasons[reason]}`;
  const tone =
    result === "passed"
      ? "ok"
      : result === "failed"
        ? "bad"
        : areConfirmed(reason) || reason === "no_receipt"
          ? "note"
          : "info";
  return { name, result, tone, text };
}

function fileGroup({ words, findings, verification }: CheckGroupsProps): CheckGroup {
  const check = only(findings, "file");
  const isComplete = only(findings, "evidence").result === "passed";
  if (check.result === "not_checked") return group("file", words, pending(words, "noFile"), [line(check, words)]);
  if (check.result === "passed") {
    const isAsNamed = isComplete && textOf(findings.evidence, "file_name") === nameOf(verification);
    const text = isAsNamed ? words.checks.nameAndSize : words.checks.reasons.digest_matches;
    return group("file", words, good(words, "fileMatches"), [{ ...line(check, words), text }]);
  }
  const { yours, registered } = words.checks;
  const own = verification.file.status === "hashed" ? verification.file.file.sha256 : "";
  const print = (digest: string) => <span className="mono break">{digest}</span>;
  return group("file", words, bad(words, "fileDiffers"), [
    {
      ...line(check, words),
      text: (
        <>
          {yours} {print(own)}
        </>
      ),
    },
    {
      name: null,
      tone: "note",
      text: (
        <>
          {registered} {print(registeredDigest(findings))}
        </>
      ),
    },
  ]);
}

function registeredDigest({ evidence }: Findings): string {
  const digest = textOf(evidence, "sha256");
  return digest !== null && /^[0-9a-f]{64}$/.test(digest) ? digest : "—";
}

const nameOf = ({ file, typedName }: Verification) => typedName ?? (file.status === "hashed" ? file.file.name : null);

function signatureGroup({ words, findings }: CheckGroupsProps): CheckGroup {
  const checks = (["evidence", "ed25519", "ml_dsa_87", "keys"] as const).map((name) => only(findings, name));
  const [, , , keys] = checks;
  const because = (...reasons: PageCheck["reason"][]) => checks.some(({ reason }) => reasons.includes(reason));
  const areValid = checks.slice(0, 3).every(({ result }) => result === "passed");
  const outcome = (): Outcome => {
    if (because("not_canonical", "not_existence_proof")) return bad(words, "malformed");
    if (because("signature_invalid", "signatures_missing")) return bad(words, "notOfThis");
    if (keys?.result === "failed") return bad(words, "otherKeys");
    if (areValid && findings.isTest) return { tone: "warn", word: words.results.test, summary: "test" };
    if (because("name_or_size_differs")) return pending(words, "needName");
    if (because("members_missing")) return pending(words, "needFile");
    if (areValid && keys?.result === "passed") return good(words, "bothTrusted");
    if (areValid && areConfirmed(keys?.reason)) return good(words, "bothPublished");
    return pending(words, because("environment_unknown") ? "testOrLive" : "whoseKeys");
  };
  const lines = checks.map((check) => line(check, words));
  // What hinders both signatures is said once, in the first line.
  const text = words.checks.reasons.name_or_size_differs;
  return group(
    "signatures",
    words,
    outcome(),
    because("name_or_size_differs")
      ? lines.map((each) => (each.name === "evidence" ? { ...each, text } : each))
      : lines,
  );
}

function recordGroup({ words, findings }: CheckGroupsProps): CheckGroup {
  const check = only(findings, "record");
  const outcome = (): Outcome => {
    switch (check.reason) {
      case "record_equal":
        return good(words, "recordEqual");
      case "no_receipt":
        return good(words, "recordExists");
      case "record_differs":
        return bad(words, "recordDiffers");
      case "record_at_fault":
        return bad(words, "recordAtFault");
      case "other_code":
        return bad(words, "otherCode");
      case "no_record":
        return { tone: "warn", word: words.results.notOnRecord, summary: "noRecord" };
      default:
        return pending(words, "unreachable");
    }
  };
  const differing =
    check.reason === "record_differs"
      ? words.checks.differing.replace("{members}", listed(knownMembers(findings.differing), words))
      : null;
  return group("record", words, outcome(), [
    { ...line(check, words), ...(differing === null ? {} : { text: differing }) },
  ]);
}

function only({ checks }: Findings, name: PageCheck["name"]): PageCheck {
  const check = checks.find((each) => each.name === name);
  if (check === undefined) throw new Error(`no check ${name}`);
  return check;
}
