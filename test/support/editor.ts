// A superuser's edits, each looked at by the part of the verification that must find it.
import type pg from "pg";
import { expect } from "vitest";
import { type AuditFault, AuditLane, type AuditReader, type AuditTask } from "../../src/postgres/audit-reader.ts";
import { verifyAudit } from "../../src/services/platform/audit/verify-audit.ts";
import { services } from "../../src/services/services.ts";
import type { TestDatabase } from "./database.ts";
import type { Edit } from "./tamper.ts";

/** Parts of the verification that find faults under another name than their own. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  signed_records: ["signed_records", "signature_records"],
  codes: ["registrations"],
  seals: [],
  signatures: services.flatMap(({ rangeChecks = {} }) => Object.keys(rangeChecks)),
};
/** What TypeScript finds, beside the tasks of SQL. */
const BESIDE_TASKS: ReadonlySet<string> = new Set(["seals", "signatures"]);

/** A connection with some of the tasks alone. */
class PartialLane extends AuditLane {
  parts: readonly string[] = [];

  override async tasks(tenantId: string | null): Promise<AuditTask[]> {
    return (await super.tasks(tenantId)).filter(({ name }) => this.parts.includes(name));
  }

  override async unreadRows(): Promise<AuditFault[]> {
    return [];
  }
}

/** On one connection, for many edits: one that lifted the triggers for each of them would plan every check anew. */
export class Editor {
  readonly #client: pg.PoolClient;
  readonly #lane: PartialLane;
  /** Those that look at whole tables, whatever is in them. */
  readonly #checks: readonly AuditTask[];
  /** By table, of which subject type its rows are part, and the records of that type before any edit. */
  readonly #records = new Map<string, { readonly type: string; readonly before: string | null }>();

  private constructor(client: pg.PoolClient, lane: PartialLane, checks: readonly AuditTask[]) {
    this.#client = client;
    this.#lane = lane;
    this.#checks = checks;
  }

  static async open(database: TestDatabase): Promise<Editor> {
    const client = await database.admin.connect();
    await client.query("set session_replication_role = replica");
    await client.query("begin; set local role selo_owner");
    const lane = new PartialLane(client);
    const { rows } = await client.query<AuditTask>("select service, name, null as range from jobs.audit_checks()");
    await client.query("rollback");
    return new Editor(client, lane, rows);
  }

  close(): void {
    this.#client.release(true);
  }

  /** What a check finds in the transaction of an edit of one row, of which nothing stays. */
  foundBy(checkName: string, edit: Edit): Promise<readonly AuditFault[]> {
    return this.#with(edit, async () => {
      await this.#client.query("set local role selo_owner");
      this.#lane.parts = PARTS[checkName] ?? [checkName];
      return BESIDE_TASKS.has(checkName) ? this.#verify() : this.#runTasks(checkName);
    });
  }

  /**
   * Whether the check of records finds an edit, by what it compares: a record of the kind that the table's rows are part of has another
   * digest than before. At the first edit of each table the check itself looks, and says of which kind they are.
   */
  async isFoundInRecords(table: string, edit: Edit): Promise<boolean> {
    const known = this.#records.get(table);
    if (known !== undefined && (await this.#with(edit, () => this.#recordsOf(known.type))) !== known.before)
      return true;
    const faults = (await this.foundBy("records", edit)).filter(({ check_name }) => check_name === "records");
    const [type, ...more] = new Set(faults.map(({ subject_type }) => subject_type));
    if (type === undefined) return false;
    if (more.length === 0)
      this.#records.set(table, { type, before: await this.#with(null, () => this.#recordsOf(type)) });
    return true;
  }

  async #with<Result>(edit: Edit | null, work: () => Promise<Result>): Promise<Result> {
    await this.#client.query("begin");
    try {
      if (edit !== null) expect((await this.#client.query(...edit)).rowCount).toBe(1);
      return await work();
    } finally {
      await this.#client.query("rollback");
    }
  }

  async #runTasks(checkName: string): Promise<AuditFault[]> {
    const faults: AuditFault[] = [];
    const onFault = (fault: AuditFault) => void faults.push(fault);
    const { parts } = this.#lane;
    const checks = this.#checks.filter(({ name }) => parts.includes(name));
    // Where a walk begins and ends depends on the rows.
    const tasks =
      checks.length === parts.length
        ? checks
        : await this.#lane.attempt(checkName, "the list of checks", onFault, () => this.#lane.tasks(null));
    for (const task of tasks ?? []) {
      const finding = await this.#lane.attempt(task.name, task.name, onFault, () => this.#lane.run(task, null));
      faults.push(...(finding?.faults ?? []));
    }
    return faults;
  }

  async #verify(): Promise<AuditFault[]> {
    const faults: AuditFault[] = [];
    const lane = this.#lane;
    const reader: Pick<AuditReader, "first" | "each"> = {
      first: lane,
      each: async (parts) => {
        for (const part of parts) await part(lane);
      },
    };
    await verifyAudit(reader as AuditReader, { services, onFault: (fault) => faults.push(fault) });
    return faults;
  }

  /** The records of a kind with their digests, as text; null where an edit keeps them from being read. */
  async #recordsOf(type: string): Promise<string | null> {
    const { rows } = await this.#client
      .query<{ records: string }>(
        "select coalesce(string_agg(kept::text, E'\\n' order by kept::text), '') as records from platform.records_of($1, null) as kept",
        [type],
      )
      .catch(() => ({ rows: [] }));
    return rows[0]?.records ?? null;
  }
}
