import { verifyHybrid } from "../../adapters/crypto/hybrid-signature.ts";
import type { AuditSeal } from "../../db/operator/audit-trail.ts";
import type { Operator, Organization } from "../../db/operator.ts";
import type { KeptSeal } from "../../verifier/audit-seals.ts";
import type { PlatformKey } from "../../verifier/keys.ts";

/** Something that is not as it was recorded. */
export interface AuditFault {
  /** Null for faults of seals. */
  readonly tenant_id: string | null;
  readonly environment: "live" | "test" | null;
  readonly subject_type: string;
  readonly subject_id: string | null;
  /** Place in the chain, or number of the seal. */
  readonly seq: number;
  readonly event_id: string | null;
  readonly fault: string;
}

export interface AuditReport {
  readonly events: number;
  readonly seals: number;
  /** When the last seal was made; what came after it is covered by its chain alone. */
  readonly last_sealed_at: Date | null;
  readonly unsealed_events: number;
  readonly faults: readonly AuditFault[];
}

/** What somebody kept elsewhere, where whoever rewrites the database could not reach it; null where nobody did. */
export interface KeptElsewhere {
  readonly keys: readonly PlatformKey[] | null;
  readonly seals: readonly KeptSeal[] | null;
}

/**
 * Recomputes the audit trail: every event's hash and place, what exists against the events that made it, every head that
 * was ever sealed, the tree under every seal, and both signatures of every seal.
 * @param organization one alone (then its chains only), or null for all and the seals
 * @param kept keys and seals that somebody kept elsewhere; otherwise the database's own, which whoever rewrites it could replace as well
 */
export async function verifyAudit(
  operator: Operator,
  organization: Organization | null,
  kept: KeptElsewhere = { keys: null, seals: null },
): Promise<AuditReport> {
  const tenants = organization ? [organization.id] : await operator.audit.tenants();
  const faults: AuditFault[] = [];
  let [events, unsealed] = [0, 0];
  for (const tenant_id of tenants) {
    for (const environment of ["live", "test"] as const) {
      const chains = await operator.audit.report(tenant_id, environment);
      faults.push(...chains.faults.map((fault) => ({ tenant_id, environment, ...fault })));
      events += chains.events;
      unsealed += chains.unsealed_events;
    }
  }
  const seals = organization ? [] : await operator.audit.seals();
  if (organization === null) faults.push(...(await sealFaults(operator, seals, kept)));
  return {
    events,
    seals: seals.length,
    last_sealed_at: seals.at(-1)?.sealed_at ?? null,
    unsealed_events: unsealed,
    faults,
  };
}

async function sealFaults(operator: Operator, seals: readonly AuditSeal[], kept: KeptElsewhere): Promise<AuditFault[]> {
  const faultOf = (number: number, fault: string): AuditFault => ({
    tenant_id: null,
    environment: null,
    subject_type: "seal",
    subject_id: null,
    seq: number,
    event_id: null,
    fault,
  });
  const faults = (await operator.audit.sealFaults()).map(({ number, fault }) => faultOf(number, fault));
  const keys = new Map((kept.keys ?? (await operator.keys.publicKeys())).map((key) => [key.keyId, key.publicKey]));
  for (const seal of seals) {
    const [ed25519, mlDsa87] = [keys.get(seal.platform_key_id), keys.get(seal.platform_pq_key_id)];
    if (ed25519 === undefined || mlDsa87 === undefined) {
      faults.push(faultOf(seal.number, "a key that signed it is not known"));
      continue;
    }
    const verdict = await verifyHybrid({ ed25519, mlDsa87 }, Buffer.from(seal.evidence, "utf8"), {
      ed25519: seal.platform_signature,
      mlDsa87: seal.platform_signature_pq,
    });
    if (!verdict.ed25519) faults.push(faultOf(seal.number, "its Ed25519 signature does not verify"));
    if (!verdict.mlDsa87) faults.push(faultOf(seal.number, "its ML-DSA-87 signature does not verify"));
  }
  for (const { number, evidence } of kept.seals ?? []) {
    const seal = seals.find((one) => one.number === number);
    if (seal === undefined) faults.push(faultOf(number, "it was kept elsewhere, and is not there any more"));
    else if (seal.evidence !== evidence) faults.push(faultOf(number, "it is not the one that was kept elsewhere"));
  }
  return faults;
}
