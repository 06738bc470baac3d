import { type Evidence, readSigned, readSignedMembers } from "./evidence.ts";
import { member, type PlatformKey, parseJson, readKeyList, UnreadableError } from "./keys.ts";
import type { SealedHead } from "./sealed-head.ts";

/** Most records of a report. An envelope has at most 50 participants; the signatures of more would keep a browser busy for a stranger. */
const RECORDS_MAX = 60;

/** Most openings of a report. An envelope has at most 500 fields with values, and five further openings of each participant; each costs a digest. */
const OPENINGS_MAX = 1_000;

/** A value behind a commitment, with its salt. Both are claims until the commitment matches. */
export interface Opening {
  readonly salt: string;
  readonly value: string;
}

export interface SignedRecord {
  readonly evidence: Evidence;
  readonly openings: Readonly<Record<string, Opening>>;
  /** Whether it says that the personal data of its participant were erased. It is not signed. */
  readonly isErased: boolean;
}

/** What an envelope proves, as somebody delivered it. Nothing is checked yet. */
export interface EnvelopeEvidence {
  /** The signed record of the completion; null for an envelope that is not completed. */
  readonly completion: Evidence | null;
  /** What names an envelope that is not completed; the completion itself otherwise. */
  readonly about: Readonly<Record<string, unknown>>;
  /** What participants signed; null where it was not delivered. */
  readonly records: readonly SignedRecord[] | null;
  /** The chain of events, as `GET /audit` answers events; null where it was not delivered. */
  readonly events: readonly unknown[] | null;
  /** Keys delivered with the evidence. They prove nothing by themselves. */
  readonly keys: readonly PlatformKey[];
  /** A seal of the audit trail that covers the chain; null outside a dossier, and before there is one. */
  readonly seal: SealedHead | null;
}

/**
 * Reads what an envelope proves: `evidence.json` of a report, or the answer of `GET /public/envelopes/{code}`. Null for anything else, such as a proof.
 * @throws UnreadableError
 */
export function readEnvelopeEvidence(text: string): EnvelopeEvidence | null {
  const value = parseJson(text);
  const payload = member(value, "payload");
  if (typeof payload === "string") {
    // An existence proof may have any further members.
    if (!payload.includes('"envelope_completed"') || member(parseJson(payload), "kind") !== "envelope_completed")
      return null;
    return readReport(value, readSigned(value));
  }
  if (isObject(member(value, "envelope")) && Array.isArray(member(value, "records"))) return readReport(value, null);
  const completion = member(value, "completion");
  if (!Array.isArray(member(value, "participants")) || !isObject(completion)) return null;
  const signed = readSignedMembers(completion, keysOf(value, "platform_keys"));
  return { completion: signed, about: signed.members, records: null, events: null, keys: signed.keys, seal: null };
}

function readReport(value: unknown, completion: Evidence | null): EnvelopeEvidence {
  const [records, events] = [member(value, "records"), member(value, "events")];
  if (!Array.isArray(records)) throw new UnreadableError("it has no records");
  if (records.length > RECORDS_MAX) throw new UnreadableError(`it has more than ${RECORDS_MAX} records`);
  if (!Array.isArray(events)) throw new UnreadableError("it has no events");
  const opened = records.map((record: unknown) => readOpenings(member(record, "openings")));
  if (opened.reduce((sum, openings) => sum + Object.keys(openings).length, 0) > OPENINGS_MAX)
    throw new UnreadableError(`it has more than ${OPENINGS_MAX} openings`);
  const keys = keysOf(value, "keys");
  return {
    completion,
    about: completion?.members ?? (member(value, "envelope") as Record<string, unknown>),
    records: records.map((record: unknown, place) => ({
      evidence: { ...readSigned(record), keys },
      openings: opened[place] ?? {},
      isErased: typeof member(record, "erased_at") === "string",
    })),
    events,
    keys,
    seal: null,
  };
}

function keysOf(value: unknown, name: string): readonly PlatformKey[] {
  const keys = member(value, name);
  return Array.isArray(keys) ? readKeyList(keys) : [];
}

function readOpenings(value: unknown): Readonly<Record<string, Opening>> {
  if (value === undefined || value === null) return {};
  if (!isObject(value)) throw new UnreadableError("the openings of a record are not an object");
  return Object.fromEntries(
    Object.entries(value).map(([name, piece]) => {
      const [salt, opened] = [member(piece, "salt"), member(piece, "value")];
      if (typeof salt !== "string" || typeof opened !== "string")
        throw new UnreadableError("an opening lacks its salt or its value");
      return [name, { salt, value: opened }];
    }),
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
