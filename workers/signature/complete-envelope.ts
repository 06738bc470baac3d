import { z } from "zod";
import type { FairSlots } from "../../src/adapters/fair-slots.ts";
import { Unsealable } from "../../src/adapters/pdf-seal/sealing-failed.ts";
import { type ObjectStore, StorageError } from "../../src/adapters/storage/object-store.ts";
import { TimeStampFailed } from "../../src/adapters/time-stamp/time-stamp-failed.ts";
import { ConfigError } from "../../src/config/config.ts";
import { AppError } from "../../src/errors/app-error.ts";
import { PlatformSigners } from "../../src/services/platform/keys/platform-signers.ts";
import { DataKeys } from "../../src/services/signature/documents/data-keys.ts";
import { type FinalDocument, sealDocument, toSeal } from "../../src/services/signature/envelopes/final-documents.ts";
import { PdfSealer } from "../../src/services/signature/envelopes/pdf-sealer.ts";
import { sealerSettings } from "../../src/services/signature/envelopes/sealer-settings.ts";
import { type SignatureMetrics, signatureMetrics } from "../../src/services/signature/metrics.ts";
import type { WorkerTask } from "../task.ts";
import type { WorkerContext } from "../worked-service.ts";
import { pdfSlots } from "./pdf-slots.ts";

const payloadSchema = z.object({ tenant_id: z.uuid(), environment: z.enum(["live", "test"]), id: z.uuid() });
const prepared = z.object({ evidence: z.string(), key_id: z.string(), pq_key_id: z.string() }).nullable();
const recorded = z.object({ recorded: z.boolean() }).nullable();
const ended = z.object({ failed: z.boolean() });

/** An attempt fails only because an event came into the envelope's chain meanwhile, which a few events can do. */
const MOST_ATTEMPTS = 5;

/** Milliseconds that a completion waits for its turn while another one waits already. */
const TURN_MS = 250;
/** Seconds until a completion that found no turn is tried again. */
const AGAIN_SECONDS = 1;

/** What a completion works with. */
export interface CompletionParts {
  readonly signers: Pick<PlatformSigners, "seal">;
  readonly sealer: Pick<PdfSealer, "sealFinal">;
  readonly objects: ObjectStore;
  readonly dataKeys: DataKeys;
  /** How many PDFs are sealed at once, and whose. */
  readonly slots: FairSlots;
  readonly metrics: Pick<SignatureMetrics, "ended">;
}

/**
 * Completes an envelope whose participants have finished: each document is sealed from its original, and both platform keys sign the evidence of
 * the end, with the digests of the sealed PDFs. A PDF that cannot be sealed fails the envelope at once, any other fault at the last attempt;
 * `selo jobs retry` completes it then. An envelope that was completed or has ended ends the job quietly.
 */
