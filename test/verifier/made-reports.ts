// evidence.json of an envelope's report, made from what the platform answers, for tests.
import { canonicalJson, type JsonValue } from "../../src/verifier/canonical-json.ts";
import { evidenceOf } from "../services/signature/completion-stage.ts";
import type { EnvelopeStage } from "../services/signature/envelope-stage.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests change any part of it
export type Report = any;

/** A signed record in the form of a receipt's evidence.json. */
const signed = (record: Report) => ({
  payload: canonicalJson(record.evidence as JsonValue),
  signatures: [
    { algorithm: "Ed25519", key_id: record.platform_key_id, signature: record.platform_signature },
    { algorithm: "ML-DSA-87", key_id: record.platform_pq_key_id, signature: record.platform_signature_pq },
  ],
});

/** What a report of the envelope attaches as evidence.json. */
export async function reportOf(stage: EnvelopeStage, id: string): Promise<Report> {
  const evidence = await evidenceOf(stage, id);
  const { rows } = await stage.selo.database.admin.query<{ id: string; openings: Report }>(
    "select id, openings from signature.signature_records where envelope_id = $1 and participant_id is not null",
    [id],
  );
  const openings = (recordId: string) => {
    const { name, email } = rows.find((row) => row.id === recordId)?.openings ?? {};
    return { name, email };
  };
  return {
    ...(evidence.completion === null
      ? { envelope: { tenant_id: stage.tenantId, environment: stage.environment, envelope_id: id } }
      : signed(evidence.completion)),
    keys: evidence.platform_keys.map(({ key_id, algorithm, public_key, environment }: Report) => ({
      key_id,
      algorithm,
      public_key,
      environment,
    })),
    records: evidence.records.map((record: Report) => ({ ...signed(record), openings: openings(record.id) })),
    events: evidence.events,
  };
}
