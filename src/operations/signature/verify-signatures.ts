import { verifyHybrid } from "../../adapters/crypto/hybrid-signature.ts";
import type { AuditLane, AuditRange, SignedProof } from "../../db/audit-reader.ts";
import type { RangeCheckOptions } from "../platform/range-check.ts";

/** Handing a proof to libuv's pool holds the event loop for some 40 µs, and the worker has other things to do. */
const AT_ONCE = 250;

/** Verifies both signatures of the proofs of a range anew. */
export async function verifySignatures(
  lane: AuditLane,
  range: AuditRange,
  { since, keys, onFault, onUnknownKey }: RangeCheckOptions,
): Promise<number> {
  let verified = 0;
  let after = range.after;
  for (;;) {
    const proofs = await lane.signatures({ after, until: range.until }, since, AT_ONCE);
    const faults = await Promise.all(proofs.map((proof) => faultsOf(proof, keys, onUnknownKey)));
    for (const [place, proof] of proofs.entries())
      for (const fault of faults[place] ?? [])
        onFault({
          check_name: "signatures",
          tenant_id: proof.tenant_id,
          environment: proof.environment,
          subject_type: "proof",
          subject_id: proof.id,
          seq: 1,
          event_id: null,
          fault,
        });
    verified += proofs.length;
    const last = proofs.at(-1);
    if (last === undefined || proofs.length < AT_ONCE) return verified;
    after = { tenant_id: last.tenant_id, id: last.id };
  }
}

async function faultsOf(
  proof: SignedProof,
  keys: ReadonlyMap<string, Uint8Array>,
  onUnknownKey: (keyId: string) => void,
): Promise<string[]> {
  const { platform_key_id: keyId, platform_pq_key_id: pqKeyId } = proof;
  const [ed25519, mlDsa87] = [keys.get(keyId), keys.get(pqKeyId)];
  if (ed25519 === undefined || mlDsa87 === undefined) {
    // A key that was made since the keys were kept signed many: it is told once.
    if (ed25519 === undefined) onUnknownKey(keyId);
    if (mlDsa87 === undefined) onUnknownKey(pqKeyId);
    return [];
  }
  if (isMissing(proof.evidence, proof.platform_signature, proof.platform_signature_pq))
    return ["its evidence or a signature of it is missing"];
  const verdict = await verifyHybrid({ ed25519, mlDsa87 }, Buffer.from(proof.evidence, "utf8"), {
    ed25519: proof.platform_signature,
    mlDsa87: proof.platform_signature_pq,
  });
  return [
    ...(verdict.ed25519 ? [] : ["its Ed25519 signature does not verify"]),
    ...(verdict.mlDsa87 ? [] : ["its ML-DSA-87 signature does not verify"]),
  ];
}

/** What a column may hold that somebody took its constraint from. */
function isMissing(...values: readonly (string | Buffer | null)[]): boolean {
  return values.includes(null);
}
