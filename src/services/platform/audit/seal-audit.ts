import type { MasterKeyring } from "../../../adapters/crypto/master-keyring.ts";
import type { Queries } from "../../../postgres/jobs.ts";
import { canonicalJson } from "../../../verifier/canonical-json.ts";
import { PlatformSigners } from "../keys/platform-signers.ts";
import { prepareAuditSeal, recordAuditSeal } from "../store.ts";

/** An attempt fails only because another process recorded a seal first, so some process always makes progress. */
const MOST_ATTEMPTS = 10;

/**
 * Seals the audit trail: the Merkle root of all chain heads, signed with both platform keys of the live environment.
 * @returns the seal's number
 */
export async function sealAudit(database: Queries, masterKeys: MasterKeyring): Promise<number> {
  const signers = new PlatformSigners(database, masterKeys);
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
    const payload = await prepareAuditSeal(database);
    const evidence = canonicalJson(payload);
    const { key_id, pq_key_id } = payload;
    const seal = await signers.seal(String(key_id), String(pq_key_id), Buffer.from(evidence, "utf8"));
    const number = await recordAuditSeal(database, evidence, seal.ed25519, seal.mlDsa87);
    if (number !== null) return number;
  }
  throw new Error("another process recorded a seal first, at each of the attempts");
}
