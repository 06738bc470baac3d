import { endOf, sealingOf } from "../../../verifier/envelope-end.ts";
import { erasuresOf } from "../../../verifier/erasure.ts";
import type { Evidence } from "../../../verifier/evidence.ts";
import type { EnvelopeCheckName, EnvelopeReason, EnvelopeVerification } from "../../../verifier/verify-envelope.ts";
import { checkLine, quoted, VERDICTS } from "./verification-text.ts";

const NAMES: Readonly<Record<EnvelopeCheckName, string>> = {
  file: "file",
  evidence: "evidence",
  ed25519: "Ed25519",
  ml_dsa_87: "ML-DSA-87",
  records: "records",
  events: "events",
  openings: "openings",
  seal: "seal",
  keys: "keys",
};

const REASONS: Readonly<Record<EnvelopeReason, string>> = {
  final_matches: "is a sealed PDF of the envelope, byte for byte",
  original_matches: "is a document as it was before the seal: the participants signed its content",
  digest_differs: "is neither a sealed PDF of the envelope nor a document of it as it was before the seal",
  files_named: "are those that the evidence names, none is missing and there is no other",
  files_differ: "are not those that the evidence names, or do not match SHA256SUMS",
  files_erased: "are those that the evidence names; those of a participant whose data were erased are left out",
  erasure_not_sealed:
    "files are left out: the evidence says that they were erased, and no seal says so yet: ask for a newer dossier",
  no_file: "no file was given",
  no_documents: "nothing signed or sealed names a document",
  canonical: "the completion and the records are of one envelope, in canonical form",
  not_canonical: "a signed text is not in canonical form",
  not_envelope: "a signed text is not a completion or a record of version 1",
  not_of_one_envelope: "the signed texts are of several envelopes",
  signatures_missing: "the signatures are not exactly the two that each signed text names",
  signature_valid: "all signatures verify",
  signature_invalid: "a signature does not verify",
  key_missing: "a key is neither in --keys nor in the given evidence",
  records_named: "are those that the completion names, none is missing",
  records_differ: "are not those that the completion names, of the same documents",
  chain_unbroken: "form the chain whose head the completion names",
  chain_broken: "are not an unbroken chain that names the records and the completion",
  not_delivered: "were not given",
  not_completed: "the envelope is not completed",
  openings_match: "names, addresses and values are those that were committed to",
  openings_differ: "a name, an address or a value is not what was committed to",
  nothing_opened: "no name, address or value is opened",
  openings_erased: "those that are there match; those of a participant whose data were erased are gone",
  openings_said_erased:
    "those that are there match; the evidence says that others were erased, which nothing signed or sealed says",
  ended: "the envelope ended without a completion; the records are of it, in canonical form",
  records_sealed: "are those that the sealed events name, none is missing",
  chain_sealed: "form an unbroken chain, and the seal covers every one of them",
  chain_sealed_in_part: "form an unbroken chain, and some are newer than the seal: ask for a newer dossier",
  seal_covers: "is of the audit trail, and its tree has this chain",
  seal_differs: "is none of the audit trail, or its tree does not have this chain",
  keys_trusted: "all are in --keys",
  keys_not_trusted: "not all are in --keys, of one environment",
  keys_older:
    "these keys may be older than this proof: fetch them anew. If the new list does not have the keys of the evidence either, it is not the platform's",
  environment_unknown:
    "all are in --keys, which does not say whether they seal live or test: give the platform's own list",
  no_trusted_keys: "not known to be the platform's: keys that come with evidence prove nothing, give --keys",
};

const PAGES_NOT_CHECKED =
  "The pages of the report were not checked, only the evidence attached to it: anyone can put genuine evidence into another PDF.";

const OF_DOSSIER =
  "Not checked: the pages of report.pdf; file names; `sealed_by`, and each `address` without an opening, of events; the signatures inside the PDFs, which pdfsig checks.";

/**
 * One line for each check, then the verdict, and what each participant did.
 * @param source where the evidence came from: the report, which is a PDF, a dossier, or JSON
 */
export function envelopeText(verification: EnvelopeVerification, source: "pdf" | "dossier" | "json"): string {
  const { checks, verdict, evidence, environment } = verification;
  const sealed = environment === null ? "environment not known" : environment === "test" ? "TEST" : "live";
  const { completion, records } = evidence;
  const about = completion ?? records?.[0]?.evidence;
  const end = endOf(evidence);
  const claims = [
    ...(end === null ? [] : [`ended, not completed: ${end.status} at ${quoted(end.at)}`]),
    `organization ${said(about, "organization")}`,
    ...(end === null ? [`completed at ${said(completion, "completed_at")}`] : []),
    `code ${about === undefined && end !== null && end.code !== null ? quoted(end.code) : said(about, "verification_code")}`,
    ...(evidence.seal === null ? [] : [`sealed at ${said(evidence.seal.seal, "sealed_at")}`]),
    sealed,
    ...(completion?.members["timestamp"] === "valid" ? ["time stamps in the PDFs, not checked here"] : []),
  ].join(", ");
  const { proved } = erasuresOf(evidence, sealingOf(evidence).length);
  const acts = (records ?? []).map((given) => {
    const { evidence: record, openings } = given;
    const [name, email] = [openings["name"], openings["email"]].map((each) =>
      each ? quoted(each.value) : proved.has(given) ? "erased" : "not opened",
    );
    return `${said(record, "action")} at ${said(record, "signed_at")}: name ${name}, e-mail ${email}, role ${said(record, "role")}`;
  });
  return [
    ...checks.map(({ name, result, reason }) => checkLine(result, NAMES[name], REASONS[reason])),
    `${VERDICTS[verdict]}: ${claims}`,
    ...acts,
    ...(source === "pdf" ? [PAGES_NOT_CHECKED] : source === "dossier" ? [OF_DOSSIER] : []),
  ].join("\n");
}

function said(text: Evidence | null | undefined, name: string): string {
  const value = text?.members[name];
  return typeof value === "string" ? quoted(value) : "none";
}
