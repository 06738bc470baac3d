import type { ReactElement, ReactNode } from "react";
import { documentsOf, type EnvelopeCheckName } from "../../../verifier/verify-envelope.ts";
import { type CheckGroup, type CheckLine, CheckList } from "../../design/check-list.tsx";
import { inert } from "../../shell/foreign.tsx";
import type { Verification } from "../use-verification.ts";
import type { VerifyWords } from "../words.ts";
import { checkOf } from "./assess.ts";
import type { EnvelopeFindings } from "./findings.ts";
import { namesOf, signersOf } from "./signers.ts";
import type { EnvelopeWords } from "./words.ts";

interface EnvelopeChecksProps {
  readonly all: VerifyWords;
  readonly words: EnvelopeWords;
  readonly findings: EnvelopeFindings;
  readonly verification: Verification;
}

/** Every check, in groups: the file, the signatures, the names, the record. */
export function EnvelopeChecks(props: EnvelopeChecksProps): ReactElement {
  const groups = [fileGroup(props), signatureGroup(props), ...namesGroup(props), recordGroup(props)];
  return <CheckList title={props.all.checks.heading} groups={groups} />;
}

type Summary = Pick<CheckGroup, "tone" | "summary">;
const RESULTS = { ok: "passed", bad: "failed", info: "not_checked", warn: "not_checked", note: "not_checked" } as const;

function groupOf(
  { all, words }: EnvelopeChecksProps,
  name: "file" | "signatures" | "names" | "record",
  { tone, summary }: Summary,
  lines: readonly CheckLine[],
): CheckGroup {
  const areSeveral = name === "signatures" || name === "names";
  const { ok, bad } = areSeveral ? all.results.ofSignatures : all.results;
  const word = { ok, bad, info: all.results.info, warn: all.results.notOnRecord };
  const title = name === "names" ? words.names.group : all.checks.groups[name];
  return { name, title, tone, word: word[tone], summary, lines };
}

const lineOf = (name: string, tone: CheckLine["tone"], text: ReactNode): CheckLine => ({
  name,
  tone,
  result: RESULTS[tone],
  text,
});

/** A line says more than the summary above it, or says how the file was found: an open group never says a sentence twice. */
function fileGroup(props: EnvelopeChecksProps): CheckGroup {
  const { all, words, findings } = props;
  const { file } = findings;
  const summary = words.checks.file[file];
  if (file === "different")
    return groupOf(props, "file", { tone: "bad", summary }, [
      lineOf(
        "file",
        "bad",
        <>
          {all.checks.yours} <Print of={ownDigest(props)} />
        </>,
      ),
      ...recordedPrints(props),
    ]);
  if (file === "dossier_altered") {
    const line = lineOf("file", "bad", all.checks.reasons.digest_differs);
    return groupOf(props, "file", { tone: "bad", summary }, [line]);
  }
  if (file === "dossier_erased" || file === "erasure_unsealed") {
    const [tone, text] =
      file === "dossier_erased" ? (["ok", words.checks.erased] as const) : (["info", words.checks.unsealed] as const);
    return groupOf(props, "file", { tone, summary }, [lineOf("file", tone, text)]);
  }
  const tone = file === "final" || file === "original" || file === "dossier" ? "ok" : "info";
  const { digest_matches, no_file } = all.checks.reasons;
  return groupOf(props, "file", { tone, summary }, [lineOf("file", tone, tone === "ok" ? digest_matches : no_file)]);
}

const Print = ({ of }: { readonly of: string }) => <span className="mono break">{inert(of)}</span>;

const ownDigest = ({ verification: { file } }: EnvelopeChecksProps) =>
  file.status === "hashed" ? file.file.sha256 : "—";

/** The fingerprints of the documents, as far as they are known. */
function recordedPrints({ all, words, findings }: EnvelopeChecksProps): CheckLine[] {
  const { answer, completion, report } = findings;
  const signed = completion ?? report?.evidence.records?.[0]?.evidence;
  const documents: readonly { readonly sha256: string; readonly final_sha256?: string | null }[] =
    signed === undefined ? (answer?.documents ?? []) : documentsOf(signed);
  return documents
    .flatMap(({ sha256, final_sha256 }) => [
      ...(typeof final_sha256 === "string" ? [[final_sha256, words.details.final] as const] : []),
      [sha256, words.details.original] as const,
    ])
    .map(([digest, what]) => ({
      name: null,
      tone: "note",
      text: (
        <>
          {all.checks.registered} <Print of={digest} /> {what}
        </>
      ),
    }));
}

