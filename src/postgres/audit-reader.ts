import pg from "pg";
import { decodeDatabaseError } from "./errors.ts";
import { describeCatalog } from "./migrate/catalog-dump.ts";
import { VERIFICATION_NAME } from "./patient-transaction.ts";
import { type ConnectionSettings, clientConfig } from "./pool.ts";

/** A difference from what was recorded, as platform.audit_fault. */
export interface AuditFault {
  /** The check that found it, such as tokens. */
  readonly check_name: string;
  /** Null for faults of seals and of whole tables. */
  readonly tenant_id: string | null;
  readonly environment: "live" | "test" | null;
  readonly subject_type: string;
  readonly subject_id: string | null;
  /** Place in the chain, or number of the seal; null for other faults. */
  readonly seq: number | null;
  readonly event_id: string | null;
  readonly fault: string;
}

/** A part of the work that SQL does: a range of a walk along many rows, or a whole check. */
export interface AuditTask {
  readonly service: string;
  readonly name: string;
  /** Null for a check. */
  readonly range: AuditRange | null;
}

export interface AuditRange {
  /** The position before the first row; a row need not exist there. */
  readonly after: Readonly<Record<string, unknown>>;
  /** The last row. */
  readonly until: Readonly<Record<string, unknown>>;
}

/** The result of a task. */
export interface AuditFinding {
  /** Number of rows of each table that a walk read. */
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

/** The tree over an organization's chains, or over the organizations, that a seal covers. */
export interface AuditTree {
  readonly seal_number: number;
  readonly leaves: number;
  readonly root: Buffer;
}

/** The head of a chain, or the root of an organization, hashed as a leaf of such a tree. */
export interface AuditLeaf {
  /** Versions of a leaf are numbered from 1. */
  readonly version: number;
  /** The first seal that covers this version. */
  readonly seal_number: number;
  readonly hash: Buffer;
}

export interface RecordedKey {
  readonly keyId: string;
  readonly environment: "live" | "test";
  readonly algorithm: string;
  readonly publicKey: Buffer;
}

/** Rows read at once. */
const PAGE = 1_000;
/** Number of connections that work side by side. */
const LANES = 2;
/** Enough for sorts of a million keys that spill to disk, and small compared with a server's memory. */
const WORK_MEM = "32MB";

/**
 * Reads the audit trail for a verification: several connections that all see the database at the same instant, so that rows
 * written meanwhile are neither missed nor reported as faults.
 */
export class AuditReader {
  readonly #clients: readonly pg.Client[];
  readonly #role: "selo_owner" | null;
  readonly #lanes: readonly AuditLane[];

  private constructor(clients: readonly pg.Client[], role: "selo_owner" | null) {
    this.#clients = clients;
    this.#role = role;
    this.#lanes = clients.map((client) => new AuditLane(client));
  }

  /**
   * Connects; `close` when done.
   * @param connection the worker's own connection, or an administrator's. A migration recognises it by its application name, and waits for it
   * @param role the role that an administrator takes on; null for the worker
   * @throws AppError as Database does
   */
  static async open(
    { url, role: loginRole }: Pick<ConnectionSettings, "url" | "role">,
    role: "selo_owner" | null,
  ): Promise<AuditReader> {
    const patient = { url, role: loginRole, applicationName: VERIFICATION_NAME };
    const clients: pg.Client[] = [];
    try {
      for (let lane = 0; lane < LANES; lane++) {
        const client = new pg.Client(clientConfig(patient));
        client.on("error", () => {}); // the running query fails by itself
        await client.connect();
        clients.push(client);
      }
      await beginTogether(clients, role);
      return new AuditReader(clients, role);
    } catch (error) {
      await Promise.all(clients.map((client) => client.end()));
      throw decodeDatabaseError(error);
    }
  }

  /** Ends the reading and keeps the connections. Nothing stays open or locked until the reading resumes. */
  async pause(): Promise<void> {
    await this.#try(() => Promise.all(this.#clients.map((client) => client.query("rollback"))));
  }

