import type { FairSlots } from "../../../adapters/fair-slots.ts";
import type { PdfRenderer } from "../../../adapters/pdf/pdf-renderer.ts";
import { WorkThreadBusyError } from "../../../adapters/threads/work-thread.ts";
import type { SiteOperator } from "../../../config/config.ts";
import { unavailable } from "../../../errors/app-error.ts";
import { checkSeal } from "../proofs/check-seal.ts";
import type { PdfSealer } from "./pdf-sealer.ts";
import { type PreparedReport, reportContent } from "./prepared-report.ts";

/** Most reports that are made or wait, and most of one organization: each holds the events of an envelope in memory. */
const MOST_ASKED = 50;
const MOST_OF_ONE = 10;

/** What reports are made with. */
export interface ReportParts {
  readonly renderer: PdfRenderer;
  readonly sealer: Pick<PdfSealer, "seal">;
  /** One report for each core at once, and half of them for one organization: each starts a process that seals. */
  readonly slots: FairSlots;
  readonly operator: SiteOperator;
}

/** Makes evidence reports: checks what is in them, renders and seals. */
export class ReportMaker {
  readonly #parts: ReportParts;
  #asked = 0;
  readonly #askedBy = new Map<string, number>();

  constructor(parts: ReportParts) {
    this.#parts = parts;
  }

  /**
   * The same envelope gives the same bytes while nothing happens in it, and while language, time zone, operator and certificate stay the same.
   * @throws AppError 503 while too many reports are asked for; Error if a signature does not verify
   */
  async make(prepared: PreparedReport): Promise<{ readonly pdf: Buffer; readonly fileName: string }> {
    const { tenant_id: tenantId } = prepared;
    const ofOne = this.#askedBy.get(tenantId) ?? 0;
    if (this.#asked >= MOST_ASKED || ofOne >= MOST_OF_ONE)
      throw unavailable(new WorkThreadBusyError("too many reports are being made"));
    this.#count(tenantId, 1);
    try {
      return await this.#parts.slots.run(tenantId, () => this.#made(prepared));
    } finally {
      this.#count(tenantId, -1);
    }
  }

  #count(tenantId: string, change: 1 | -1): void {
    this.#asked += change;
    const asked = (this.#askedBy.get(tenantId) ?? 0) + change;
    if (asked > 0) this.#askedBy.set(tenantId, asked);
    else this.#askedBy.delete(tenantId);
  }

  async #made(prepared: PreparedReport): Promise<{ readonly pdf: Buffer; readonly fileName: string }> {
    const { renderer, sealer, operator } = this.#parts;
    await refuseFaults(prepared);
    const content = reportContent(prepared, operator);
    const pdf = await renderer.render(content).catch((error: unknown) => {
      throw error instanceof WorkThreadBusyError ? unavailable(error) : error;
    });
    const code = content.verificationCode;
    const last = content.steps.at(-1) ?? content.steps[0];
    const sealed = await sealer.seal({
      pdf,
      environment: prepared.environment,
      at: new Date(last.at.utc),
      reason: `Envelope ${code}`,
    });
    return { pdf: sealed, fileName: `report-${code}.pdf` };
  }
}

/**
 * Somebody changed the database: this is a server error and is logged. Nobody gets a report with false facts.
 * @throws Error
 */
export async function refuseFaults({
  envelope,
  fault,
  records,
  completion,
  platform_keys,
}: PreparedReport): Promise<void> {
  if (fault !== null) throw new Error(`envelope ${envelope.id} gets no report: ${fault}`);
  for (const { record, signed } of completion === null ? records : [...records, completion]) {
    const seal = await checkSeal({ proof: record, platform_keys, signed, fault: null });
    if (!seal.valid) throw new Error(`record ${record.id} of envelope ${envelope.id} does not verify`);
  }
}
