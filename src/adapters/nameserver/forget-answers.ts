import { setTimeout as sleep } from "node:timers/promises";
import type { PowerDns } from "./power-dns.ts";

/** Longer than a question to Postgres takes that began before the change. */
const SETTLE_MS = 5;
/** On a busy machine questions take longer, and so does a purge: after it, questions get that many times its own time. */
const PURGES_TO_SETTLE = 3;
/** A purge that took long was one of a PowerDNS that had been stopped. It answered no question meanwhile. */
const MOST_SETTLE_MS = 100;

/**
 * Makes PowerDNS forget all old answers, keys and settings of a zone, and learn whether the zone exists. One flush leaves keys and settings, so it has a purge
 * beside it. Both together may leave old answers:
 * - It empties the packet cache first (up to 5.0.1; PowerDNS issue 16286). A question that comes then is answered from the query cache,
 *   and the old answer is in the packet cache again.
 * - A question that read rows or keys before the change, or keys before the first purge, may put them or its answer into a cache after that.
 *
 * So the caches are emptied again when such questions have ended. Twice, because such a question may have filled the query cache.
 * The control socket is used for that: the API opens a connection to Postgres for each flush.
 */
export async function forgetZone(powerDns: Pick<PowerDns, "flush" | "purge">, zone: string): Promise<void> {
  await Promise.all([powerDns.flush(zone), thenSettle(() => powerDns.purge(zone))]);
  await powerDns.purge(zone);
  await powerDns.purge(zone);
}

/** The same for all zones at once, apart from whether zones exist. For a PowerDNS that may have missed changes. */
export async function forgetAll(powerDns: Pick<PowerDns, "purgeAll">): Promise<void> {
  await thenSettle(() => powerDns.purgeAll());
  await powerDns.purgeAll();
  await powerDns.purgeAll();
}

/** The same, and it learns which zones exist: what flushes of all zones would do. */
export async function forgetAllAndLearn(powerDns: Pick<PowerDns, "purgeAll" | "learnZones">): Promise<void> {
  // First: an answer that is made meanwhile is forgotten, too.
  await powerDns.learnZones();
  await forgetAll(powerDns);
}

/** Purges, and waits until questions that were under way then have ended. */
async function thenSettle(purge: () => Promise<void>): Promise<void> {
  const began = performance.now();
  await purge();
  const settle = PURGES_TO_SETTLE * (performance.now() - began);
  await sleep(Math.min(Math.max(SETTLE_MS, settle), MOST_SETTLE_MS));
}

/** Has zones forgotten. Callers who come while that is under way for a zone wait for the next time, and share it. */
export class SharedForgetting {
  readonly #forgetting = new Map<string, Promise<void>>();
  readonly #waiting = new Map<string, Promise<void>>();
  readonly #forget: (zone: string) => Promise<void>;

  constructor(forget: (zone: string) => Promise<void>) {
    this.#forget = forget;
  }

  /** Resolves when the zone was forgotten, from a beginning after this call. Rejects if that failed. */
  forget(zone: string): Promise<void> {
    const waiting = this.#waiting.get(zone);
    if (waiting !== undefined) return waiting;
    const before = this.#forgetting.get(zone);
    if (before === undefined) return this.#begin(zone);
    const next = before
      .catch(() => {}) // told to those who wait for it
      .then(() => {
        this.#waiting.delete(zone);
        return this.#begin(zone);
      });
    this.#waiting.set(zone, next);
    return next;
  }

  #begin(zone: string): Promise<void> {
    const forgetting = this.#forget(zone).finally(() => {
      if (this.#forgetting.get(zone) === forgetting) this.#forgetting.delete(zone);
    });
    this.#forgetting.set(zone, forgetting);
    return forgetting;
  }
}
