import type { JsonValue } from "../../verifier/canonical-json.ts";
import type { Evidence } from "../../verifier/evidence.ts";
import { SHAPES } from "../../verifier/evidence-form.ts";
import type { ServiceRecord } from "./service.ts";
import type { Verification } from "./use-verification.ts";
import type { VerifyWords } from "./words.ts";

/** The text of a member; null if it is left out, or is no text. Evidence of a stranger may hold any value. */
export function textOf(evidence: Evidence, member: string): string | null {
  const value: JsonValue | undefined = evidence.members[member];
  return typeof value === "string" ? value : null;
}

/** The name of the visitor's own file. */
export function ownName({ file }: Verification): string | null {
  return file.status === "none" ? null : file.status === "hashed" ? file.file.name : file.name;
}

/** What the visitor gave in place of a file: a receipt, or evidence alone. */
export function documentName({ receipt }: Pick<Verification, "receipt">, { facts }: VerifyWords): string {
  return receipt?.isPdf === false ? facts.evidenceFile : facts.receipt;
}

/** The service's record, if the service itself finds no fault in it. */
export function validRecord({ lookup }: Verification): ServiceRecord | null {
  return lookup.status === "found" && lookup.record.valid ? lookup.record : null;
}

/** The record of the very proof that the receipt is about; null without one. */
export function recordOfReceipt(verification: Verification): ServiceRecord | null {
  const record = validRecord(verification);
  const { receipt } = verification;
  if (record === null || receipt === null) return null;
  const code = "verification_code";
  return textOf(receipt.evidence, code) === textOf(record.evidence, code) ? record : null;
}

/** The code of the proof on the page; null before a proof is known, and for evidence of a stranger whose code is none. */
export function codeOf({ code, findings }: Verification): string | null {
  const own = findings === null ? null : textOf(findings.evidence, "verification_code");
  return code ?? (own !== null && SHAPES.verification_code.test(own) ? own : null);
}
