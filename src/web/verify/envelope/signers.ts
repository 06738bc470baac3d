import { isObject } from "../../../verifier/envelope-form.ts";
import { checkOf } from "./assess.ts";
import type { EnvelopeFindings } from "./findings.ts";

/** Who signed, as a report opens it. */
export interface Signer {
  readonly id: string;
  readonly action: string;
  /** Null where the report does not open the name. */
  readonly name: string | null;
  readonly email: string | null;
  readonly methods: readonly string[];
  readonly signedAt: string;
}

/**
 * The signers of a report, in its order. Null without a report, and wherever a name could be a forger's: each name must match its commitment
 * in a record with both signatures, by keys that are known to be the service's.
 */
export function signersOf({ kind, keys, report }: EnvelopeFindings): readonly Signer[] | null {
  if (report === null || kind === "no_record" || (keys !== "trusted" && keys !== "published")) return null;
  const isSound = (["ed25519", "ml_dsa_87", "evidence", "records", "openings"] as const).every(
    (name) => checkOf(report, name).result === "passed",
  );
  const records = report.evidence.records ?? [];
  if (!isSound || records.length === 0) return null;
  return records.map(({ evidence: { members }, openings }) => ({
    id: said(members["record_id"]),
    action: said(members["action"]),
    name: openings["name"]?.value ?? null,
    email: openings["email"]?.value ?? null,
    methods: methodsOf(members["authentication"]),
    signedAt: said(members["signed_at"]),
  }));
}

const said = (value: unknown) => (typeof value === "string" ? value : "—");

/** Each method once. */
function methodsOf(steps: unknown): readonly string[] {
  if (!Array.isArray(steps)) return [];
  return [...new Set(steps.filter(isObject).map(({ method }) => said(method)))];
}
