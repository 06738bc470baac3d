import type { LeasedDelivery } from "../../../src/services/webhooks/store.ts";

/** Most attempts at once from one worker to one endpoint. */
const AT_ONCE = 10;
/** Deliveries leased ahead for a quick endpoint, so that the next delivery is at hand when one is done. */
const AHEAD = 100;
/** An endpoint that answers within this time is quick, in milliseconds. */
const QUICK_MS = 50;
/**
 * A delivery leased ahead is given back after this time, in milliseconds. Its address and secret date from the lease, and somebody who
 * disables or changes an endpoint does not expect further deliveries in its old state.
 */
const LONGEST_WAIT_MS = 1_000;
/** An endpoint without deliveries for this time is forgotten, in milliseconds. */
const FORGOTTEN_MS = 10_000;

/** A delivery, with the times when it was claimed and when it arrived, by performance.now(). */
export interface Leased {
  readonly delivery: LeasedDelivery;
  readonly askedAt: number;
  readonly cameAt: number;
}

/** The deliveries of one endpoint that this worker works on. */
export class Lane {
  readonly #waiting: Leased[] = [];
  #running = 0;
  #isQuick = false;
  #usedAt = performance.now();

  /** How many more deliveries the lane would take; null if the endpoint is not known as busy or quick. */
  get room(): number | null {
    const most = this.#isQuick ? AHEAD : AT_ONCE;
    const room = Math.max(0, most - this.#running - this.#waiting.length);
    return room === AT_ONCE ? null : room;
  }

  get isForgotten(): boolean {
    return this.#running === 0 && this.#waiting.length === 0 && performance.now() - this.#usedAt > FORGOTTEN_MS;
  }

  add(leased: Leased): void {
    this.#waiting.push(leased);
  }

  /** The next delivery to attempt, if one waits and a place is free. */
  next(): Leased | null {
    const next = this.#running < AT_ONCE ? this.#waiting.shift() : undefined;
    if (next === undefined) return null;
    this.#running += 1;
    return next;
  }

  /** Records that an attempt is done. */
  done(succeeded: boolean, milliseconds: number): void {
    this.#running -= 1;
    this.#isQuick = succeeded && milliseconds < QUICK_MS;
    this.#usedAt = performance.now();
  }

  /** Removes and returns deliveries that have waited too long. Nothing is leased ahead until an attempt is quick again. */
  overdue(): LeasedDelivery[] {
    const { length } = this.#waiting;
    if (length === 0) return [];
    const now = performance.now();
    // Deliveries arrived in order.
    const first = this.#waiting.findIndex(({ cameAt }) => now - cameAt <= LONGEST_WAIT_MS);
    if (first !== 0) this.#isQuick = false;
    return this.#waiting.splice(0, first < 0 ? length : first).map(({ delivery }) => delivery);
  }

  /** Removes and returns deliveries that were not begun. */
  drain(): LeasedDelivery[] {
    return this.#waiting.splice(0).map(({ delivery }) => delivery);
  }
}
