import type { ReactElement } from "react";
import type { EnvelopeCheckName } from "../../../verifier/verify-envelope.ts";
import { type CheckGroup, type CheckLine, CheckList } from "../../design/check-list.tsx";
import type { Lookup } from "../service.ts";
import type { VerifyWords } from "../words.ts";
import { checkOf } from "./assess.ts";
import type { EnvelopeFindings } from "./findings.ts";
import type { EnvelopeWords } from "./words.ts";

interface EnvelopeChecksProps {
  readonly all: VerifyWords;
  readonly words: EnvelopeWords;
  readonly findings: EnvelopeFindings;
  readonly lookup: Lookup;
}

/** Every check, in three groups: the file, the signatures, the record. */
export function EnvelopeChecks(props: EnvelopeChecksProps): ReactElement {
  const groups = [fileGroup(props), signatureGroup(props), recordGroup(props)];
  return <CheckList title={props.all.checks.heading} groups={groups} />;
}

type Summary = Pick<CheckGroup, "tone" | "summary">;
const RESULTS = { ok: "passed", bad: "failed", info: "not_checked", warn: "not_checked", note: "not_checked" } as const;

function groupOf(
  { all }: EnvelopeChecksProps,
  name: "file" | "signatures" | "record",
  { tone, summary }: Summary,
  lines: readonly CheckLine[],
): CheckGroup {
  const { ok, bad } = name === "signatures" ? all.results.ofSignatures : all.results;
  const word = { ok, bad, info: all.results.info, warn: all.results.notOnRecord };
  return { name, title: all.checks.groups[name], tone, word: word[tone], summary, lines };
}

const lineOf = (name: string, tone: CheckLine["tone"], text: string): CheckLine => ({
  name,
  tone,
  result: RESULTS[tone],
  text,
});

function fileGroup(props: EnvelopeChecksProps): CheckGroup {
  const { file } = props.findings;
  const tone = file === "different" ? "bad" : file === "final" || file === "original" ? "ok" : "info";
  const summary = props.words.checks.file[file];
  return groupOf(props, "file", { tone, summary }, [lineOf("file", tone, summary)]);
}

function signatureGroup(props: EnvelopeChecksProps): CheckGroup {
  const { all, words, findings } = props;
  const { verifications, keys } = findings;
  const reasons = verifications.flatMap(({ checks }) => checks.map(({ reason }) => reason));
  if (!reasons.includes("signature_valid")) {
    const isBad = reasons.includes("signature_invalid");
    const summary = isBad ? words.checks.signatures.bad : words.checks.signatures.none;
    if (!isBad) return groupOf(props, "signatures", { tone: "info", summary }, [lineOf("ed25519", "info", summary)]);
  }
  // The report and the record are signed, each for itself: the gravest result of the two is shown.
  const toneOf = (name: EnvelopeCheckName) => {
    const found = verifications.map((verification) => checkOf(verification, name));
    if (found.some(({ result }) => result === "failed")) return "bad";
    if (found.some(({ result, reason }) => result === "not_checked" && reason !== "not_completed")) return "info";
    return found.some(({ result }) => result === "passed") ? "ok" : "note";
  };
  const signature = (name: "ed25519" | "ml_dsa_87") => {
    const tone = toneOf(name);
    const said = {
      ok: words.checks.valid,
      bad: words.checks.invalid,
      info: words.checks.open,
      note: words.checks.open,
    };
    return lineOf(name, tone, `${all.checks.names[name]}: ${said[tone]}`);
  };
  const evidence = toneOf("evidence");
  const keysTone = keys === "foreign" ? "bad" : keys === "trusted" ? "ok" : keys === "published" ? "note" : "info";
  const lines = [
    lineOf("evidence", evidence, evidence === "bad" ? words.checks.evidenceBad : words.checks.evidence),
    signature("ed25519"),
    signature("ml_dsa_87"),
    lineOf("keys", keysTone, words.checks.signatures[keys]),
  ].filter(({ name, tone }) => name !== "evidence" || tone !== "note");
  const isBad = lines.some(({ tone }) => tone === "bad");
  const isOpen = lines.some(({ tone }) => tone === "info");
  const summary = isBad
    ? words.checks.signatures[keys === "foreign" ? "foreign" : "bad"]
    : isOpen
      ? words.checks.signatures.unknown
      : words.checks.signatures.good;
  return groupOf(props, "signatures", { tone: isBad ? "bad" : isOpen ? "info" : "ok", summary }, lines);
}

function recordGroup(props: EnvelopeChecksProps): CheckGroup {
  const { words, findings, lookup } = props;
  const { report, answer, match, kind } = findings;
  const { record } = words.checks;
  const of = (): Summary => {
    if (kind === "at_fault" || match === "differs") return { tone: "bad", summary: record.bad };
    if (answer === null)
      return lookup.status === "unknown" || lookup.status === "found"
        ? { tone: "warn", summary: record.unknown }
        : { tone: "info", summary: record.unreachable };
    if (match === "older" || match === "unsigned") return { tone: "info", summary: record[match] };
    if (findings.completion === null) return { tone: "info", summary: words.checks.signatures.none };
    return { tone: "ok", summary: match === "equal" ? record.equal : record.good };
  };
  const outcome = of();
  const parts = (["records", "events", "openings"] as const).flatMap((name) => {
    if (report === null) return [];
    const { result, reason } = checkOf(report, name);
    if (reason === "nothing_opened" || result === "not_checked") return [];
    const isBad = result === "failed";
    return [lineOf(name, isBad ? "bad" : "ok", words.checks[isBad ? (`${name}Bad` as const) : name])];
  });
  const lines = [lineOf("record", outcome.tone, outcome.summary), ...parts];
  const tone = lines.some((line) => line.tone === "bad") ? "bad" : outcome.tone;
  return groupOf(props, "record", { tone, summary: tone === "bad" ? record.bad : outcome.summary }, lines);
}