export function completeEnvelope({ signers, sealer, objects, dataKeys, slots, metrics }: CompletionParts): WorkerTask {
  /** Those of this worker that wait for their turn, however long it takes. */
  const waiting = new Set<object>();
  return async (payload, { jobs, log, stopping }) => {
    const { tenant_id: tenantId, environment, id } = payloadSchema.parse(payload);
    const place = { tenantId, environment } as const;

    // Nothing names these objects until the envelope is completed. What a killed worker leaves, the sweep of objects removes.
    const finals: Record<string, FinalDocument> = {};
    const discard = async () => {
      for (const { object_id } of Object.values(finals)) await objects.remove(object_id);
    };

    /** Whether each of the sealed PDFs has a time stamp, as the evidence says it; null for an envelope that waits for no seal. */
    const sealAll = async (): Promise<"none" | "valid" | null> => {
      const given = toSeal.parse(await jobs.call(place, "documents_to_seal", { id }));
      if (given === null) return null;
      const dataKey = await dataKeys.ofEnvironment(jobs, place);
      if (dataKey === null) throw new Error(`the environment of envelope ${id} has no data key`);
      let timestamp: "none" | "valid" = "valid";
      for (const document of given.documents) {
        // After the first one that is missing nobody waits for the others: the evidence says `none` of all.
        const asks = timestamp === "valid";
        const stored = await sealDocument({ objects, sealer, dataKey, environment }, given, document, asks, stopping);
        finals[document.id] = stored.final;
        timestamp = stored.timestamp;
        if (stored.fault !== null) log.warn({ err: stored.fault, id }, "a seal has no time stamp");
      }
      return timestamp;
    };

    /** From then on the database may name the objects, even if its answer is lost. */
    let isRecording = false;
    const complete = async () => {
      const timestamp = await sealAll();
      if (timestamp === null) return;
      for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
        const sealed = { id, documents: finals, timestamp };
        const draft = prepared.parse(await jobs.call(place, "prepare_envelope_completion", sealed));
        if (draft === null) return discard();
        const { evidence, key_id, pq_key_id } = draft;
        const seal = await signers.seal(key_id, pq_key_id, Buffer.from(evidence, "utf8"));
        isRecording = true;
        const answer = recorded.parse(
          await jobs.call(place, "record_envelope_completion", {
            ...sealed,
            evidence,
            platform_signature: seal.ed25519.toString("base64"),
            platform_signature_pq: seal.mlDsa87.toString("base64"),
          }),
        );
        isRecording = false;
        if (answer === null) return discard();
        if (answer.recorded) return metrics.ended(environment, "completed");
      }
      throw new Error("events came into the envelope's chain at each of the attempts");
    };

    const attempt = async () => {
      // Counted before: a PDF that kills this very process would else be tried for ever.
      const { failed: isSpent } = ended.parse(await jobs.call(place, "begin_completion", { id }));
      if (isSpent) {
        metrics.ended(environment, "failed");
        throw new Error("the completion has no attempts left, and a worker died in the last one");
      }
      try {
        await complete();
      } catch (error) {
        // The error that matters is the first. A worker that stops is no fault of the envelope either.
        if (!isRecording) await discard().catch(() => {});
        const counts = !stopping?.aborted && !isOfInstallation(error);
        const reason = error instanceof Unsealable ? "unsealable" : "completion_failed";
        const { failed } = ended.parse(await jobs.call(place, "end_failed_completion", { id, counts, reason }));
        if (failed) metrics.ended(environment, "failed");
        throw error;
      }
    };

    // One completion at a time may wait for its turn: more would keep other jobs from running. The others come back.
    const turn = {};
    const isFirst = waiting.size === 0;
    // Our own timer: AbortSignal.any keeps no signal of AbortSignal.timeout alive, and the wait would have no end.
    const patience = new AbortController();
    const timer = isFirst ? undefined : setTimeout(() => patience.abort(), TURN_MS);
    const signals = [stopping, patience.signal].filter((signal) => signal != null);
    if (isFirst) waiting.add(turn);
    let began = false;
    const begin = () => {
      began = true;
      waiting.delete(turn);
      return attempt();
    };
    await slots
      .run(tenantId, begin, AbortSignal.any(signals))
      .catch(async (error: unknown) => {
        if (began || stopping?.aborted) throw error;
        await jobs.call(place, "continue_completion", { id, seconds: AGAIN_SECONDS });
      })
      .finally(() => {
        clearTimeout(timer);
        waiting.delete(turn);
      });
  };
}

/** A storage, a database or a required time-stamp authority that is away, and a certificate that cannot be used, are no faults of the envelope: its job is added anew until they are mended. */
const isOfInstallation = (error: unknown) =>
  error instanceof ConfigError ||
  error instanceof TimeStampFailed ||
  (error instanceof StorageError && ["away", "full"].includes(error.reason)) ||
  (error instanceof AppError && error.status === 503);

/** The task of a worker. Seals share their turns with the checks of uploads. */
export async function loadCompleteEnvelope({
  jobs,
  masterKeys,
  metrics,
  objects,
  config,
}: WorkerContext): Promise<WorkerTask> {
  const sealer = new PdfSealer(jobs, masterKeys, { metrics, ...sealerSettings(config) });
  // A worker that cannot seal does not start: its completions would fail, one after the other.
  await sealer.check();
  return completeEnvelope({
    signers: new PlatformSigners(jobs, masterKeys, metrics),
    sealer,
    objects,
    dataKeys: new DataKeys(masterKeys),
    slots: pdfSlots,
    metrics: metrics.of(signatureMetrics),
  });
}
