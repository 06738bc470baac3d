import { z } from "zod";
import type { FairSlots } from "../../src/adapters/fair-slots.ts";
import { checkPdf } from "../../src/adapters/pdf-check/check-pdf.ts";
import { type ObjectStore, StorageError } from "../../src/adapters/storage/object-store.ts";
import { DataKeys } from "../../src/services/signature/documents/data-keys.ts";
import { readContent } from "../../src/services/signature/documents/document-content.ts";
import { type SignatureMetrics, signatureMetrics } from "../../src/services/signature/metrics.ts";
import type { WorkerTask } from "../task.ts";
import type { WorkerContext } from "../worked-service.ts";
import { pdfSlots } from "./pdf-slots.ts";

const payloadSchema = z.object({ tenant_id: z.uuid(), environment: z.enum(["live", "test"]), id: z.uuid() });
const taken = z.object({ object_id: z.uuid() }).nullable();
const ended = z.object({ goes_on: z.boolean() }).nullable();

/** Milliseconds that a job waits for its turn. It then makes room for other jobs, and comes back. */
const TURN_MS = 250;
/** Seconds until a check that found no turn, or whose checker died, is tried again. */
const AGAIN_SECONDS = 5;

/** What a check tells the database. */
interface Outcome {
  readonly status: "ready" | "quarantined" | "failed" | "died";
  readonly reason?: string;
  readonly pages?: unknown;
  readonly is_signed?: boolean;
  readonly is_certified?: boolean;
}

/**
 * Goes on with the check of a document whose upload was answered before its end. A document that is gone or checked ends the job quietly.
 * A checker that dies is tried again; the third time the document fails.
 */
export function checkDocument(
  objects: ObjectStore,
  dataKeys: DataKeys,
  slots: FairSlots,
  metrics: Pick<SignatureMetrics, "checked">,
): WorkerTask {
  return async (payload, { jobs, log, stopping }) => {
    const { tenant_id: tenantId, environment, id } = payloadSchema.parse(payload);
    const place = { tenantId, environment } as const;
    const again = () => jobs.call(place, "continue_document_check", { id, seconds: AGAIN_SECONDS });

    const check = async () => {
      const begun = taken.parse(await jobs.call(place, "begin_document_check", { id }));
      if (begun === null) return;
      const outcome = await outcomeOf(begun.object_id).catch(async (error: unknown) => {
        await jobs.call(place, "end_document_check", { id, status: "given back" });
        throw error;
      });
      const end = ended.parse(await jobs.call(place, "end_document_check", { id, ...outcome }));
      if (end?.goes_on) await again();
      else if (end !== null) metrics.checked(environment, outcome.status === "died" ? "failed" : outcome.status);
    };

    const outcomeOf = async (objectId: string): Promise<Outcome> => {
      const dataKey = await dataKeys.ofEnvironment(jobs, place);
      if (dataKey === null) throw new Error(`the environment of document ${id} has no data key`);
      try {
        const verdict = await checkPdf(readContent(objects, dataKey, objectId), { signal: stopping }).deep;
        if (verdict.verdict === "ready")
          return {
            status: "ready",
            pages: verdict.pages,
            is_signed: verdict.signed === true,
            is_certified: verdict.certified === true,
          };
        if (verdict.verdict === "quarantined") return { status: "quarantined", reason: verdict.reason };
        // The upload was answered: it can no longer be refused.
        if (verdict.verdict === "unprocessable") return { status: "failed", reason: "unprocessable_pdf" };
        log.warn({ document: id, detail: verdict.detail }, "the check of a document ended without a result");
      } catch (error) {
        // The storage may come back. Content that is lost or was altered does not.
        if (!(error instanceof StorageError) || (error.reason !== "missing" && error.reason !== "altered")) throw error;
        log.error({ alarm: "document_content_lost", document: id, reason: error.reason }, error.message);
      }
      return { status: "died" };
    };

    // Waiting here would keep other jobs from running.
    const patience = AbortSignal.timeout(TURN_MS);
    let began = false;
    const turn = () => {
      began = true;
      return check();
    };
    await slots.run(tenantId, turn, patience).catch(async (error: unknown) => {
      if (began) throw error;
      await again();
    });
  };
}

/** The task of a worker. Checks share their turns with the seals of envelopes. */
export function loadCheckDocument({ objects, masterKeys, metrics }: WorkerContext): WorkerTask {
  return checkDocument(objects, new DataKeys(masterKeys), pdfSlots, metrics.of(signatureMetrics));
}
