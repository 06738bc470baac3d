import { verifyHybrid } from "../../adapters/crypto/hybrid-signature.ts";
import { type LeafVersion, VersionedTree } from "../../adapters/crypto/versioned-tree.ts";
import type { AuditFault, AuditLane, AuditReader, AuditSeal, AuditTree, RecordedKey } from "../../db/audit-reader.ts";
import type { KeptSeal } from "../../verifier/audit-seals.ts";
import type { PlatformKey } from "../../verifier/keys.ts";
import { RANGE_CHECKS } from "../range-checks.ts";

/** What a verification looked at. Faults were told one by one. */
export interface AuditReport {
  readonly events: number;
  /** Whose two signatures were verified. */
  readonly proofs: number;
  readonly seals: number;
  /** When the last seal was made; what came after it is covered by its chain alone. */
  readonly last_sealed_at: Date | null;
  readonly unsealed_events: number;
  readonly faults: number;
}

/** What somebody kept elsewhere, out of reach of anybody who rewrites the database; null where nobody did. */
export interface KeptElsewhere {
  readonly keys: readonly PlatformKey[] | null;
  readonly seals: readonly KeptSeal[] | null;
}

export interface VerifyAuditOptions {
  /** One organization alone, without the seals; null for everything. */
  readonly organizationId?: string | null;
  /** Number of a seal: hashes, evidence and signatures only of what it does not cover, everything else whole; 0 or null for all. */
  readonly since?: number | null;
  /** Otherwise the database's own keys, which anybody who rewrites it could replace as well. */
  readonly kept?: KeptElsewhere;
  /** Called with each fault as it is found, in no order. */
  readonly onFault: (fault: AuditFault) => void;
  /** Called now and then with how much of the work is done. */
  readonly onProgress?: (done: number, all: number) => void;
}

const NOTHING_KEPT: KeptElsewhere = { keys: null, seals: null };

/**
 * Recomputes what the audit trail says: every event's hash and place, every head that was ever sealed, the tree under every
 * seal and both its signatures, both signatures of every proof, and each record that platform.audit_coverage names.
 * Rows are read some thousands at a time, whatever there is.
 */
export async function verifyAudit(reader: AuditReader, options: VerifyAuditOptions): Promise<AuditReport> {
  const { organizationId = null, kept = NOTHING_KEPT, onProgress = () => {} } = options;
  let faults = 0;
  const onFault = (fault: AuditFault) => {
    faults++;
    options.onFault(fault);
  };
  const seals = await reader.seals();
  const asked = options.since ?? 0;
  const isThere = asked === 0 || seals.some(({ number }) => number === asked);
  // Somebody may have removed it: then everything is looked at.
  const since = isThere ? asked : 0;
  if (!isThere) onFault(sealFault(asked, "it is not there, so everything is verified"));
  // A key that somebody took away verifies nothing; that it is missing, its check says.
  const recorded = (await reader.keys()).filter(({ publicKey }) => publicKey !== null);
  const keys = new Map((kept.keys ?? recorded).map(({ keyId, publicKey }) => [keyId, publicKey]));

  if (organizationId === null) {
    for (const fault of keyFaults(recorded, kept.keys)) onFault(fault);
    for (const { number, fault } of await reader.sealFaults(since)) onFault(sealFault(number, fault));
    for (const seal of seals)
      if (seal.number > since) for (const fault of await signatureFaults(seal, keys)) onFault(fault);
    for (const fault of keptSealFaults(seals, kept.seals)) onFault(fault);
  }

  const read: Record<string, number> = {};
  const unknown = new Map<string, number>();
  const onUnknownKey = (keyId: string) => unknown.set(keyId, (unknown.get(keyId) ?? 0) + 1);
  let proofs = 0;
  const trees = organizationId === null ? await reader.trees(since) : [];
  const work = [
    ...[...trees].map(([tenantId, tree]) => async (lane: AuditLane) => {
      for (const fault of await treeFaults(lane, tenantId, tree)) onFault(fault);
    }),
    ...(await reader.tasks(organizationId)).map((task) => async (lane: AuditLane) => {
      const finding = await lane.run(task, organizationId, since);
      for (const [table, rows] of Object.entries(finding.read)) read[table] = (read[table] ?? 0) + rows;
      for (const fault of finding.faults) onFault(fault);
      const check = RANGE_CHECKS[`${task.service}.${task.name}`];
      if (check === undefined || task.range === null) return;
      const verified = await check(lane, task.range, { since, keys, onFault, onUnknownKey });
      proofs += verified; // not in one line: the other connection counts while this one waits
    }),
  ];
  let done = 0;
  await reader.each(
    work.map((part) => async (lane) => {
      await part(lane);
      onProgress(++done, work.length);
    }),
  );
  for (const fault of await reader.unreadRows(read, organizationId)) onFault(fault);
  for (const [keyId, signatures] of unknown)
    onFault({
      ...sealFault(signatures, `the key ${keyId} signed ${signatures} proofs and is not known`),
      check_name: "signatures",
      subject_type: "platform",
    });

  const events = read["platform.audit_events"] ?? 0;
  return {
    events,
    proofs,
    seals: organizationId === null ? seals.length : 0,
    last_sealed_at: organizationId === null ? (seals.at(-1)?.sealed_at ?? null) : null,
    unsealed_events: Math.max(0, events - (await reader.sealedEvents(organizationId))),
    faults,
  };
}

