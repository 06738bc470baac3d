import type { AuditLane, AuditRange } from "../../../postgres/audit-reader.ts";
import type { RangeCheckOptions } from "../../../service.ts";
import { signatureFaults } from "../../platform/operations/signature-faults.ts";
import { readSignatures, type SignedProof } from "../store.ts";

/** Proofs handed over at once: passing a proof to libuv's pool blocks the event loop for some 40 µs, and the worker has other work. */
const AT_ONCE = 250;

/** Verifies both signatures of all proofs in a range. */
export async function verifySignatures(
  lane: AuditLane,
  range: AuditRange,
  options: RangeCheckOptions,
): Promise<number> {
  const { since, keys, onFault } = options;
  let verified = 0;
  let after = range.after;
  for (;;) {
    const proofs = await readSignatures(lane, { after, until: range.until }, since, AT_ONCE);
    const faults = await Promise.all(proofs.map((proof) => signatureFaults(proof, keys)));
    for (const [place, proof] of proofs.entries()) {
      const found = faults[place] ?? null;
      if (found === null) tellUnknown(proof, options);
      for (const fault of found ?? [])
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
    }
    verified += proofs.length;
    const last = proofs.at(-1);
    if (last === undefined || proofs.length < AT_ONCE) return verified;
    after = { tenant_id: last.tenant_id, id: last.id };
  }
}

/** Reports a key that is not in the kept copy only once, although it may have signed many proofs. */
function tellUnknown({ platform_key_id, platform_pq_key_id }: SignedProof, { keys, onUnknownKey }: RangeCheckOptions) {
  for (const keyId of [platform_key_id, platform_pq_key_id]) if (!keys.has(keyId)) onUnknownKey(keyId);
}
