import { Worker } from "node:worker_threads";
import type { Delivery, Order } from "./orders.ts";

interface Ordered {
  readonly resolve: (result: Buffer) => void;
  readonly reject: (error: unknown) => void;
}

/** A thread, with the orders that it has not finished. */
interface Workshop {
  readonly thread: Worker;
  readonly ordered: Map<number, Ordered>;
}

/** Most orders that may wait. */
const MOST_ORDERED = 100;
/** Time limit of an order, from its turn on. */
const PATIENCE_MS = 60_000;

/** Too many orders wait; the caller may try again soon. */
export class WorkThreadBusyError extends Error {}

/**
 * Does long work, one order after the other, in a separate thread, so that nothing else in the process waits for it. The thread starts
 * with the first order.
 */
export class WorkThread<Content> {
  readonly #program: URL;
  #workshop: Workshop | null = null;
  #number = 0;
  #waiting = 0;
  /** Ends with the last order that came. */
  #before: Promise<unknown> = Promise.resolve();

  /** @param program the thread's file, which calls `takeOrders` */
  constructor(program: URL) {
    this.#program = program;
  }

  /** @throws WorkThreadBusyError if too many orders wait, Error if the thread fails or takes over a minute */
  async run(content: Content): Promise<Buffer> {
    if (this.#waiting >= MOST_ORDERED) throw new WorkThreadBusyError("too many orders wait for the thread");
    this.#waiting++;
    // One after the other: an order that takes too long ends the thread, and no other order with it.
    const done = this.#before.then(() => this.#done(content));
    this.#before = done.catch(() => {});
    return done.finally(() => this.#waiting--);
  }

  async #done(content: Content): Promise<Buffer> {
    const { thread, ordered } = this.#workshop ?? this.#open();
    const order: Order<Content> = { number: ++this.#number, content };
    const timer = setTimeout(() => void thread.terminate(), PATIENCE_MS).unref();
    try {
      return await new Promise<Buffer>((resolve, reject) => {
        ordered.set(order.number, { resolve, reject });
        thread.ref();
        thread.postMessage(order);
      });
    } finally {
      clearTimeout(timer);
      ordered.delete(order.number);
      // An idle thread does not keep the process alive.
      if (ordered.size === 0) thread.unref();
    }
  }

  async close(): Promise<void> {
    await this.#workshop?.thread.terminate();
  }

  #open(): Workshop {
    // The thread inherits Node's options. Passing them here would fail, because V8's options (--max-old-space-size) are refused.
    const thread = new Worker(this.#program);
    const workshop: Workshop = { thread, ordered: new Map() };
    thread.on("message", (delivery: Delivery) => {
      const ordered = workshop.ordered.get(delivery.number);
      if ("result" in delivery) ordered?.resolve(Buffer.from(delivery.result));
      else ordered?.reject(delivery.error);
    });
    const fail = (error: unknown) => {
      if (this.#workshop === workshop) this.#workshop = null;
      for (const { reject } of workshop.ordered.values()) reject(error);
    };
    thread.on("error", fail);
    thread.on("exit", () => fail(new Error(`the thread of ${this.#program.pathname} ended`)));
    this.#workshop = workshop;
    return workshop;
  }
}