function signatureGroup(props: EnvelopeChecksProps): CheckGroup {
  const { all, words, findings } = props;
  const { verifications, keys } = findings;
  const reasons = verifications.flatMap(({ checks }) => checks.map(({ reason }) => reason));
  if (!reasons.includes("signature_valid")) {
    const isBad = reasons.includes("signature_invalid");
    const summary = isBad ? words.checks.signatures.bad : words.checks.signatures.none;
    if (!isBad) {
      const line = lineOf("ed25519", "info", all.checks.reasons.no_file);
      return groupOf(props, "signatures", { tone: "info", summary }, [line]);
    }
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

/** The names of a report; none of an envelope that is not completed, whose names are not shown. */
function namesGroup(props: EnvelopeChecksProps): readonly CheckGroup[] {
  const { all, words, findings } = props;
  const { names, checks } = words;
  const state = namesOf(findings);
  if (findings.completion === null && state !== "wrong") return [];
  const nothing = lineOf("openings", "info", all.checks.reasons.no_file);
  const pending = (summary: string, line = nothing) => groupOf(props, "names", { tone: "info", summary }, [line]);
  const isAnyErased = (signersOf(findings) ?? []).some(({ erased }) => erased !== null);
  const erased: readonly CheckLine[] = isAnyErased ? [{ name: null, tone: "note", text: names.someErased }] : [];
  const of = (): CheckGroup => {
    switch (state) {
      case "proven": {
        const count = (signersOf(findings) ?? []).filter(({ name }) => name !== null).length;
        const summary = checks.openings;
        return groupOf(props, "names", { tone: "ok", summary }, [
          lineOf("openings", "ok", names.read(count)),
          ...erased,
        ]);
      }
      case "wrong": {
        const summary = checks.openingsBad;
        return groupOf(props, "names", { tone: "bad", summary }, [lineOf("openings", "bad", names.wrongHidden)]);
      }
      case "unverified":
        return pending(names.notVerified, lineOf("openings", "ok", checks.openings));
      case "early":
        return pending(names.needNewer);
      case "unnamed":
        return groupOf(props, "names", { tone: "info", summary: names.noneInReport }, [nothing, ...erased]);
      default:
        return pending(names.needReport);
    }
  };
  return [of()];
}

function recordGroup(props: EnvelopeChecksProps): CheckGroup {
  const { all, words, findings } = props;
  const { lookup } = props.verification;
  const { report, answer, match, kind } = findings;
  const { record } = words.checks;
  const of = (): Summary => {
    if (kind === "at_fault" || match === "differs") return { tone: "bad", summary: record.bad };
    if (kind === "ended") return { tone: "ok", summary: words.checks.sealed };
    if (answer === null)
      return lookup.status === "unknown" || lookup.status === "found"
        ? { tone: "warn", summary: record.unknown }
        : { tone: "info", summary: record.unreachable };
    if (match === "older" || match === "unsigned") return { tone: "info", summary: record[match] };
    if (findings.completion === null) return { tone: "info", summary: words.checks.signatures.none };
    return { tone: "ok", summary: match === "equal" ? record.equal : record.good };
  };
  const outcome = of();
  const parts = (["records", "events"] as const).flatMap((name) => {
    if (report === null) return [];
    const { result } = checkOf(report, name);
    if (result === "not_checked") return [];
    const isBad = result === "failed";
    return [lineOf(name, isBad ? "bad" : "ok", words.checks[isBad ? (`${name}Bad` as const) : name])];
  });
  const seal = report?.checks.find(({ name }) => name === "seal")?.result;
  const ofSeal =
    seal === "failed" ? lineOf("seal", "bad", words.checks.sealBad) : lineOf("seal", "ok", words.checks.sealedUpTo);
  const text =
    outcome.tone === "ok"
      ? words.checks.recordSame
      : outcome.tone === "bad"
        ? words.checks.recordDiffers
        : match === "older"
          ? words.checks.recordHolds
          : all.checks.reasons.no_file;
  const lines = [
    ...(kind === "ended" ? [] : [lineOf("record", outcome.tone, text)]),
    ...(seal === undefined ? [] : [ofSeal]),
    ...parts,
  ];
  const tone = lines.some((line) => line.tone === "bad") ? "bad" : outcome.tone;
  return groupOf(props, "record", { tone, summary: tone === "bad" ? record.bad : outcome.summary }, lines);
}
