import { unavailable } from "../app-error.ts";
import { refuseLate } from "./patience.ts";

/** Of one key; beyond it nobody waits. */
const MOST_WAITING = 200;

interface Waiting {
  readonly since: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** So many works of one key at once; the others of that key wait, and keep no connection from anybody else's. */
export class Turns {
  readonly #most: number;
  readonly #underWay = new Map<string, number>();
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(most: number) {
    this.#most = Math.max(1, most);
  }

  /** @throws AppError 503 when too many wait already, or the turn did not come in time; and what the work throws */
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
    if (queue.length >= MOST_WAITING) return Promise.reject(unavailable(new Error("too many of one actor wait")));
    this.#waiting.set(key, queue);
    return new Promise((resolve, reject) => {
      queue.push({ since: performance.now(), resolve, reject });
    });
  }

  #next(key: string): void {
    const queue = this.#waiting.get(key) ?? [];
    refuseLate(queue);
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
