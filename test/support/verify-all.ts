import type { AuditFault } from "../../src/postgres/audit-reader.ts";
import type { Operator } from "../../src/postgres/operator/operator.ts";
import {
  type AuditReport,
  type VerifyAuditOptions,
  verifyAudit,
} from "../../src/services/platform/operations/verify-audit.ts";
import { services } from "../../src/services/services.ts";

export interface Verified extends Omit<AuditReport, "faults"> {
  /** In the order of organizations, subjects and places. */
  readonly faults: readonly AuditFault[];
}

/** What `selo audit verify` does, with its faults in one list. */
export async function verifyAll(
  operator: Operator,
  options: Omit<VerifyAuditOptions, "services" | "onFault" | "onProgress"> &
    Partial<Pick<VerifyAuditOptions, "services">> = {},
): Promise<Verified> {
  const faults: AuditFault[] = [];
  const reader = await operator.openAudit();
  try {
    const report = await verifyAudit(reader, { services, ...options, onFault: (fault) => faults.push(fault) });
    const placed = faults.map((fault, found) => ({ fault, found, name: nameOf(fault) }));
    placed.sort((left, right) => (left.name < right.name ? -1 : left.name > right.name ? 1 : left.found - right.found));
    return { ...report, faults: placed.map(({ fault }) => fault) };
  } finally {
    await reader.close();
  }
}

function nameOf({ subject_id, environment, seq }: AuditFault): string {
  return [subject_id ?? "", environment ?? "", String(seq).padStart(20, "0")].join(" ");
}