  /** Resumes after a pause, and reads the present data. A new reader would cost twice as much, because its connections plan every statement anew. */
  async resume(): Promise<void> {
    await this.#try(() => beginTogether(this.#clients, this.#role));
  }

  async #try(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      throw decodeDatabaseError(error);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.close()));
  }

  /** The connection for sequential reads. */
  get first(): AuditLane {
    const [first] = this.#lanes;
    if (first === undefined) throw new Error("an audit reader has a connection");
    return first;
  }

  /** Gives each connection one part of the work after the other, as it becomes free. Throws the error of a part. */
  async each(parts: readonly ((lane: AuditLane) => Promise<void>)[]): Promise<void> {
    const next = parts.values();
    await Promise.all(
      this.#lanes.map(async (lane) => {
        for (const part of next) await part(lane);
      }),
    );
  }
}

/** Begins a transaction on each connection; all see the database at the same instant. */
async function beginTogether(clients: readonly pg.Client[], role: "selo_owner" | null): Promise<void> {
  let snapshot: string | null = null;
  for (const client of clients) {
    await client.query("begin isolation level repeatable read read only");
    if (snapshot === null) {
      const exported = await client.query<{ snapshot: string }>("select pg_export_snapshot() as snapshot");
      snapshot = exported.rows[0]?.snapshot ?? "";
    } else await client.query(`set transaction snapshot ${pg.escapeLiteral(snapshot)}`);
    await client.query(
      `set local work_mem = '${WORK_MEM}'; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`,
    );
    if (role !== null) await client.query(`set local role ${role}`);
  }
}

/** One of the connections. Its methods throw AppError as Database does, except for errors that `attempt` turns into faults. */
export class AuditLane {
  readonly #client: pg.Client;

  constructor(client: pg.Client) {
    this.#client = client;
  }

  close(): Promise<void> {
    return this.#client.end();
  }

  /**
   * Does a part of the work. An error that a damaged row causes becomes a fault: a verification that stops would report nothing.
   * @param what the subject of the fault, such as `the check platform.keys`
   * @returns null if there was such a fault
   */
  async attempt<Result>(
    checkName: string,
    what: string,
    onFault: (fault: AuditFault) => void,
    work: () => Promise<Result>,
  ): Promise<Result | null> {
    await this.#client.query("savepoint part");
    try {
      const result = await work();
      await this.#client.query("release savepoint part");
      return result;
    } catch (error) {
      if (!isOfTheData(error)) throw error;
      await this.#client.query("rollback to savepoint part; release savepoint part");
      // Only the code: Postgres' words repeat the value, and this line reaches logs.
      onFault({ ...NOWHERE, check_name: checkName, fault: `${what} cannot be made (${error.code})` });
      return null;
    }
  }

  /** The last seal up to which the worker verified the signatures of proofs; 0 for none. */
  async verifiedSeal(): Promise<number> {
    const [row] = await this.query<{ seal: number }>("select jobs.verified_seal() as seal");
    return row?.seal ?? 0;
  }

  /** All seals, the oldest first. */
  seals(): Promise<AuditSeal[]> {
    return this.query<AuditSeal>(
      `select number, sealed_at, evidence, platform_key_id, platform_signature, platform_pq_key_id, platform_signature_pq
       from jobs.audit_seals()`,
    );
  }

  /** Faults of the seals that show without looking at signatures or at organizations' trees. */
  async sealFaults(): Promise<readonly { readonly number: number; readonly fault: string }[]> {
    const faults = await this.query<{ number: number; fault: string }>(
      "select number, fault from jobs.audit_seal_faults()",
    );
    if (faults.length <= MOST_FAULTS) return faults;
    const last = { number: faults.at(-1)?.number ?? 0, fault: `there are more than ${MOST_FAULTS} faults of seals` };
    return [...faults.slice(0, MOST_FAULTS), last];
  }

  /** The organizations with chains under a seal. */
  async sealedOrganizations(): Promise<string[]> {
    const rows = await this.query<{ id: string }>("select jobs.sealed_organizations() as id");
    return rows.map(({ id }) => id);
  }

