import type { Statements } from "./statements.ts";

/** Entries of the audit trail that no other statement writes. Throws AppError as Database does. */
export class AuditTrail {
  readonly #statements: Statements;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /** Called whenever a database is prepared: see platform.begin_audit. */
  async begin(): Promise<void> {
    await this.#statements.many("select platform.begin_audit()");
  }

  /** Records in the audit trail that this database was restored from a backup. */
  async recordRestore(takenAt: string, seloVersion: string): Promise<void> {
    await this.#statements.many("select platform.record_restore($1, $2)", [takenAt, seloVersion]);
  }

  /** @returns the number of events that had personal data */
  async erasePersonalData(tenantId: string, before: Date | null, eventId: string | null): Promise<number> {
    const { erased } = await this.#statements.one<{ erased: number }>(
      "select platform.erase_personal_data($1, $2, $3) as erased",
      [tenantId, before, eventId],
    );
    return erased;
  }
}
