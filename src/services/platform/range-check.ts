import type { AuditFault, AuditLane, AuditRange } from "../../postgres/audit-reader.ts";

/** What a check of ranges is told. */
export interface RangeCheckOptions {
  /** Number of a seal: what it covers is left out; 0 for nothing. */
  readonly since: number;
  /** Public keys by their names. */
  readonly keys: ReadonlyMap<string, Uint8Array>;
  readonly onFault: (fault: AuditFault) => void;
  /** Called for each signature whose key is not among them. */
  readonly onUnknownKey: (keyId: string) => void;
}

/** What SQL cannot verify of a range that a walk passed: signatures. Answers how many records it verified. */
export type RangeCheck = (lane: AuditLane, range: AuditRange, options: RangeCheckOptions) => Promise<number>;
