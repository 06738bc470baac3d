import pg from "pg";
import { decodeDatabaseError } from "./errors.ts";
import { type ConnectionSettings, clientConfig } from "./pool.ts";

/** Something that is not as it was recorded, as platform.audit_fault. */
export interface AuditFault {
  /** The check that found it, such as tokens. */
  readonly check_name: string;
  /** Null for faults of seals and of whole tables. */
  readonly tenant_id: string | null;
  readonly environment: "live" | "test" | null;
  readonly subject_type: string;
  readonly subject_id: string | null;
  /** Place in the chain, or number of the seal. */
  readonly seq: number;
  readonly event_id: string | null;
  readonly fault: string;
}

/** A part of the work that SQL does: a range of a walk along many rows, or a check that is made at once. */
export interface AuditTask {
  readonly service: string;
  readonly name: string;
  /** Null for a check. */
  readonly range: AuditRange | null;
}

export interface AuditRange {
  /** The row before the first; a place, whether or not a row is there. */
  readonly after: Readonly<Record<string, unknown>>;
  /** The last row. */
  readonly until: Readonly<Record<string, unknown>>;
}

/** What a task found. */
export interface AuditFinding {
  /** How many rows a walk read of each table. */
  readonly read: Readonly<Record<string, number>>;
  readonly faults: readonly AuditFault[];
}

export interface AuditSeal {
  readonly number: number;
  readonly sealed_at: Date;
  readonly evidence: string;
  readonly platform_key_id: string;
  readonly platform_signature: Buffer;
  readonly platform_pq_key_id: string;
  readonly platform_signature_pq: Buffer;
}

/** The tree over an organization's chains as a seal covers it. */
export interface AuditTree {
  readonly seal_number: number;
  readonly chains: number;
  readonly root: Buffer;
}

/** The head of a chain, hashed as a leaf of such a tree. */
export interface AuditLeaf {
  /** 1 for the first of a chain, then counting. */
  readonly version: number;
  /** The first seal that covers it. */
  readonly seal_number: number;
  readonly hash: Buffer;
}

export interface RecordedKey {
  readonly keyId: string;
  readonly environment: "live" | "test";
  readonly algorithm: string;
  readonly publicKey: Buffer;
}

/** A proof with what verifying it needs. */
export interface SignedProof {
  readonly tenant_id: string;
  readonly environment: "live" | "test";
  readonly id: string;
  readonly evidence: string;
  readonly platform_key_id: string;
  readonly platform_signature: Buffer;
  readonly platform_pq_key_id: string;
  readonly platform_signature_pq: Buffer;
}

/** Rows that are in memory at once. */
const PAGE = 10_000;
/** As many connections work side by side. */
const LANES = 2;
/** Enough for sorts of a million keys that spill to disk, and small beside what a server has. */
const WORK_MEM = "32MB";

/**
 * Reads the audit trail for a verification: several connections that all see the database at one instant, so that what is
 * written meanwhile is neither missed nor taken for a fault. Throws AppError as Database does.
 */
export class AuditReader {
  readonly #lanes: readonly pg.Client[];

  private constructor(lanes: readonly pg.Client[]) {
    this.#lanes = lanes;
  }

  /**
   * Connects; `close` when done.
   * @param connection the worker's own, or an administrator's
   * @param role which an administrator takes on; null for the worker
   */
  static async open(connection: ConnectionSettings, role: "selo_owner" | null): Promise<AuditReader> {
    const { statementTimeoutMs: _, ...patient } = connection;
    const lanes: pg.Client[] = [];
    try {
      let snapshot: string | null = null;
      for (let lane = 0; lane < LANES; lane++) {
        const client = new pg.Client(clientConfig(patient));
        client.on("error", () => {}); // what it is asked fails by itself
        await client.connect();
        lanes.push(client);
        await client.query("begin isolation level repeatable read read only");
        if (snapshot === null) {
          const exported = await client.query<{ snapshot: string }>("select pg_export_snapshot() as snapshot");
          snapshot = exported.rows[0]?.snapshot ?? "";
        } else await client.query(`set transaction snapshot ${pg.escapeLiteral(snapshot)}`);
        await client.query(`set local work_mem = '${WORK_MEM}'; set local statement_timeout = 0`);
        if (role !== null) await client.query(`set local role ${role}`);
      }
      return new AuditReader(lanes);
    } catch (error) {
      await Promise.all(lanes.map((lane) => lane.end()));
      throw decodeDatabaseError(error);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.end()));
  }

  /** All seals, the oldest first. */
  seals(): Promise<AuditSeal[]> {
    return this.#many<AuditSeal>(
      `select number, sealed_at, evidence, platform_key_id, platform_signature, platform_pq_key_id, platform_signature_pq
       from jobs.audit_seals()`,
    );
  }

  /** What is wrong with the seals before any signature is looked at, and with the tree over the organizations under those from a number on. */
  async sealFaults(since: number): Promise<{ readonly number: number; readonly fault: string }[]> {
    await this.#many("savepoint seals");
    try {
      return await this.#many("select number, fault from jobs.audit_seal_faults($1)", [since]);
    } catch (error) {
      if (!isOfTheData(error)) throw error;
      await this.#many("rollback to savepoint seals");
      return [{ number: 0, fault: `the seals cannot be checked (${error.code})` }];
    }
  }

  /** The roots of the organizations under the seals after a number, and the newest before it: by organization, the oldest first. */
  async trees(since: number): Promise<ReadonlyMap<string, readonly AuditTree[]>> {
    const rows = await this.#many<AuditTree & { tenant_id: string }>(
      "select tenant_id, seal_number, chains, root from jobs.audit_trees($1)",
      [since],
    );
    return Map.groupBy(rows, ({ tenant_id }) => tenant_id);
  }

  /** The platform keys of the database. */
  keys(): Promise<RecordedKey[]> {
    return this.#many<RecordedKey>(
      `select key_id as "keyId", environment, algorithm, public_key as "publicKey" from jobs.platform_keys()`,
    );
  }

  /** How many events the seals cover. */
  async sealedEvents(tenantId: string | null): Promise<number> {
    const [row] = await this.#many<{ events: number }>("select jobs.audit_sealed_events($1) as events", [tenantId]);
    return row?.events ?? 0;
  }

  /** Everything that SQL has to do, the walks first. */
  async tasks(tenantId: string | null): Promise<AuditTask[]> {
    const ranges = await this.#many<AuditTask>("select service, name, range from jobs.audit_ranges($1)", [tenantId]);
    const checks = await this.#many<AuditTask>("select service, name, null as range from jobs.audit_checks()");
    return [...ranges, ...checks];
  }

  /** Gives each connection one thing after the other, as it becomes free. */
  async each(tasks: readonly ((lane: AuditLane) => Promise<void>)[]): Promise<void> {
    const next = tasks.values();
    await Promise.all(
      this.#lanes.map(async (client) => {
        const lane = new AuditLane(client);
        for (const work of next) await work(lane);
      }),
    );
  }

  /** Whether the walks read every row there is. */
  async unreadRows(read: Readonly<Record<string, number>>, tenantId: string | null): Promise<AuditFault[]> {
    const [row] = await this.#many<{ faults: AuditFault[] | null }>("select jobs.audit_unread_rows($1, $2) as faults", [
      JSON.stringify(read),
      tenantId,
    ]);
    return row?.faults ?? [];
  }

  async #many<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    const [first] = this.#lanes;
    if (first === undefined) throw new Error("an audit reader has a connection");
    try {
      return (await first.query(text, values)).rows as Row[];
    } catch (error) {
      throw decodeDatabaseError(error);
    }
  }
}

