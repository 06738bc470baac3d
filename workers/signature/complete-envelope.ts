import { z } from "zod";
import type { WorkerHouse } from "../../src/service.ts";
import { PlatformSigners } from "../../src/services/platform/operations/platform-signers.ts";
import type { WorkerTask } from "../task.ts";

const payloadSchema = z.object({ tenant_id: z.uuid(), environment: z.enum(["live", "test"]), id: z.uuid() });
const prepared = z.object({ evidence: z.string(), key_id: z.string(), pq_key_id: z.string() }).nullable();
const recorded = z.object({ recorded: z.boolean() }).nullable();

/** An attempt fails only because an event came into the envelope's chain meanwhile, which a few events can do. */
const MOST_ATTEMPTS = 5;

/**
 * Completes an envelope whose participants have finished: both platform keys sign the evidence of its end. The tenth failure fails the envelope, and
 * `selo jobs retry` completes it then. An envelope that was completed or has ended ends the job quietly.
 */
export function completeEnvelope(signers: Pick<PlatformSigners, "seal">): WorkerTask {
  return async (payload, { jobs }) => {
    const { tenant_id: tenantId, environment, id } = payloadSchema.parse(payload);
    const place = { tenantId, environment } as const;

    const complete = async () => {
      for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
        const draft = prepared.parse(await jobs.call(place, "prepare_envelope_completion", { id }));
        if (draft === null) return;
        const { evidence, key_id, pq_key_id } = draft;
        const seal = await signers.seal(key_id, pq_key_id, Buffer.from(evidence, "utf8"));
        const answer = recorded.parse(
          await jobs.call(place, "record_envelope_completion", {
            id,
            evidence,
            platform_signature: seal.ed25519.toString("base64"),
            platform_signature_pq: seal.mlDsa87.toString("base64"),
          }),
        );
        if (answer === null || answer.recorded) return;
      }
      throw new Error("events came into the envelope's chain at each of the attempts");
    };

    try {
      await complete();
    } catch (error) {
      await jobs.call(place, "count_failed_completion", { id });
      throw error;
    }
  };
}

/** The task of a worker. */
export const loadCompleteEnvelope = ({ jobs, masterKeys, metrics }: WorkerHouse): WorkerTask =>
  completeEnvelope(new PlatformSigners(jobs, masterKeys, metrics));
