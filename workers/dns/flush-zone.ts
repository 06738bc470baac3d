import { z } from "zod";
import type { Config } from "../../src/config.ts";
import { flushZone } from "../../src/services/dns/nameserver/flush-zone.ts";
import type { WorkerTask } from "../task.ts";

const payloadShape = z.object({ zone: z.string() });

/**
 * Has the nameservers forget their answers of a zone that changed. The gateway has done so already, unless it ended between its commit and
 * the flush, or a nameserver did not confirm. When its attempts are over, no cache holds an old answer any more: src/services/dns/README.md, The nameserver.
 */
export const flushZoneOf =
  (config: Config): WorkerTask =>
  async (payload, { isLastAttempt, log }) => {
    const { zone } = payloadShape.parse(payload);
    const flushed = await flushZone(config, zone);
    if (flushed === null || flushed.confirmed === flushed.of) return;
    const told = `${flushed.confirmed} of ${flushed.of} nameservers confirmed that they forgot a zone`;
    if (!isLastAttempt) throw new Error(told);
    log.warn(told);
  };
