import type { JsonValue } from "./canonical-json.ts";
import { FIXED, SHAPES } from "./evidence-form.ts";

type Members = Readonly<Record<string, JsonValue>>;

const UUID = SHAPES.proof_id;
const SHA256 = SHAPES.sha256;
const TEXT = /^.+$/su;

const SIGNED: Readonly<Record<string, RegExp>> = {
  record_id: UUID,
  tenant_id: UUID,
  organization: SHAPES.organization,
  environment: /^(live|test)$/,
  envelope_id: UUID,
  verification_code: SHAPES.verification_code,
  signed_at: SHAPES.registered_at,
  key_id: SHAPES.key_id,
  pq_key_id: SHAPES.pq_key_id,
};

/** Most entries of a signed list. An envelope has at most 10 documents and 50 participants; a stranger's list must not keep a page busy. */
const ENTRIES_MAX = 100;

/** Whether these are the members of a completion. Further members may be there: they are signed, too. */
export function isCompletion(members: Members): boolean {
  const { documents, records, chain } = members;
  return (
    isSigned(members, "envelope_completed", { completed_at: SHAPES.registered_at }) &&
    isListOf(documents, { document_id: UUID, sha256: SHA256, final_sha256: SHA256 }) &&
    isListOf(records, { record_id: UUID, sha256: SHA256 }) &&
    hasTexts(chain, { head_hash: SHA256 }) &&
    Number.isSafeInteger((chain as Members)["length"]) &&
    ((chain as Members)["length"] as number) > 0
  );
}

/** Whether these are the members of what a participant signed. */
export function isSignatureRecord(members: Members): boolean {
  const { documents, commitments, consent, signature_sha256: signature } = members;
  return (
    isSigned(members, "signature_record", { participant_id: UUID, role: TEXT, modality: TEXT, action: TEXT }) &&
    isListOf(documents, { document_id: UUID, sha256: SHA256 }) &&
    hasTexts(consent, { version: TEXT, sha256: SHA256, language: TEXT }) &&
    isObject(commitments) &&
    Object.values(commitments).every((each) => typeof each === "string" && SHA256.test(each)) &&
    (signature === null || (typeof signature === "string" && SHA256.test(signature)))
  );
}

function isSigned(members: Members, kind: string, more: Readonly<Record<string, RegExp>>): boolean {
  return (
    Object.entries({ ...FIXED, kind }).every(([name, value]) => members[name] === value) &&
    hasTexts(members, { ...SIGNED, ...more })
  );
}

function isListOf(value: JsonValue | undefined, shapes: Readonly<Record<string, RegExp>>): boolean {
  if (!Array.isArray(value) || value.length === 0 || value.length > ENTRIES_MAX) return false;
  return value.every((each) => hasTexts(each, shapes));
}

function hasTexts(value: JsonValue | undefined, shapes: Readonly<Record<string, RegExp>>): boolean {
  return (
    isObject(value) &&
    Object.entries(shapes).every(([name, shape]) => {
      const text = value[name];
      return typeof text === "string" && shape.test(text);
    })
  );
}

export function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
