import type { MasterKeyring } from "../../adapters/crypto/master-keyring.ts";
import type { AuditFault, AuditLane, AuditRange } from "../audit-reader.ts";
import type { SqlOfService } from "../migrate/sql-source.ts";
import type { Operator } from "./operator.ts";

/** What work with the rights of the deployment's operator reads of a service: migrations, restores, new keys, and verifications of the audit trail. */
export interface OperatedService extends SqlOfService {
  /** Its columns of encrypted secrets: every bytea named sealed_…; a test compares the list with the database. */
  readonly sealedColumns?: () => Promise<readonly SealedColumn[]>;
  /** Checks of its records that SQL cannot make, by the audit walk that passes the records: `proofs` of `signature.audit_walk_proofs`. */
  readonly rangeChecks?: Readonly<Record<string, CountedCheck>>;
  /**
   * Called when a backup was restored. Makes its derived schemas again from the others, because a backup holds none of them; ends what must not outlive a restore. Can run again after a crash.
   * Answers lines for people: what it could not make. The keys are null if no master key is configured.
   */
  readonly rebuild?: (operator: Operator, masterKeys: MasterKeyring | null) => Promise<readonly string[]>;
  /** What `npm start` makes for the demo organization, by its member of demo.json: a credential of the service. */
  readonly demo?: Readonly<Record<string, (operator: Operator, organizationId: string) => Promise<string>>>;
}

/** A column of secrets that are encrypted under a master key. `selo keys reencrypt` works through the columns of all services. */
export interface SealedColumn {
  /** The table, with its schema. */
  readonly table: string;
  readonly column: string;
  /** The purpose that a row's value is encrypted for, made from the members of the row's primary key. */
  readonly purpose: (key: Readonly<Record<string, unknown>>) => string;
}

/** Options of a range check. */
export interface RangeCheckOptions {
  /** Number of a seal: records that it covers are left out; 0 leaves nothing out. */
  readonly since: number;
  /** Public keys by their names. */
  readonly keys: ReadonlyMap<string, Uint8Array>;
  readonly onFault: (fault: AuditFault) => void;
  /** Called for each signature whose key is not in `keys`. */
  readonly onUnknownKey: (keyId: string) => void;
}

/** A range check, and the word under which `selo audit verify` counts the records that it verifies. */
export interface CountedCheck {
  /** Plural, with underscores: `signed_records`. A member of the JSON that the command prints. */
  readonly counts: string;
  readonly load: () => Promise<RangeCheck>;
}

/** Checks what SQL cannot check in a range that a walk passed: signatures. Returns the number of records it verified. */
export type RangeCheck = (lane: AuditLane, range: AuditRange, options: RangeCheckOptions) => Promise<number>;