/** One of the connections. */
export class AuditLane {
  readonly #client: pg.Client;

  constructor(client: pg.Client) {
    this.#client = client;
  }

  /** Runs a task. One that a spoilt row ends is a fault itself: a verification that breaks off would say nothing. */
  async run(task: AuditTask, tenantId: string | null, since: number): Promise<AuditFinding> {
    const { service, name, range } = task;
    await this.#client.query("savepoint task");
    try {
      if (range === null) {
        const { rows } = await this.#client.query("select jobs.audit_check($1, $2, $3) as faults", [
          service,
          name,
          tenantId,
        ]);
        return { read: {}, faults: atMost(rows[0]?.faults ?? [], task) };
      }
      const { rows } = await this.#client.query("select read, faults from jobs.audit_walk($1, $2, $3, $4)", [
        service,
        name,
        JSON.stringify(range),
        since,
      ]);
      return { read: rows[0]?.read ?? {}, faults: rows[0]?.faults ?? [] };
    } catch (error) {
      if (!isOfTheData(error)) throw decodeDatabaseError(error);
      await this.#client.query("rollback to savepoint task");
      const where = range === null ? "" : ` from ${JSON.stringify(range.after)} to ${JSON.stringify(range.until)}`;
      // The code alone: Postgres' words repeat the value, and this line reaches logs.
      const fault = `the check ${service}.${name}${where} cannot be made (${error.code})`;
      return { read: {}, faults: [{ ...NOWHERE, check_name: name, fault }] };
    }
  }

  /** The leaves of an organization's tree in their order, some thousands at a time. */
  async *leaves(tenantId: string): AsyncGenerator<readonly AuditLeaf[]> {
    try {
      await this.#client.query(
        `declare leaves no scroll cursor for select version, seal_number, hash
         from jobs.audit_tree_leaves(${pg.escapeLiteral(tenantId)})`,
      );
      for (;;) {
        const { rows } = await this.#client.query<AuditLeaf>(`fetch ${PAGE} from leaves`);
        if (rows.length === 0) break;
        yield rows;
      }
      await this.#client.query("close leaves");
    } catch (error) {
      throw decodeDatabaseError(error);
    }
  }

  /** The first proofs of a range that no seal up to a number covers. */
  async signatures(range: AuditRange, since: number, limit: number): Promise<SignedProof[]> {
    try {
      const { rows } = await this.#client.query<SignedProof>(
        `select tenant_id, environment, id, evidence, platform_key_id, platform_signature, platform_pq_key_id, platform_signature_pq
         from jobs.read_signatures($1, $2, $3)`,
        [JSON.stringify(range), since, limit],
      );
      return rows;
    } catch (error) {
      throw decodeDatabaseError(error);
    }
  }
}

/** jobs.audit_check answers one fault more than these where there are more. */
const MOST_FAULTS = 10_000;

function atMost(faults: readonly AuditFault[], { service, name }: AuditTask): readonly AuditFault[] {
  if (faults.length <= MOST_FAULTS) return faults;
  const more = {
    ...NOWHERE,
    check_name: name,
    fault: `the check ${service}.${name} finds more than ${MOST_FAULTS} faults`,
  };
  return [...faults.slice(0, MOST_FAULTS), more];
}

const NOWHERE = {
  tenant_id: null,
  environment: null,
  subject_type: "table",
  subject_id: null,
  seq: 0,
  event_id: null,
} as const;

/** Classes of SQLSTATE that a value which somebody wrote past all constraints can lead to: data exceptions and program limits. */
function isOfTheData(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && /^(22|54|XX001|XX002)/.test(error.code ?? "");
}
