import { canonicalJson, type JsonValue } from "./canonical-json.ts";
import { bytesOf, digestOf } from "./digests.ts";
import type { EnvelopeEvidence } from "./envelope-evidence.ts";
import { isObject } from "./envelope-form.ts";

/**
 * The hashes of the events, each computed; null where they are not an unbroken chain of the envelope. README.md, "The audit trail", has the rules.
 */
export function chainHashes({ about, events }: EnvelopeEvidence): readonly string[] | null {
  const hashes: string[] = [];
  let before = "0".repeat(64);
  for (const [place, event] of (events ?? []).entries()) {
    if (!isObject(event) || event["seq"] !== place + 1 || event["prev_hash"] !== before) return null;
    if (event["subject_type"] !== "envelope" || event["subject_id"] !== about["envelope_id"]) return null;
    const text = eventText(event, about);
    if (text === null) return null;
    before = digestOf(bytesOf(before), text);
    if (event["hash"] !== before) return null;
    hashes.push(before);
  }
  return hashes;
}

/**
 * Whether the events are an unbroken chain of the envelope, which names each record, and which ends with the completion, or with the last event that a seal
 * covers: nothing signed covers later events, so a report has none. Before the completion none says that there is one.
 * @param sealed how many events a seal covers
 */
export function isChainOfEnvelope(evidence: EnvelopeEvidence, sealed: number): boolean {
  const { completion, records, events } = evidence;
  const hashes = chainHashes(evidence);
  if (hashes === null) return false;
  const length = lengthOf(completion?.members["chain"]) ?? hashes.length;
  const made = (action: string, text: { readonly payload: string | null; readonly members: object }) => {
    // Once, and not for each event: both are as many and as long as a stranger wants.
    const digest = digestOf(text.payload ?? "");
    return (events ?? []).findIndex((event) => {
      const { action: done, details } = event as Readonly<Record<string, unknown>>;
      return (
        done === action &&
        isObject(details) &&
        details["record_id"] === (text.members as Readonly<Record<string, unknown>>)["record_id"] &&
        details["evidence_sha256"] === digest
      );
    });
  };
  const areNamed = (records ?? []).every((record) => {
    const place = made("envelope.participant_signed", record.evidence);
    return place >= 0 && place < length;
  });
  if (completion === null)
    return hashes.length > 0 && areNamed && eventsOf(evidence, ["envelope.completed"]).length === 0;
  const chain = completion.members["chain"];
  return (
    areNamed &&
    isObject(chain) &&
    hashes.length === Math.max(length + 1, sealed) &&
    hashes[length - 1] === chain["head_hash"] &&
    made("envelope.completed", completion) === length
  );
}

/** The events of these actions, oldest first. */
export function eventsOf(
  { events }: Pick<EnvelopeEvidence, "events">,
  actions: readonly string[],
): readonly ChainEvent[] {
  return (events ?? []).filter(
    (event): event is ChainEvent => isObject(event) && actions.includes(event["action"] as string),
  );
}

type ChainEvent = Readonly<Record<string, JsonValue>>;

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
