import { observeDelegation } from "../../src/adapters/resolver/observe-delegation.ts";
import { ParentServers } from "../../src/adapters/resolver/parent-servers.ts";
import type { PublicDns } from "../../src/adapters/resolver/public-dns.ts";
import type { Config } from "../../src/config/config.ts";
import type { Jobs } from "../../src/postgres/jobs.ts";
import { publicDnsOf } from "../../src/services/dns/delegation/public-dns-of.ts";
import { claimDelegationChecks, type DueCheck, recordDelegationCheck } from "../../src/services/dns/store.ts";
import type { WorkerTask } from "../task.ts";

/** A run ends before the next run is due; the next run does the rest. */
const MOST_MS = 55_000;
/** As many as the public DNS is asked for at once. Zones that wait here are claimed for a minute, so few wait. */
const LANES = 50;

/** The task of a worker. */
export const checkDelegationsOf = (config: Config): WorkerTask =>
  checkDelegations(publicDnsOf(config, { atOnce: LANES }));

/**
 * Checks the delegations that are due, and records each in its own transaction: none is open while the public DNS is asked. What a worker
 * claimed and did not record, because it was killed, another claims after a minute.
 */
export function checkDelegations(publicDns: PublicDns): WorkerTask {
  const parents = new ParentServers();
  return async (_payload, { jobs, log, stopping }) => {
    const deadline = performance.now() + MOST_MS;
    const isOver = () => stopping.aborted || performance.now() >= deadline;
    const queue = new DueChecks(jobs);
    const lane = async () => {
      for (let due = await queue.next(isOver); due !== null; due = await queue.next(isOver)) {
        try {
          const answers = await observeDelegation(publicDns, parents, due.name);
          await recordDelegationCheck(jobs, due, answers);
        } catch (err) {
          // The others do not wait for this one. It is due again in a minute.
          log.error({ err, zone: due.id }, "a check of a delegation failed");
        }
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
  };
}

/** What is due, claimed in small lots. */
class DueChecks {
  readonly #jobs: Jobs;
  readonly #claimed: DueCheck[] = [];
  #claiming: Promise<void> | null = null;
  #isEmpty = false;

  constructor(jobs: Jobs) {
    this.#jobs = jobs;
  }

  /** The next check; null when nothing is due, or the run is over. */
  async next(isOver: () => boolean): Promise<DueCheck | null> {
    for (;;) {
      if (isOver()) return null;
      const due = this.#claimed.shift();
      if (due !== undefined) return due;
      if (this.#isEmpty) return null;
      this.#claiming ??= this.#claim().finally(() => {
        this.#claiming = null;
      });
      await this.#claiming;
    }
  }

  async #claim(): Promise<void> {
    const due = await claimDelegationChecks(this.#jobs, LANES);
    this.#claimed.push(...due);
    this.#isEmpty = due.length === 0;
  }
}
