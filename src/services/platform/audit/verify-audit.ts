import { type LeafVersion, VersionedTree } from "../../../adapters/crypto/versioned-tree.ts";
import type {
  AuditFault,
  AuditLane,
  AuditReader,
  AuditSeal,
  AuditTree,
  RecordedKey,
} from "../../../postgres/audit-reader.ts";
import type { OperatedService } from "../../../postgres/operator/operated-service.ts";
import type { KeptSeal } from "../../../verifier/audit-seals.ts";
import type { PlatformKey } from "../../../verifier/keys.ts";
import { signatureFaults } from "./signature-faults.ts";
import { structureFaults } from "./structure-faults.ts";

/** What a verification looked at. Faults are reported one by one while it runs. */
export interface AuditReport {
  readonly events: number;
  /** Number of records whose two signatures were verified, by their word: `proofs`, `signed_records`. */
  readonly verified: Readonly<Record<string, number>>;
  readonly seals: number;
  /** When the last seal was made. Only the chains cover events after it. */
  readonly last_sealed_at: Date | null;
  readonly unsealed_events: number;
  readonly faults: number;
}

/** Copies that somebody kept elsewhere, out of reach of anybody who rewrites the database; null without a copy. */
export interface KeptElsewhere {
  readonly keys: readonly PlatformKey[] | null;
  readonly seals: readonly KeptSeal[] | null;
}

export interface VerifyAuditOptions {
  /** Services whose records SQL alone cannot verify. */
  readonly services: readonly Pick<OperatedService, "name" | "rangeChecks">[];
  /** Verify only this organization, without the seals; null verifies everything. */
  readonly organizationId?: string | null;
  /** Number of a seal: signatures are verified only of records that it does not cover, everything else in full; 0 or null verifies all. */
  readonly since?: number | null;
  /** Copies to compare with. Without them the database's own keys are used, which anybody who rewrites the database could replace as well. */
  readonly kept?: KeptElsewhere;
  /** The expected catalog: the text of `schema/database.sql`. Null or absent skips the check of the structure. */
  readonly structure?: string | null;
  /** Called with each fault as it is found, in no particular order. */
  readonly onFault: (fault: AuditFault) => void;
  /** Called now and then with the finished part of the work. */
  readonly onProgress?: (done: number, all: number) => void;
  /** Ends the verification between two parts of the work. */
  readonly signal?: AbortSignal;
}

const NOTHING_KEPT: KeptElsewhere = { keys: null, seals: null };

/**
 * Recomputes the audit trail: every event's hash and place, every head that was ever sealed, the tree under every
 * seal and both its signatures, both signatures of every proof and signed record, and each record that platform.audit_coverage names.
 * It reads some thousands of rows at a time, so memory does not grow with the database.
 * @throws AppError as Database does; the reason of `signal` once it is aborted
 */
