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

/** What `selo audit verify` does, with its faults in one list. */
export async function verifyAll(operator: Operator, options: Options = {}): Promise<Verified> {
  const reader = await operator.openAudit();
  try {
    return await verifyWith(reader, options);
  } finally {
    await reader.close();
  }
}

/** Many verifications, one after the other, with one reader: the connections of another one would plan everything anew. */
export class Verifications {
  readonly #operator: Operator;
  #reader: AuditReader | null = null;

  constructor(operator: Operator) {
    this.#operator = operator;
  }

  async verifyAll(options: Options = {}): Promise<Verified> {
    if (this.#reader === null) this.#reader = await this.#operator.openAudit();
    else await this.#reader.resume();
    const verified = await verifyWith(this.#reader, options);
    await this.#reader.pause();
    return verified;
  }

  async close(): Promise<void> {
    await this.#reader?.close();
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
