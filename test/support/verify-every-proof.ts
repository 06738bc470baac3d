import type pg from "pg";
import { verifyHybrid } from "../../src/adapters/crypto/hybrid-signature.ts";
import { bothValid, type HybridPublicKeys, verifyHybridWithNoble } from "../../src/verifier/hybrid-signature.ts";

interface StoredProof {
  readonly id: string;
  readonly evidence: string;
  readonly ed25519: Buffer;
  readonly mlDsa87: Buffer;
  readonly edKey: Buffer;
  readonly pqKey: Buffer;
}

/** Verifies the signatures of every proof in a database with both implementations; answers how many there are, and which do not verify. */
export async function verifyEveryProof(admin: pg.Pool): Promise<{ readonly count: number; readonly failed: string[] }> {
  const { rows } = await admin.query<StoredProof>(`
    select proof.id, proof.evidence, proof.platform_signature as ed25519, proof.platform_signature_pq as "mlDsa87",
      ed.public_key as "edKey", pq.public_key as "pqKey"
    from signature.proofs as proof
    join platform.platform_keys as ed on ed.key_id = proof.platform_key_id and ed.environment = proof.environment
    join platform.platform_keys as pq on pq.key_id = proof.platform_pq_key_id and pq.environment = proof.environment
    where (proof.evidence::jsonb ->> 'proof_id')::uuid = proof.id`);
  const failed: string[] = [];
  for (const proof of rows) {
    const keys: HybridPublicKeys = { ed25519: proof.edKey, mlDsa87: proof.pqKey };
    const message = Buffer.from(proof.evidence, "utf8");
    const verdicts = [await verifyHybrid(keys, message, proof), await verifyHybridWithNoble(keys, message, proof)];
    if (!verdicts.every(bothValid)) failed.push(proof.id);
  }
  return { count: rows.length, failed };
}