export async function verifyAudit(reader: AuditReader, options: VerifyAuditOptions): Promise<AuditReport> {
  const { organizationId = null, kept = NOTHING_KEPT, onProgress = () => {}, signal } = options;
  const { first } = reader;
  let faults = 0;
  const onFault = (fault: AuditFault) => {
    faults++;
    options.onFault(fault);
  };
  const seals = await first.seals();
  const asked = options.since ?? 0;
  const isThere = asked === 0 || seals.some(({ number }) => number === asked);
  // If somebody removed the seal, everything is verified.
  const since = isThere ? asked : 0;
  if (!isThere) onFault(sealFault(asked, "the seal is missing, so everything is verified"));
  // A key without its public key verifies nothing. Its own check reports that the public key is missing.
  const recorded = (await first.keys()).filter(({ publicKey }) => publicKey !== null);
  const keys = new Map((kept.keys ?? recorded).map(({ keyId, publicKey }) => [keyId, publicKey]));
  const parts: ((lane: AuditLane) => Promise<void>)[] = [];

  if (organizationId === null) {
    if (typeof options.structure === "string") {
      // The structure comes first: with another structure the other checks may fail to run.
      const there = await first.attempt("structure", "the check of the structure", onFault, () => first.structure());
      for (const fault of there === null ? [] : structureFaults(there, options.structure)) onFault(fault);
    }
    for (const fault of keyFaults(recorded, kept.keys)) onFault(fault);
    const wrong = await first.attempt("seals", "the check of the seals", onFault, () => first.sealFaults());
    for (const { number, fault } of wrong ?? []) onFault(sealFault(number, fault));
    for (const seal of seals)
      for (const fault of (await signatureFaults(seal, keys)) ?? ["a key that signed it is not known"])
        onFault(sealFault(seal.number, fault));
    for (const fault of keptSealFaults(seals, kept.seals)) onFault(fault);
    for (const tenantId of [null, ...(await first.sealedOrganizations())])
      parts.push(async (lane) => {
        const what = `the tree of ${tenantId === null ? "all organizations" : `organization ${tenantId}`}`;
        const found = await lane.attempt("seals", what, onFault, () => treeFaults(lane, tenantId));
        for (const fault of found ?? []) onFault(fault);
      });
  }

  const read: Record<string, number> = {};
  const unknown = new Map<string, number>();
  const onUnknownKey = (keyId: string) => unknown.set(keyId, (unknown.get(keyId) ?? 0) + 1);
  const checks = options.services.flatMap(({ rangeChecks = {} }) => Object.values(rangeChecks));
  const verified = Object.fromEntries(checks.map(({ counts }) => [counts, 0]));
  for (const task of await first.tasks(organizationId))
    parts.push(async (lane) => {
      const { service, name, range } = task;
      const where = range === null ? "" : ` from ${JSON.stringify(range.after)} to ${JSON.stringify(range.until)}`;
      const what = `the check ${service}.${name}${where}`;
      const finding = await lane.attempt(name, what, onFault, () => lane.run(task, organizationId));
      for (const [table, rows] of Object.entries(finding?.read ?? {})) read[table] = (read[table] ?? 0) + rows;
      for (const fault of finding?.faults ?? []) onFault(fault);
      const counted = options.services.find((one) => one.name === service)?.rangeChecks?.[name];
      if (counted === undefined || range === null) return;
      const check = await counted.load();
      const records = await lane.attempt(name, `${what}, of its signatures,`, onFault, () =>
        check(lane, range, { since, keys, onFault, onUnknownKey }),
      );
      // not in one line: the other connection counts while this one waits
      verified[counted.counts] = (verified[counted.counts] ?? 0) + (records ?? 0);
    });
  let done = 0;
  await reader.each(
    parts.map((part) => async (lane) => {
      signal?.throwIfAborted();
      await part(lane);
      onProgress(++done, parts.length);
    }),
  );

  const unread = await first.attempt("heap", "the count of rows", onFault, () =>
    first.unreadRows(read, organizationId),
  );
  for (const fault of unread ?? []) onFault(fault);
  for (const [keyId, signatures] of unknown)
    onFault(keyFault("signatures", `the key ${keyId} signed ${signatures} records and is not known`));

  const events = read["platform.audit_events"] ?? 0;
  const sealed = await first.attempt("seals", "the count of sealed events", onFault, () =>
    first.sealedEvents(organizationId),
  );
  return {
    events,
    verified,
    seals: organizationId === null ? seals.length : 0,
    last_sealed_at: organizationId === null ? (seals.at(-1)?.sealed_at ?? null) : null,
    unsealed_events: Math.max(0, events - (sealed ?? 0)),
    faults,
  };
}

function sealFault(number: number | null, fault: string): AuditFault {
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

/**
 * Recomputes the tree over an organization's chains, or over all organizations, under every seal, not only under the last. Rows and heads that were
 * rewritten between two seals look genuine under the next seal.
 */
async function treeFaults(lane: AuditLane, tenantId: string | null): Promise<AuditFault[]> {
  const sealed = await lane.trees(tenantId);
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
    const { seal_number, leaves: expectedLeaves, root: expected } = sealed[place] as AuditTree;
    if (leaves === expectedLeaves && root.equals(expected ?? Buffer.alloc(0))) return [];
    const what = tenantId === null ? "the roots of the organizations" : `the sealed heads of organization ${tenantId}`;
    return [sealFault(seal_number, `${what} are not those that were sealed`)];
  });
}

function keptSealFaults(seals: readonly AuditSeal[], kept: readonly KeptSeal[] | null): AuditFault[] {
  return (kept ?? []).flatMap(({ number, evidence }) => {
    const seal = seals.find((one) => one.number === number);
    if (seal === undefined) return [sealFault(number, "the seal is in the copy kept elsewhere and missing here")];
    return seal.evidence === evidence ? [] : [sealFault(number, "the seal differs from the copy kept elsewhere")];
  });
}

/** The public reads these keys from the table, so they must equal the copy kept elsewhere. */
function keyFaults(recorded: readonly RecordedKey[], kept: readonly PlatformKey[] | null): AuditFault[] {
  if (kept === null) return [];
  const others = recorded.filter(({ keyId }) => !kept.some((one) => one.keyId === keyId));
  const unkept = others.map(({ keyId }) =>
    keyFault("keys", `the key ${keyId} is not in the copy kept elsewhere: it was made later, or by somebody else`),
  );
  const changed = kept.flatMap(({ keyId, publicKey, environment }) => {
    const key = recorded.find((one) => one.keyId === keyId);
    const fault =
      key === undefined
        ? `the key ${keyId} is in the copy kept elsewhere and missing here`
        : !key.publicKey.equals(publicKey) || (environment !== null && key.environment !== environment)
          ? `the key ${keyId} differs from the copy kept elsewhere`
          : null;
    return fault === null ? [] : [keyFault("keys", fault)];
  });
  return [...unkept, ...changed];
}

function keyFault(checkName: string, fault: string): AuditFault {
  return { ...sealFault(null, fault), check_name: checkName, subject_type: "platform" };
}
