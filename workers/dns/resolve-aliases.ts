import { setTimeout as sleep } from "node:timers/promises";
import { askTarget } from "../../src/adapters/resolver/ask-target.ts";
import type { PublicDns } from "../../src/adapters/resolver/public-dns.ts";
import {
  claimAliases,
  claimAliasTargets,
  noteAliasFollowers,
  recordAliasTarget,
  settleAliasesOf,
} from "../../src/services/dns/aliases/alias-store.ts";
import { publicDnsOf } from "../../src/services/dns/delegation/public-dns-of.ts";
import { nameserversOf } from "../../src/services/dns/nameserver/nameservers-of.ts";
import type { TaskContext, WorkerTask } from "../task.ts";
import type { WorkerContext } from "../worked-service.ts";

/** A run ends before the next run is due; the next run does the rest. */
const MOST_MS = 55_000;
/** As many targets as the public DNS is asked for at once. */
const LANES = 50;
/** The time for a target that did not answer last time. So one worker asks for some 1,500 such targets a minute. */
const FAILING_MS = 2_000;
/** Changes that are written down for those that follow them, and ALIAS names that are claimed, together. Names of one zone follow in one transaction, which holds the zones on their way. */
const MOST_CHANGES = 100;
const MOST_NAMES = 100;
/** Until a zone that was being changed is tried again. */
const BUSY_MS = 1_600;
/** Until names are looked for that follow what the public DNS said meanwhile, or that somebody else was settling: those are due again by then. */
const IDLE_MS = 50;

/** What a run works with. */
export interface ResolveAliasesOptions {
  /** For targets that answered last time, and new ones. */
  readonly publicDns: PublicDns;
  /** For the others: those who wait for an answer that does not come delay nobody else. */
  readonly failingDns: PublicDns;
  /** Has the nameservers forget zones. */
  readonly flush: (zones: readonly string[]) => Promise<unknown>;
}

/** The task of a worker. */
export const resolveAliasesOf = (worker: WorkerContext): WorkerTask => {
  const { config } = worker;
  const nameservers = nameserversOf(worker);
  return resolveAliases({
    publicDns: publicDnsOf(config, { atOnce: LANES }),
    failingDns: publicDnsOf(config, { atOnce: LANES, taskMs: FAILING_MS }),
    flush: (zones) => nameservers.flush(zones),
  });
};

/**
 * Asks the public DNS for the targets of ALIAS records that are due, and has the names that lead there follow. No transaction is open while the
 * public DNS is asked, or the nameservers are told. What a worker claimed and did not finish, because it was killed, another claims after a minute.
 */
export function resolveAliases({ publicDns, failingDns, flush }: ResolveAliasesOptions): WorkerTask {
  return async (_payload, context) => {
    const { stopping } = context;
    const deadline = performance.now() + MOST_MS;
    const isOver = () => stopping.aborted || performance.now() >= deadline;
    // Names that followed may lead to targets that are new.
    while (!isOver()) {
      const asking = Promise.all([ask(context, publicDns, false, isOver), ask(context, failingDns, true, isOver)]);
      const [followed] = await Promise.all([followWhile(asking, context, flush, isOver), asking]);
      if (followed === 0) return;
    }
  };
}

/** Has ALIAS names follow what is said meanwhile, until nothing is left. Answers how much there was: changes, and zones that followed. */
async function followWhile(
  asking: Promise<unknown>,
  context: TaskContext,
  flush: ResolveAliasesOptions["flush"],
  isOver: () => boolean,
): Promise<number> {
  let [isAsking, followed] = [true, 0];
  const end = () => {
    isAsking = false;
  };
  // What fails, fails for the caller, who waits for it too.
  const asked = asking.then(end, end);
  while (!isOver()) {
    const isLast = !isAsking;
    const { found, isHeld, isBusy } = await follow(context, flush);
    followed += found;
    if (found > 0 && !isBusy) continue;
    if (found === 0 && !isHeld && isLast) break;
    const wait = sleep(isBusy ? BUSY_MS : IDLE_MS, undefined, { signal: context.stopping }).catch(() => {});
    await (isAsking && !isHeld && !isBusy ? Promise.race([wait, asked]) : wait);
  }
  return followed;
}

/** Asks for targets that are due, until none is. */
async function ask(
  { jobs, log }: TaskContext,
  publicDns: PublicDns,
  isFailing: boolean,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    const due = await claimAliasTargets(jobs, LANES, isFailing);
    if (due.length === 0) return;
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
}

/** Has ALIAS names follow changes, one zone after the other, because names of two zones may lead to each other. */
async function follow(
  { jobs, log }: TaskContext,
  flush: ResolveAliasesOptions["flush"],
): Promise<{ readonly found: number; readonly isHeld: boolean; readonly isBusy: boolean }> {
  const { noted, held } = await noteAliasFollowers(jobs, MOST_CHANGES);
  const followers = await claimAliases(jobs, MOST_NAMES);
  let isBusy = false;
  const changed: string[] = [];
  const tell = async () => {
    if (changed.length > 0) await flush(changed.splice(0));
  };
  let told = Promise.resolve();
  for (const follower of followers) {
    try {
      const { zone, is_busy } = await settleAliasesOf(jobs, follower);
      isBusy ||= is_busy;
      if (zone === null) continue;
      // While the nameservers are told of one zone, others follow. Those are told of together.
      changed.push(zone);
      told = told.then(tell).catch((err) => log.error({ err }, "nameservers could not be told of ALIAS names"));
    } catch (err) {
      // The others do not wait for this one. It is due again in a minute.
      log.error({ err, zone: follower.zone_id }, "ALIAS names did not follow a change");
    }
  }
  await told;
  return { found: noted + followers.length, isHeld: held > 0, isBusy };
}
