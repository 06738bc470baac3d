import { sealingOf } from "../../../verifier/envelope-end.ts";
import { isObject } from "../../../verifier/envelope-form.ts";
import { erasuresOf } from "../../../verifier/erasure.ts";
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
  /** Whether a seal says that the personal data were erased, or what was handed over alone; null without either. */
  readonly erased: "proved" | "said" | null;
}

/**
 * The signers of a report, in its order. Null without a report, and wherever a name could be a forger's: each name must match its commitment
 * in a record with both signatures, by keys that are known to be the service's.
 */
export function signersOf({ kind, keys, report }: EnvelopeFindings): readonly Signer[] | null {
  if (report === null || kind === "no_record" || (keys !== "trusted" && keys !== "published")) return null;
  const isSound = (["ed25519", "ml_dsa_87", "evidence", "records", "openings"] as const).every((name) =>
    ["passed", "erased"].includes(checkOf(report, name).result),
  );
  const records = report.evidence.records ?? [];
  if (!isSound || records.length === 0) return null;
  const { proved, said: claimed } = erasuresOf(report.evidence, sealingOf(report.evidence).length);
  return records.map((record) => {
    const {
      openings,
      evidence: { members },
    } = record;
    return {
      id: said(members["record_id"]),
      action: said(members["action"]),
      name: seen(openings["name"]?.value),
      email: openings["email"]?.value ?? null,
      methods: methodsOf(members["authentication"]),
      signedAt: said(members["signed_at"]),
      erased: proved.has(record) ? "proved" : claimed.has(record) ? "said" : null,
    };
  });
}

/** What is known about the names. */
export type NamesState =
  /** At least one is known, and all are those that were signed. */
  | "proven"
  /** The report opens none. */
  | "unnamed"
  | "no_report"
  /** The report is from before the end, so nothing seals that these are all who signed. */
  | "early"
  /** They may be a forger's. */
  | "unverified"
  /** One is not what was signed. */
  | "wrong";

export function namesOf(findings: EnvelopeFindings): NamesState {
  const { report } = findings;
  if (report === null) return "no_report";
  if (checkOf(report, "openings").result === "failed") return "wrong";
  if (report.evidence.completion === null) return "early";
  const signers = signersOf(findings);
  if (signers === null) return "unverified";
  return signers.some(({ name }) => name !== null) ? "proven" : "unnamed";
}

/** Somebody who acted, as the public record says it: without a name, and not signed. */
export interface Act {
  readonly action: string;
  readonly at: string;
}

/** What those who sign a record when they finish have done by it. */
const ACTIONS: Readonly<Record<string, string>> = {
  signatario: "signed",
  aprovador: "approved",
  testemunha: "witnessed",
};

/** Those who acted, in the order of time, by the service's word. */
export function actsOf({ answer }: EnvelopeFindings): readonly Act[] {
  return (answer?.participants ?? [])
    .flatMap(({ role, status, completed_at: at }): Act[] => {
      const action = Object.hasOwn(ACTIONS, role) ? ACTIONS[role] : undefined;
      return action === undefined || status !== "completed" || at === null ? [] : [{ action, at }];
    })
    .sort((one, other) => (one.at < other.at ? -1 : 1));
}

const said = (value: unknown) => (typeof value === "string" ? value : "—");

/** A name of blanks, or of letters that show nothing, is none. */
function seen(name: string | undefined): string | null {
  return name === undefined || /^[\s\p{C}\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(name) ? null : name;
}

/** Each method once. */
function methodsOf(steps: unknown): readonly string[] {
  if (!Array.isArray(steps)) return [];
  return [...new Set(steps.filter(isObject).map(({ method }) => said(method)))];
}