  /** The roots of an organization's tree, or (null) of the tree over the organizations, the oldest first. */
  trees(tenantId: string | null): Promise<AuditTree[]> {
    return this.query<AuditTree>("select seal_number, leaves, root from jobs.audit_trees($1)", [tenantId]);
  }

  /** Tables, indexes, policies, triggers, views, functions and rights from the catalog, in the form of `schema/database.sql`. */
  async structure(): Promise<string> {
    try {
      return await describeCatalog(this.#client);
    } catch (error) {
      throw isOfTheData(error) ? error : decodeDatabaseError(error);
    }
  }

  /** The platform keys of the database. */
  keys(): Promise<RecordedKey[]> {
    return this.query<RecordedKey>(
      `select key_id as "keyId", environment, algorithm, public_key as "publicKey" from jobs.platform_keys()`,
    );
  }

  /** Number of events that the seals cover. */
  async sealedEvents(tenantId: string | null): Promise<number> {
    const [row] = await this.query<{ events: number }>("select jobs.audit_sealed_events($1) as events", [tenantId]);
    return row?.events ?? 0;
  }

  /** All tasks of SQL, the walks first. */
  async tasks(tenantId: string | null): Promise<AuditTask[]> {
    const ranges = await this.query<AuditTask>("select service, name, range from jobs.audit_ranges($1)", [tenantId]);
    const checks = await this.query<AuditTask>("select service, name, null as range from jobs.audit_checks()");
    return [...ranges, ...checks];
  }

  /** Checks that the walks read every row. */
  async unreadRows(read: Readonly<Record<string, number>>, tenantId: string | null): Promise<AuditFault[]> {
    const [row] = await this.query<{ faults: AuditFault[] | null }>("select jobs.audit_unread_rows($1, $2) as faults", [
      JSON.stringify(read),
      tenantId,
    ]);
    return row?.faults ?? [];
  }

  /** Runs a task. */
  async run(task: AuditTask, tenantId: string | null): Promise<AuditFinding> {
    const { service, name, range } = task;
    if (range === null) {
      const [row] = await this.query<{ faults: AuditFault[] | null }>("select jobs.audit_check($1, $2, $3) as faults", [
        service,
        name,
        tenantId,
      ]);
      return { read: {}, faults: atMost(row?.faults ?? [], task) };
    }
    const [row] = await this.query<{ read: AuditFinding["read"] | null; faults: AuditFault[] | null }>(
      "select read, faults from jobs.audit_walk($1, $2, $3)",
      [service, name, JSON.stringify(range)],
    );
    return { read: row?.read ?? {}, faults: row?.faults ?? [] };
  }

  /** The leaves of such a tree in order, a page at a time. */
  async *leaves(tenantId: string | null): AsyncGenerator<readonly AuditLeaf[]> {
    await this.query(
      `declare leaves no scroll cursor for select version, seal_number, hash
       from jobs.audit_tree_leaves(${tenantId === null ? "null" : pg.escapeLiteral(tenantId)})`,
    );
    for (;;) {
      const rows = await this.query<AuditLeaf>(`fetch ${PAGE} from leaves`);
      if (rows.length === 0) break;
      yield rows;
    }
    await this.query("close leaves");
  }

  /** For the store of a service: reads rows that a walk passed. */
  async query<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    try {
      return (await this.#client.query(text, values)).rows as Row[];
    } catch (error) {
      throw isOfTheData(error) ? error : decodeDatabaseError(error);
    }
  }
}

/** If there are more faults, jobs.audit_check returns one more than this number. */
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
  seq: null,
  event_id: null,
} as const;

/**
 * Classes of SQLSTATE that a value written past all constraints can cause: too many rows, data
 * exceptions, program limits, damaged pages, and errors from a replaced column or function.
 */
function isOfTheData(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && /^(21|22|42(?!501)|54|XX001|XX002)/.test(error.code ?? "");
}
