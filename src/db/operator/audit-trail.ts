import type { Statements } from "./statements.ts";

export interface ChainReport {
  readonly events: number;
  readonly unsealed_events: number;
  readonly faults: readonly {
    readonly subject_type: string;
    readonly subject_id: string;
    readonly seq: number;
    readonly event_id: string | null;
    readonly fault: string;
  }[];
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

/** The audit trail: its chains, its seals, and what is written there that no other statement writes. Throws AppError as Database does. */
export class AuditTrail {
  readonly #statements: Statements;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /** From now on every write has its event; once, at the first preparation of a database. */
  async begin(): Promise<void> {
    await this.#statements.many("select platform.begin_audit()");
  }

  /** Ids of all that have or should have an audit trail, the platform's own nil UUID among them. */
  async tenants(): Promise<string[]> {
    const rows = await this.#statements.many<{ id: string }>("select platform.list_audited_tenants() as id order by 1");
    return rows.map(({ id }) => id);
  }

  /** What is wrong with the chains of an organization in one environment, how many events they have, and how many since the last seal. */
  async report(tenantId: string, environment: "live" | "test"): Promise<ChainReport> {
    return this.#statements.one<ChainReport>(
      "select events, unsealed_events, faults from platform.audit_report($1, $2)",
      [tenantId, environment],
    );
  }

  /** All seals of the audit trail, the oldest first. */
  seals(): Promise<AuditSeal[]> {
    return this.#statements.many<AuditSeal>(
      `select number, sealed_at, evidence, platform_key_id, platform_signature, platform_pq_key_id, platform_signature_pq
       from platform.audit_seals order by number`,
    );
  }

  sealFaults(): Promise<{ readonly number: number; readonly fault: string }[]> {
    return this.#statements.many("select number, fault from platform.audit_seal_faults() order by number");
  }

  /** Says in the audit trail that this database was restored from a backup. */
  async recordRestore(takenAt: string, seloVersion: string): Promise<void> {
    await this.#statements.many("select platform.record_restore($1, $2)", [takenAt, seloVersion]);
  }

  /** @returns how many events had personal data */
  async erasePersonalData(tenantId: string, before: Date | null, eventId: string | null): Promise<number> {
    const { erased } = await this.#statements.one<{ erased: number }>(
      "select platform.erase_personal_data($1, $2, $3) as erased",
      [tenantId, before, eventId],
    );
    return erased;
  }
}