function sealFault(number: number, fault: string): AuditFault {
  return {
    check_name: "seals",
    tenant_id: null,
    environment: null,
    subject_type: "seal",
    subject_id: null,
    seq: number,
    event_id: null,
    fault,
  };
}

async function signatureFaults(seal: AuditSeal, keys: ReadonlyMap<string, Uint8Array>): Promise<AuditFault[]> {
  const [ed25519, mlDsa87] = [keys.get(seal.platform_key_id), keys.get(seal.platform_pq_key_id)];
  if (ed25519 === undefined || mlDsa87 === undefined)
    return [sealFault(seal.number, "a key that signed it is not known")];
  if ([seal.evidence, seal.platform_signature, seal.platform_signature_pq].includes(null as never))
    return [sealFault(seal.number, "its evidence or a signature of it is missing")];
  const verdict = await verifyHybrid({ ed25519, mlDsa87 }, Buffer.from(seal.evidence, "utf8"), {
    ed25519: seal.platform_signature,
    mlDsa87: seal.platform_signature_pq,
  });
  return [
    ...(verdict.ed25519 ? [] : [sealFault(seal.number, "its Ed25519 signature does not verify")]),
    ...(verdict.mlDsa87 ? [] : [sealFault(seal.number, "its ML-DSA-87 signature does not verify")]),
  ];
}

/**
 * Computes the tree over an organization's chains anew under every seal, not under the last alone: what is rewritten between
 * two seals, heads included, is under the next one as if it had always been so.
 */
async function treeFaults(lane: AuditLane, tenantId: string, sealed: readonly AuditTree[]): Promise<AuditFault[]> {
  const tree = new VersionedTree(sealed.map(({ seal_number }) => seal_number));
  let history: LeafVersion[] = [];
  for await (const leaves of lane.leaves(tenantId))
    for (const { version, seal_number, hash } of leaves) {
      if (version === 1) {
        tree.add(history);
        history = [];
      }
      history.push({ since: seal_number, hash });
    }
  tree.add(history);
  return tree.roots().flatMap(({ leaves, root }, place) => {
    const { seal_number, chains, root: expected } = sealed[place] as AuditTree;
    if (leaves === chains && root.equals(expected ?? Buffer.alloc(0))) return [];
    return [sealFault(seal_number, `the sealed heads of organization ${tenantId} are not those that were sealed`)];
  });
}

function keptSealFaults(seals: readonly AuditSeal[], kept: readonly KeptSeal[] | null): AuditFault[] {
  return (kept ?? []).flatMap(({ number, evidence }) => {
    const seal = seals.find((one) => one.number === number);
    if (seal === undefined) return [sealFault(number, "it was kept elsewhere, and is not there any more")];
    return seal.evidence === evidence ? [] : [sealFault(number, "it is not the one that was kept elsewhere")];
  });
}

/** A key that was kept elsewhere must be in the table, and the same one: the table is what everybody else is told. */
function keyFaults(recorded: readonly RecordedKey[], kept: readonly PlatformKey[] | null): AuditFault[] {
  return (kept ?? []).flatMap(({ keyId, publicKey, environment }) => {
    const key = recorded.find((one) => one.keyId === keyId);
    const fault =
      key === undefined
        ? `the key ${keyId} was kept elsewhere, and is not there any more`
        : !key.publicKey.equals(publicKey) || (environment !== null && key.environment !== environment)
          ? `the key ${keyId} is not the one that was kept elsewhere`
          : null;
    if (fault === null) return [];
    return [{ ...sealFault(0, fault), check_name: "keys", subject_type: "platform" }];
  });
}
