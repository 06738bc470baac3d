import type { Logger } from "pino";
import type { Beside } from "./worked-service.ts";

export interface LeasedWork<Lease> {
  /** What is run, for the log. */
  readonly name: string;
  /** Leases of what is due, at most so many. Others do not get them until the lease ends. */
  readonly claim: (most: number) => Promise<readonly Lease[]>;
  /** Does the work of a lease and records what became of it. What it throws is logged: the lease runs out, and the work comes back. */
  readonly run: (lease: Lease) => Promise<void>;
  /** How much is under way at once. */
  readonly most: number;
  /** Milliseconds without a wake-up after which it looks again. */
  readonly idleMs: number;
  readonly log: Logger;
}

/** Claims work, runs it and claims again, for as long as a worker runs. A wake-up says that something may be due. */
export class LeasedLoop<Lease> implements Beside {
  readonly #work: LeasedWork<Lease>;
  readonly #running = new Set<Promise<void>>();
  #isStopping = false;
  #isAwake = true;
  #wake: (() => void) | null = null;
  #ended: Promise<void> | null = null;

  constructor(work: LeasedWork<Lease>) {
    this.#work = work;
  }

  start(): void {
    this.#ended ??= this.#loop();
  }

  wake(): void {
    this.#isAwake = true;
    this.#wake?.();
  }

  /** Claims nothing new, and waits for what is under way. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.wake();
    await this.#ended;
    await Promise.all(this.#running);
  }

  async #loop(): Promise<void> {
    const { claim, most, log, name } = this.#work;
    while (!this.#isStopping) {
      this.#isAwake = false;
      const room = most - this.#running.size;
      let leases: readonly Lease[] = [];
      if (room > 0)
        leases = await claim(room).catch((error: unknown) => {
          log.error({ err: error, work: name }, "nothing could be claimed");
          return [];
        });
      for (const lease of leases) this.#begin(lease);
      if (leases.length === 0 || leases.length === room) await this.#rest();
    }
  }

  #begin(lease: Lease): void {
    const { run, log, name } = this.#work;
    const running = run(lease)
      .catch((error: unknown) => log.error({ err: error, work: name }, "leased work has failed, and comes back"))
      .then(() => {
        this.#running.delete(running);
        this.wake();
      });
    this.#running.add(running);
  }

  /** Until something may be due. */
  async #rest(): Promise<void> {
    if (this.#isAwake || this.#isStopping) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#work.idleMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = null;
  }
}
