import { type SignatureMetrics, signatureMetrics } from "../../src/services/signature/metrics.ts";
import { overdueEnvelopes } from "../../src/services/signature/store.ts";
import type { WorkerTask } from "../task.ts";
import type { WorkerContext } from "../worked-service.ts";

/** A run ends before the next run is due; the next run does the rest. */
const MOST_MS = 55_000;

/** Ends the envelopes whose deadline has passed, each in its own transaction. An envelope that is completed meanwhile stays as it is. */
export const expireEnvelopes =
  (metrics: Pick<SignatureMetrics, "ended">): WorkerTask =>
  async (_payload, { jobs, log, stopping }) => {
    const deadline = performance.now() + MOST_MS;
    let expired = 0;
    for (;;) {
      const overdue = await overdueEnvelopes(jobs);
      let ended = 0;
      for (const { id, ...environment } of overdue) {
        if (stopping.aborted || performance.now() >= deadline) break;
        try {
          if ((await jobs.call(environment, "expire_envelope", { id })) === null) continue;
          ended++;
          metrics.ended(environment.environment, "expired");
        } catch (err) {
          // The others do not wait for this one. The next run tries again.
          log.error(
            { alarm: "envelope_does_not_expire", err, envelope: id },
            "an envelope past its deadline did not end",
          );
        }
      }
      expired += ended;
      // Without progress the same envelopes would come again.
      if (ended === 0 || stopping.aborted || performance.now() >= deadline) break;
    }
    if (expired > 0) log.info({ envelopes: expired }, "envelopes expired");
  };

/** The task of a worker. */
export const loadExpireEnvelopes = ({ metrics }: WorkerContext): WorkerTask =>
  expireEnvelopes(metrics.of(signatureMetrics));
