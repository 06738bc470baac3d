import { unavailable } from "../errors/app-error.ts";
import { PATIENCE_MS, refuseLate } from "./patience.ts";

/** Most callers of one key that may wait. */
const MOST_WAITING = 200;

interface Waiting {
  readonly since: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Limits the works of one key that run at once. Others of that key wait, without holding a connection. */
export class Turns {
  readonly #most: number;
  readonly #patienceMs: number;
  readonly #underWay = new Map<string, number>();
  readonly #waiting = new Map<string, Waiting[]>();

  /** @param patienceMs how long a work waits for its turn, in milliseconds */
  constructor(most: number, patienceMs = PATIENCE_MS) {
    this.#most = Math.max(1, most);
    this.#patienceMs = patienceMs;
  }

  /** @throws AppError 503 if too many already wait, or if the turn does not come in time; and the error of the work */
  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    await this.#turn(key);
    try {
      return await work();
    } finally {
      this.#next(key);
    }
  }

  #turn(key: string): Promise<void> {
    const underWay = this.#underWay.get(key) ?? 0;
    if (underWay < this.#most) {
      this.#underWay.set(key, underWay + 1);
      return Promise.resolve();
    }
    const queue = this.#waiting.get(key) ?? [];
    if (queue.length >= MOST_WAITING)
      return Promise.reject(unavailable(new Error("too many requests of one actor wait")));
    this.#waiting.set(key, queue);
    return new Promise((resolve, reject) => {
      queue.push({ since: performance.now(), resolve, reject });
    });
  }

  #next(key: string): void {
    const queue = this.#waiting.get(key) ?? [];
    refuseLate(queue, this.#patienceMs);
    const next = queue.shift();
    if (queue.length === 0) this.#waiting.delete(key);
    if (next !== undefined) {
      next.resolve();
      return;
    }
    const underWay = (this.#underWay.get(key) ?? 1) - 1;
    if (underWay === 0) this.#underWay.delete(key);
    else this.#underWay.set(key, underWay);
  }
}
