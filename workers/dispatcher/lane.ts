import type { LeasedDelivery } from "../../src/db/jobs.ts";

/** Attempts at once to one endpoint, of one worker. */
const AT_ONCE = 10;
/** What is leased ahead for an endpoint that answers quickly, so that the next delivery is at hand when one is done. */
const AHEAD = 100;
/** An endpoint that answers within this time is quick. In milliseconds. */
const QUICK_MS = 250;
/** Of an endpoint that had nothing for so long, nothing is remembered. In milliseconds. */
const FORGOTTEN_MS = 10_000;

/** A delivery and when it was leased, by performance.now(). */
export interface Leased {
  readonly delivery: LeasedDelivery;
  readonly at: number;
}

/** The deliveries of one endpoint that this worker is at. */
export class Lane {
  #waiting: Leased[] = [];
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

  /** What has not begun; it is no longer here then. */
  drain(): LeasedDelivery[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    return waiting.map(({ delivery }) => delivery);
  }
}
