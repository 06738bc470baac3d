import { verifyHybrid } from "../../../adapters/crypto/hybrid-signature.ts";

/** A record that both platform keys signed, as the table holds it. Members may be null: somebody may have dropped a constraint and a value. */
export interface SignedRecord {
  readonly evidence: string | null;
  readonly platform_key_id: string;
  readonly platform_signature: Buffer | null;
  readonly platform_pq_key_id: string;
  readonly platform_signature_pq: Buffer | null;
}

/**
 * Verifies both signatures of a record anew.
 * @param keys public keys by key id
 * @returns the faults; null if one of the record's keys is not in `keys`
 */
export async function signatureFaults(
  record: SignedRecord,
  keys: ReadonlyMap<string, Uint8Array>,
): Promise<string[] | null> {
  const { evidence, platform_signature, platform_signature_pq } = record;
  const [ed25519, mlDsa87] = [keys.get(record.platform_key_id), keys.get(record.platform_pq_key_id)];
  if (ed25519 === undefined || mlDsa87 === undefined) return null;
  if (evidence === null || platform_signature === null || platform_signature_pq === null)
    return ["its evidence or a signature of it is missing"];
  const verdict = await verifyHybrid({ ed25519, mlDsa87 }, Buffer.from(evidence, "utf8"), {
    ed25519: platform_signature,
    mlDsa87: platform_signature_pq,
  });
  return [
    ...(verdict.ed25519 ? [] : ["its Ed25519 signature does not verify"]),
    ...(verdict.mlDsa87 ? [] : ["its ML-DSA-87 signature does not verify"]),
  ];
}
