// A completed envelope with one signer, signed with keys of a test: the answer of the service, and its reports.
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

export const CODE = "7Q2M-K9XT-4HBC";
const digest = (...parts: readonly (string | Uint8Array)[]) => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
};
/** The digest of the final document. */
export const FINAL = digest("final");

const id = (last: number) => `019a9fd0-6c3e-7b51-9c55-${String(last).padStart(12, "0")}`;
const AT = "2026-11-20T12:34:56.633467+00:00";

/** An event in the chain of the envelope, with its hash. */
function eventAfter(before: Json | undefined, about: Json, action: string, details: Json): Json {
  const seq = ((before?.["seq"] as number | undefined) ?? 0) + 1;
  const event: Json = { id: id(100 + seq), seq, action, channel: "api", request_id: id(200), occurred_at: AT, details };
  Object.assign(event, {
    subject_type: "envelope",
    subject_id: about["envelope_id"],
    actor_type: "token",
    actor_id: id(9),
  });
  Object.assign(event, { commitments: {}, prev_hash: before?.["hash"] ?? "0".repeat(64) });
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
  return { ...event, hash: digest(Buffer.from(prev_hash as string, "hex"), text) };
}

export async function madeEnvelope(by: Pair, changes: Json = {}, ofRecord: Json = {}): Promise<MadeEnvelope> {
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
  const { keys, ...record } = await evidenceFile(
    by,
    canonicalJson({
      ...shared,
      kind: "signature_record",
      record_id: id(2),
      participant_id: id(3),
      role: "signatario",
      modality: "avancada",
      action: "signed",
      documents: [{ document_id: id(4), sha256 }],
      consent: { version: "1", sha256: digest("consent"), language: "en" },
      authentication: [],
      commitments: {},
      signature_sha256: null,
      certificate_sha256: null,
      ...ofRecord,
    }),
  );
  const recordDigest = digest(record.payload);
  const chainOf = (named: Json) => [
    eventAfter(undefined, named, "envelope.participant_signed", { record_id: id(2), evidence_sha256: recordDigest }),
  ];
  const chain = chainOf(about);
  const members = {
    ...shared,
    kind: "envelope_completed",
    record_id: id(5),
    completed_at: AT,
    documents: [{ document_id: id(4), sha256, final_sha256: FINAL }],
    records: [{ record_id: id(2), sha256: recordDigest }],
    chain: { length: 1, head_hash: chain[0]?.["hash"] as string },
  };
  const completion = await evidenceFile(by, canonicalJson(members));
  const end = { record_id: id(5), evidence_sha256: digest(completion.payload) };
  const [ed25519, mlDsa87] = completion.signatures;
  const records = [{ ...record, openings: {} }] as unknown as JsonValue;
  return {
    answer: {
      organization: shared.organization,
      status: "completed",
      environment: about.environment,
      sent_at: "2026-11-19T12:00:00.000000+00:00",
      completed_at: AT,
      participants: [
        { role: "signatario", status: "completed", completed_at: AT },
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
      events: [...chain, eventAfter(chain[0], about, "envelope.completed", end)],
    } as unknown as Json,
    early: { envelope: about, records, events: chain, keys },
    chainOf,
  };
}
