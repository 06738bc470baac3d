// A completed envelope with one signer or several, signed with keys of a test: the answer of the service, and its reports.
import { createHash } from "node:crypto";
import { canonicalJson, type JsonValue } from "../../src/verifier/canonical-json.ts";
import { evidenceFile, type Pair } from "./made-proofs.ts";

export type Json = Record<string, JsonValue>;

export interface MadeEnvelope {
  /** As `GET /public/envelopes/{code}` answers it. */
  readonly answer: Json;
  /** `evidence.json` of the report. */
  readonly report: Json;
  /** The same, from before the completion. */
  readonly early: Json;
  /** The chain up to the completion, for what names the envelope. */
  chainOf(about: Json): Json[];
}

/** What a signer signed, and what a report opens of it. */
export interface MadeRecord {
  /** In place of what stands in a signed record otherwise. */
  readonly members?: Json;
  readonly openings?: Json;
}

const SALT = "00112233445566778899aabbccddeeff";

/** A record that names its signer. Its commitments are those of these values. */
export function opened(values: Readonly<Record<string, string>>, members: Json = {}): MadeRecord {
  const each = (read: (value: string) => JsonValue): Json =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, read(value)]));
  return {
    members: { authentication: [{ method: "otp_email" }], commitments: each(commitment), ...members },
    openings: each((value) => ({ salt: SALT, value })),
  };
}

const commitment = (value: string) => digest(Buffer.from(SALT, "hex"), value);

export const CODE = "7Q2M-K9XT-4HBC";
const digest = (...parts: readonly (string | Uint8Array)[]) => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
};
/** The digest of the final document. */
export const FINAL = digest("final");

const id = (last: number) => `019a9fd0-6c3e-7b51-9c55-${String(last).padStart(12, "0")}`;
const recordId = (place: number) => id(200 + place);
const AT = "2026-11-20T12:34:56.633467+00:00";

/**
 * An event in the chain of the envelope, with its hash.
 * @param address of the request, which the event commits to
 */
export function eventAfter(
  before: Json | undefined,
  about: Json,
  action: string,
  details: Json,
  address?: string,
): Json {
  const seq = ((before?.["seq"] as number | undefined) ?? 0) + 1;
  const event: Json = { id: id(100 + seq), seq, action, channel: "api", request_id: id(7), occurred_at: AT, details };
  Object.assign(event, {
    subject_type: "envelope",
    subject_id: about["envelope_id"],
    actor_type: "token",
    actor_id: id(9),
  });
  const commitments: Json = address === undefined ? {} : { address: commitment(address) };
  Object.assign(event, { commitments, prev_hash: before?.["hash"] ?? "0".repeat(64) });
  const { subject_id, subject_type, actor_id, actor_type, id: event_id, prev_hash, ...told } = event;
  const text = canonicalJson({
    ...told,
    kind: "audit_event",
    schema_version: 1,
    event_id: event_id as string,
    tenant_id: about["tenant_id"] as string,
    environment: about["environment"] as string,
    subject: { id: subject_id as string, type: subject_type as string },
    actor: { id: actor_id as string, type: actor_type as string },
  });
  const shown = address === undefined ? {} : { address, openings: { address: { salt: SALT, value: address } } };
  return { ...event, ...shown, hash: digest(Buffer.from(prev_hash as string, "hex"), text) };
}

export async function madeEnvelope(
  by: Pair,
  changes: Json = {},
  given: readonly MadeRecord[] = [{}],
): Promise<MadeEnvelope> {
  const about = {
    tenant_id: "67004921-eb5e-4a29-9c57-5723748b78fb",
    environment: "live",
    envelope_id: id(1),
    ...changes,
  };
  const shared = {
    ...about,
    schema_version: 1,
    hash_algorithm: "SHA-256",
    time_source: "platform_server_clock_utc",
    hybrid_policy: "AND",
    organization: "Café & Filhos Ltda",
    verification_code: CODE,
    signed_at: AT,
    key_id: by.keyIds[0],
    pq_key_id: by.keyIds[1],
  };
  const sha256 = digest("original");
  const signed = await Promise.all(
    given.map(async ({ members = {}, openings = {} }, place) => {
      const file = await evidenceFile(
        by,
        canonicalJson({
          ...shared,
          kind: "signature_record",
          record_id: recordId(place),
          participant_id: id(300 + place),
          role: "signatario",
          modality: "avancada",
          action: "signed",
          documents: [{ document_id: id(4), sha256 }],
          consent: { version: "1", sha256: digest("consent"), language: "en" },
          authentication: [],
          commitments: {},
          signature_sha256: null,
          certificate_sha256: null,
          ...members,
        }),
      );
      return { payload: file.payload, signatures: file.signatures, openings };
    }),
  );
  const digests = signed.map(({ payload }) => digest(payload));
  const chainOf = (named: Json) => {
    const events: Json[] = [];
    for (const [place, evidence_sha256] of digests.entries())
      events.push(
        eventAfter(events.at(-1), named, "envelope.participant_signed", {
          record_id: recordId(place),
          evidence_sha256,
        }),
      );
    return events;
  };
  const chain = chainOf(about);
  const members = {
    ...shared,
    kind: "envelope_completed",
    record_id: id(5),
    completed_at: AT,
    documents: [{ document_id: id(4), sha256, final_sha256: FINAL }],
    records: digests.map((sha256, place) => ({ record_id: recordId(place), sha256 })),
    chain: { length: chain.length, head_hash: chain.at(-1)?.["hash"] as string },
  };
  const completion = await evidenceFile(by, canonicalJson(members));
  const end = { record_id: id(5), evidence_sha256: digest(completion.payload) };
  const [ed25519, mlDsa87] = completion.signatures;
  const records = signed as unknown as JsonValue;
  const { keys } = completion;
  return {
    answer: {
      organization: shared.organization,
      status: "completed",
      environment: about.environment,
      sent_at: "2026-11-19T12:00:00.000000+00:00",
      completed_at: AT,
      participants: [
        ...signed.map(({ payload }) => {
          const { role, signed_at } = JSON.parse(payload) as { role: string; signed_at: string };
          return { role, status: "completed", completed_at: signed_at };
        }),
        { role: "observador", status: "invited", completed_at: null },
      ],
      documents: [{ sha256, final_sha256: FINAL }],
      completion: {
        evidence: members,
        platform_key_id: by.keyIds[0],
        platform_signature: ed25519?.signature ?? null,
        platform_pq_key_id: by.keyIds[1],
        platform_signature_pq: mlDsa87?.signature ?? null,
      },
      platform_keys: keys,
      valid: true,
    },
    report: {
      ...completion,
      records,
      events: [...chain, eventAfter(chain.at(-1), about, "envelope.completed", end)],
    } as unknown as Json,
    early: { envelope: about, records, events: chain, keys },
    chainOf,
  };
}
