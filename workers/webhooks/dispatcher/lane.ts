import type { LeasedDelivery } from "../../../src/services/webhooks/store.ts";

/** Attempts at once to one endpoint, of one worker. */
const AT_ONCE = 10;
/** What is leased ahead for an endpoint that answers quickly, so that the next delivery is at hand when one is done. */
const AHEAD = 100;
/** An endpoint that answers within this time is quick. In milliseconds. */
const QUICK_MS = 50;
/**
 * What was leased ahead and has waited for so long is given back: its address and secret are of then, and who disables or
 * changes an endpoint does not expect more of the old. In milliseconds.
 */
const LONGEST_WAIT_MS = 1_000;
/** Of an endpoint that had nothing for so long, nothing is remembered. In milliseconds. */
const FORGOTTEN_MS = 10_000;

/** A delivery, and when it was asked for and came, by performance.now(). */
export interface Leased {
  readonly delivery: LeasedDelivery;
  readonly askedAt: number;
  readonly cameAt: number;
}

/** The deliveries of one endpoint that this worker is at. */
export class Lane {
  readonly #waiting: Leased[] = [];
  #running = 0;
  #isQuick = false;
  #usedAt = performance.now();

  /** How many more deliveries it would take; null where it is like any other endpoint. */
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

  /** The next delivery to attempt, where one waits and there is a place for it. */
  next(): Leased | null {
    const next = this.#running < AT_ONCE ? this.#waiting.shift() : undefined;
    if (next === undefined) return null;
    this.#running += 1;
    return next;
  }

  /** An attempt is done. */
  done(succeeded: boolean, milliseconds: number): void {
    this.#running -= 1;
    this.#isQuick = succeeded && milliseconds < QUICK_MS;
    this.#usedAt = performance.now();
  }

  /** What has waited too long; it is no longer here then, and until an attempt is quick again nothing is leased ahead. */
  overdue(): LeasedDelivery[] {
    const { length } = this.#waiting;
    if (length === 0) return [];
    const now = performance.now();
    // They came one after the other.
    const first = this.#waiting.findIndex(({ cameAt }) => now - cameAt <= LONGEST_WAIT_MS);
    if (first !== 0) this.#isQuick = false;
    return this.#waiting.splice(0, first < 0 ? length : first).map(({ delivery }) => delivery);
  }

  /** What has not begun; it is no longer here then. */
  drain(): LeasedDelivery[] {
    return this.#waiting.splice(0).map(({ delivery }) => delivery);
  }
}
