import type { JsonValue } from "./canonical-json.ts";
import { chainHashes, eventsOf } from "./envelope-chain.ts";
import type { EnvelopeEvidence } from "./envelope-evidence.ts";
import { isObject } from "./envelope-form.ts";
import { SHAPES } from "./evidence-form.ts";
import { isSeal, sealedLength } from "./sealed-head.ts";

/** How an envelope can end without a completion. */
export const ENDS = ["declined", "cancelled", "expired", "failed"] as const;

/** The end of an envelope that was not completed, as its events say it. */
export interface EnvelopeEnd {
  readonly status: (typeof ENDS)[number];
  readonly at: string;
  /** When the envelope was sent, and its code; null where its events do not say it. */
  readonly sentAt: string | null;
  readonly code: string | null;
}

/** The end that the events say; null for one that is completed, or has not ended. */
export function endOf(evidence: EnvelopeEvidence): EnvelopeEnd | null {
  if (evidence.completion !== null) return null;
  const moves = eventsOf(
    evidence,
    ["sent", "completed", ...ENDS].map((status) => `envelope.${status}`),
  );
  const last = moves.at(-1);
  const status = ENDS.find((each) => last?.["action"] === `envelope.${each}`);
  const at = last?.["occurred_at"];
  if (status === undefined || typeof at !== "string") return null;
  const sent = sentEvent(evidence);
  const [sentAt, code] = [sent?.["occurred_at"], detailOf(sent, "verification_code")];
  return {
    status,
    at,
    sentAt: typeof sentAt === "string" ? sentAt : null,
    code: typeof code === "string" ? code : null,
  };
}

const sentEvent = (evidence: EnvelopeEvidence) => eventsOf(evidence, ["envelope.sent"])[0];

function detailOf(event: Readonly<Record<string, JsonValue>> | undefined, name: string): JsonValue | undefined {
  const details = event?.["details"];
  return isObject(details) ? details[name] : undefined;
}

/** What the seal of a dossier says of its events. */
export interface Sealing {
  /** There is none; it is not one of this chain; events follow those that it covers; it covers every event. */
  readonly state: "none" | "differs" | "in_part" | "whole";
  /** How many events it covers. */
  readonly length: number;
}

/** Whether the tree of the seal has the chain. Its signatures are another check. */
export function sealingOf(evidence: EnvelopeEvidence): Sealing {
  const { seal, about } = evidence;
  if (seal === null) return { state: "none", length: 0 };
  const hashes = chainHashes(evidence);
  const length = hashes === null || !isSeal(seal) ? null : sealedLength(seal, about, hashes);
  if (length === null) return { state: "differs", length: 0 };
  return { state: length === hashes?.length ? "whole" : "in_part", length };
}

/** The documents that the event of the sending names: of an envelope that nobody signed, nothing else does. Not checked here. */
export function sentDocuments(evidence: EnvelopeEvidence): readonly { document_id: string; sha256: string }[] {
  const listed = detailOf(sentEvent(evidence), "documents");
  const isDocument = (each: unknown): each is { document_id: string; sha256: string } =>
    isObject(each) &&
    [each["document_id"], each["sha256"]].every((text) => typeof text === "string") &&
    SHAPES.sha256.test(each["sha256"] as string);
  return Array.isArray(listed) && listed.every(isDocument) ? listed : [];
}
