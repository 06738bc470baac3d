import { z } from "zod";
import { nameserversOf } from "../../src/services/dns/nameserver/nameservers-of.ts";
import type { WorkerTask } from "../task.ts";
import type { WorkerContext } from "../worked-service.ts";

const payloadShape = z.object({ zone: z.string() });

/**
 * Has the nameservers forget their answers of a zone that changed. The gateway has done so already, unless it ended between its commit and
 * the flush, or a nameserver did not confirm. An attempt fails at once while a nameserver is late, which forgets everything before this process waits for it
 * again. When its attempts are over, no cache holds an old answer any more: src/services/dns/README.md, The nameserver.
 */
export function flushZoneOf(worker: WorkerContext): WorkerTask {
  const nameservers = nameserversOf(worker);
  return async (payload, { isLastAttempt, log }) => {
    const { zone } = payloadShape.parse(payload);
    const flushed = await nameservers.flush([zone]);
    if (flushed === null || flushed.confirmed === flushed.of) return;
    const told = `${flushed.confirmed} of ${flushed.of} nameservers confirmed that they forgot a zone`;
    if (!isLastAttempt) throw new Error(told);
    log.warn(told);
  };
}
