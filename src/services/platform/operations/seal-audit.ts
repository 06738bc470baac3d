import type { MasterKeyring } from "../../../adapters/crypto/master-keyring.ts";
import type { StoredSigningKey } from "../../../postgres/database.ts";
import { canonicalJson, type JsonValue } from "../../../verifier/canonical-json.ts";
import { PlatformSigners } from "./platform-signers.ts";

/** The halves of a seal in SQL. */
export interface SealStore {
  signingKeys(): Promise<StoredSigningKey[]>;
  /** What is to be signed, see jobs.prepare_audit_seal. */
  prepareAuditSeal(): Promise<{ readonly [member: string]: JsonValue }>;
  /** @returns the seal's number; null when another came between the halves */
  recordAuditSeal(evidence: string, ed25519: Buffer, mlDsa87: Buffer): Promise<number | null>;
}

/** Each time another seal came first, so somebody goes on. */
const MOST_ATTEMPTS = 10;

/**
 * Seals the audit trail: the Merkle root of all chain heads, signed with both platform keys of the live environment.
 * @returns the seal's number
 */
export async function sealAudit(store: SealStore, masterKeys: MasterKeyring): Promise<number> {
  const signers = new PlatformSigners(store, masterKeys);
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
    const payload = await store.prepareAuditSeal();
    const evidence = canonicalJson(payload);
    const { key_id, pq_key_id } = payload;
    const seal = await signers.seal(String(key_id), String(pq_key_id), Buffer.from(evidence, "utf8"));
    const number = await store.recordAuditSeal(evidence, seal.ed25519, seal.mlDsa87);
    if (number !== null) return number;
  }
  throw new Error("other seals came between the halves of this one, again and again");
}
