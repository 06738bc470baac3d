import { sha256 } from "@noble/hashes/sha2.js";
import { canonicalJson, type JsonValue } from "./canonical-json.ts";
import type { EnvelopeEvidence } from "./envelope-evidence.ts";
import { isObject } from "./envelope-form.ts";

/** SHA-256 of a text or of bytes, 64 lowercase hexadecimal digits. */
export const digestOf = (...parts: readonly (string | Uint8Array)[]): string => {
  const hash = sha256.create();
  for (const part of parts) hash.update(typeof part === "string" ? new TextEncoder().encode(part) : part);
  return hexOf(hash.digest());
};

const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

export const bytesOf = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

/**
 * Whether the events are an unbroken chain of the envelope, which names each record, and which ends with the completion: nothing signed covers later
 * events, so a report has none. README.md, "The audit trail", has the rules.
 */
export function isChainOfEnvelope({ completion, about, records, events }: EnvelopeEvidence): boolean {
  const hashes: string[] = [];
  let before = "0".repeat(64);
  for (const [place, event] of (events ?? []).entries()) {
    if (!isObject(event) || event["seq"] !== place + 1 || event["prev_hash"] !== before) return false;
    if (event["subject_type"] !== "envelope" || event["subject_id"] !== about["envelope_id"]) return false;
    const text = eventText(event, about);
    if (text === null) return false;
    before = digestOf(bytesOf(before), text);
    if (event["hash"] !== before) return false;
    hashes.push(before);
  }
  const length = lengthOf(completion?.members["chain"]) ?? hashes.length;
  const made = (action: string, evidence: { readonly payload: string | null; readonly members: object }) => {
    // Once, and not for each event: both are as many and as long as a stranger wants.
    const digest = digestOf(evidence.payload ?? "");
    return (events ?? []).findIndex((event) => {
      const { action: done, details } = event as Readonly<Record<string, unknown>>;
      return (
        done === action &&
        isObject(details) &&
        details["record_id"] === (evidence.members as Readonly<Record<string, unknown>>)["record_id"] &&
        details["evidence_sha256"] === digest
      );
    });
  };
  const areNamed = (records ?? []).every(({ evidence }) => {
    const place = made("envelope.participant_signed", evidence);
    return place >= 0 && place < length;
  });
  if (completion === null) return hashes.length > 0 && areNamed;
  const chain = completion.members["chain"];
  return (
    areNamed &&
    isObject(chain) &&
    hashes.length === length + 1 &&
    hashes[length - 1] === chain["head_hash"] &&
    made("envelope.completed", completion) === length
  );
}

const lengthOf = (chain: unknown): number | null =>
  isObject(chain) && typeof chain["length"] === "number" ? chain["length"] : null;

/** An event in the form that its hash covers; null for one without a canonical form. */
function eventText(event: Readonly<Record<string, JsonValue>>, about: EnvelopeEvidence["about"]): string | null {
  const said = (name: string) => event[name] as JsonValue;
  try {
    return canonicalJson({
      kind: "audit_event",
      schema_version: 1,
      event_id: said("id"),
      tenant_id: about["tenant_id"] as JsonValue,
      environment: about["environment"] as JsonValue,
      subject: { id: said("subject_id"), type: said("subject_type") },
      seq: said("seq"),
      action: said("action"),
      actor: { id: said("actor_id"), type: said("actor_type") },
      channel: said("channel"),
      request_id: said("request_id"),
      occurred_at: said("occurred_at"),
      details: said("details"),
      commitments: said("commitments"),
    });
  } catch {
    return null;
  }
}
