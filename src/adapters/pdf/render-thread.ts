import { Worker } from "node:worker_threads";
import type { Delivery, Order } from "./rendering.ts";

interface Ordered {
  readonly resolve: (pdf: Buffer) => void;
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

/** Too many PDFs are being rendered; the caller may try again soon. */
export class RendererBusyError extends Error {}

/**
 * Renders PDFs in a separate thread: the first with rare characters takes up to a second, because its fonts are read, and what else the
 * process does should not wait for that. The thread starts with the first order.
 */
export class RenderThread<Content> {
  readonly #program: URL;
  #workshop: Workshop | null = null;
  #number = 0;
  #waiting = 0;
  /** Ends with the last order that came. */
  #before: Promise<unknown> = Promise.resolve();

  /** @param program the thread's file, which calls `renderOrders` */
  constructor(program: URL) {
    this.#program = program;
  }

  /** @throws RendererBusyError if too many orders wait, Error if the thread fails or takes over a minute */
  async render(content: Content): Promise<Buffer> {
    if (this.#waiting >= MOST_ORDERED) throw new RendererBusyError("too many PDFs are being rendered");
    this.#waiting++;
    // One after the other: an order that takes too long ends the thread, and no other order with it.
    const rendered = this.#before.then(() => this.#rendered(content));
    this.#before = rendered.catch(() => {});
    return rendered.finally(() => this.#waiting--);
  }

  async #rendered(content: Content): Promise<Buffer> {
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
      if ("pdf" in delivery) ordered?.resolve(Buffer.from(delivery.pdf));
      else ordered?.reject(delivery.error);
    });
    const fail = (error: unknown) => {
      if (this.#workshop === workshop) this.#workshop = null;
      for (const { reject } of workshop.ordered.values()) reject(error);
    };
    thread.on("error", fail);
    thread.on("exit", () => fail(new Error("the thread that renders PDFs ended")));
    this.#workshop = workshop;
    return workshop;
  }
}
