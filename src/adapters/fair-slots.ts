import os from "node:os";

interface Waiting {
  start: () => void;
}

export interface FairSlotsOptions {
  /** Most pieces of work of one group that run at once; half of all by default, and at least 1. */
  readonly perGroup?: number;
  /** Most pieces of work of one group that run or wait; no limit by default. */
  readonly mostOfGroup?: number;
  /** Most pieces of work of all groups that run or wait; no limit by default. */
  readonly most?: number;
}

/** Too many pieces of work wait already. The caller may come again soon. */
export class SlotsBusyError extends Error {
  override readonly name = "SlotsBusyError";
}

/**
 * Lets at most `total` pieces of work run at once, and some of them for one group.
 * Work that waits starts in the order of its group; groups take turns, so a group that asks for a hundred pieces of work
 * keeps another one waiting for one piece at most.
 */
export class FairSlots {
  readonly total: number;
  readonly perGroup: number;
  readonly #running = new Map<string, number>();
  /** Groups in the order of their turns: a group that was served goes to the end. */
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #mostOfGroup: number;
  readonly #most: number;
  #runningTogether = 0;

  /** @param total at least 1; one a core, where none is given */
  constructor(total: number = os.availableParallelism(), options: FairSlotsOptions = {}) {
    this.total = Math.max(1, total);
    this.perGroup = Math.max(1, options.perGroup ?? Math.floor(this.total / 2));
    this.#mostOfGroup = options.mostOfGroup ?? Number.POSITIVE_INFINITY;
    this.#most = options.most ?? Number.POSITIVE_INFINITY;
  }

  /**
   * Runs `work` when it is the turn of `group`, and gives its result.
   * @param group an opaque name
   * @param signal ends the waiting; work that runs must look at the signal itself
   * @throws SlotsBusyError if as many run or wait as may; the signal's reason, if work did not start; what `work` throws
   */
  async run<Result>(group: string, work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const waiting = [...this.#waiting.values()].reduce((sum, queue) => sum + queue.length, 0);
    const ofGroup = (this.#running.get(group) ?? 0) + (this.#waiting.get(group)?.length ?? 0);
    if (ofGroup >= this.#mostOfGroup || this.#runningTogether + waiting >= this.#most)
      throw new SlotsBusyError("too many wait for their turn");
    await this.#turn(group, signal);
    try {
      return await work();
    } finally {
      this.#count(group, -1);
      this.#startNext();
    }
  }

  #turn(group: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const onAbort = () => {
        const left = (this.#waiting.get(group) ?? []).filter((other) => other !== waiting);
        if (left.length > 0) this.#waiting.set(group, left);
        else this.#waiting.delete(group);
        reject(signal?.reason);
      };
      const waiting = {
        start: () => {
          signal?.removeEventListener("abort", onAbort);
          resolve();
        },
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      const queue = this.#waiting.get(group);
      if (queue) queue.push(waiting);
      else this.#waiting.set(group, [waiting]);
      this.#startNext();
    });
  }

  #startNext(): void {
    for (const [group, queue] of this.#waiting) {
      if (this.#runningTogether >= this.total) return;
      if ((this.#running.get(group) ?? 0) >= this.perGroup) continue;
      const next = queue.shift();
      this.#waiting.delete(group);
      // Set anew, the group stands at the end of the map, so this loop comes back to it.
      if (queue.length > 0) this.#waiting.set(group, queue);
      this.#count(group, 1);
      next?.start();
    }
  }

  #count(group: string, change: 1 | -1): void {
    this.#runningTogether += change;
    const running = (this.#running.get(group) ?? 0) + change;
    if (running > 0) this.#running.set(group, running);
    else this.#running.delete(group);
  }
}
