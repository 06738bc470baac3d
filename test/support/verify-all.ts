import type { AuditFault, AuditReader } from "../../src/postgres/audit-reader.ts";
import type { Operator } from "../../src/postgres/operator/operator.ts";
import {
  type AuditReport,
  type VerifyAuditOptions,
  verifyAudit,
} from "../../src/services/platform/audit/verify-audit.ts";
import { services } from "../../src/services/services.ts";

export interface Verified extends Omit<AuditReport, "faults"> {
  /** In the order of organizations, subjects and places. */
  readonly faults: readonly AuditFault[];
}

type Options = Omit<VerifyAuditOptions, "services" | "onFault" | "onProgress"> &
  Partial<Pick<VerifyAuditOptions, "services">>;

/**
 * The readers that wait for the next verification: the connections of another one would plan everything anew, which is most of what a small one costs. They end
 * with their database.
 */
const idle = new WeakMap<Operator, AuditReader>();

/** What `selo audit verify` does, with its faults in one list. */
export async function verifyAll(operator: Operator, options: Options = {}): Promise<Verified> {
  const waiting = idle.get(operator);
  idle.delete(operator);
  const reader = waiting ?? (await operator.openAudit());
  try {
    await waiting?.resume();
    const verified = await verifyWith(reader, options);
    await reader.pause();
    if (idle.has(operator)) await reader.close();
    else idle.set(operator, reader);
    return verified;
  } catch (error) {
    await reader.close();
    throw error;
  }
}

/** The same with a reader that is there. */
export async function verifyWith(reader: AuditReader, options: Options = {}): Promise<Verified> {
  const faults: AuditFault[] = [];
  const report = await verifyAudit(reader, { services, ...options, onFault: (fault) => faults.push(fault) });
  const placed = faults.map((fault, found) => ({ fault, found, name: nameOf(fault) }));
  placed.sort((left, right) => (left.name < right.name ? -1 : left.name > right.name ? 1 : left.found - right.found));
  return { ...report, faults: placed.map(({ fault }) => fault) };
}

function nameOf({ subject_id, environment, seq }: AuditFault): string {
  return [subject_id ?? "", environment ?? "", String(seq).padStart(20, "0")].join(" ");
}
