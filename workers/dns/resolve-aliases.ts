import { setTimeout as sleep } from "node:timers/promises";
import { askTarget } from "../../src/adapters/resolver/ask-target.ts";
import { PublicDns } from "../../src/adapters/resolver/public-dns.ts";
import type { Config } from "../../src/config.ts";
import {
  claimAliasNews,
  claimAliasTargets,
  endAliasNews,
  recordAliasTarget,
  settleAliasesOf,
} from "../../src/services/dns/alias-store.ts";
import { flushZone } from "../../src/services/dns/nameserver/flush-zone.ts";
import type { TaskContext, WorkerTask } from "../task.ts";

/** A run ends before the next run is due; the next run does the rest. */
const MOST_MS = 55_000;
/** As many targets as the public DNS is asked for at once. */
const LANES = 50;
/** Changes that are followed together. */
const MOST_NEWS = 200;
/** Until a zone that was being changed is tried again. */
const BUSY_MS = 1_600;

/** What a run works with. */
export interface ResolveAliasesOptions {
  readonly publicDns: PublicDns;
  /** Has the nameservers forget a zone. */
  readonly flush: (zone: string) => Promise<unknown>;
}

/** The task of a worker. */
export const resolveAliasesOf = (config: Config): WorkerTask => {
  const { dnsResolvers, dnsLoopbackPort } = config;
  const resolvers = dnsResolvers ? { resolvers: dnsResolvers } : {};
  return resolveAliases({
    publicDns: new PublicDns({ ...resolvers, loopbackPort: dnsLoopbackPort, atOnce: LANES }),
    flush: (zone) => flushZone(config, zone),
  });
};

/**
 * Asks the public DNS for the targets of ALIAS records that are due, and has the names that lead there follow. No transaction is open while the
 * public DNS is asked, or the nameservers are told. What a worker claimed and did not finish, because it was killed, another claims after a minute.
 */
export function resolveAliases({ publicDns, flush }: ResolveAliasesOptions): WorkerTask {
  return async (_payload, context) => {
    const { jobs, log, stopping } = context;
    const deadline = performance.now() + MOST_MS;
    const isOver = () => stopping.aborted || performance.now() >= deadline;
    while (!isOver()) {
      const { claimed, isBusy } = await follow(context, flush);
      const due = await claimAliasTargets(jobs, LANES);
      if (due.length === 0 && claimed === 0) return;
      if (due.length === 0 && isBusy) await sleep(BUSY_MS, undefined, { signal: stopping }).catch(() => {});
      await Promise.all(
        due.map(async ({ name, began }) => {
          try {
            const answers = await publicDns.task((asking) => askTarget(asking, name));
            await recordAliasTarget(jobs, name, began, answers);
          } catch (err) {
            // The others do not wait for this one. It is due again in a minute.
            log.error({ err }, "the target of an ALIAS could not be resolved");
          }
        }),
      );
    }
  };
}

/** Has ALIAS names follow changes, one zone after the other, because names of two zones may lead to each other. */
async function follow(
  { jobs, log }: TaskContext,
  flush: ResolveAliasesOptions["flush"],
): Promise<{ readonly claimed: number; readonly isBusy: boolean }> {
  const { ids, followers } = await claimAliasNews(jobs, MOST_NEWS);
  let [isBusy, isFailed] = [false, false];
  for (const follower of followers) {
    try {
      const { zone, is_busy } = await settleAliasesOf(jobs, follower);
      isBusy ||= is_busy;
      if (zone !== null) await flush(zone);
    } catch (err) {
      // The others do not wait for this one. All are due again in a minute.
      isFailed = true;
      log.error({ err, zone: follower.zone_id }, "ALIAS names did not follow a change");
    }
  }
  if (ids.length > 0 && !isFailed) await endAliasNews(jobs, ids);
  return { claimed: ids.length, isBusy };
}
