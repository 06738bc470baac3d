import { Worker } from "node:worker_threads";
import type { ReceiptContent } from "./receipt-content.ts";
import type { Delivery, Order } from "./receipt-thread.ts";
import type { ReportContent } from "./report-content.ts";

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
/** Time limit of an order; any queue of receipts takes less. */
const PATIENCE_MS = 60_000;

/** Too many receipts are being rendered; the caller may try again soon. */
export class RendererBusyError extends Error {}

/**
 * Renders receipts or evidence reports in a separate thread. A receipt takes some 20 ms, and the first with a name in rare characters takes a second,
 * because its fonts are read; other requests should not wait for that. The thread starts with the first receipt.
 */
export class ReceiptRenderer {
  #workshop: Workshop | null = null;
  #number = 0;

  /** @throws RendererBusyError if too many orders wait, Error if the thread fails or takes over a minute */
  async render(content: ReceiptContent | ReportContent): Promise<Buffer> {
    const workshop = this.#workshop ?? this.#open();
    const { thread, ordered } = workshop;
    if (ordered.size >= MOST_ORDERED) throw new RendererBusyError("too many receipts are being rendered");
    const order: Order = { number: ++this.#number, content };
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
    // The thread's file stands beside this file, in source and in the build.
    const program = import.meta.url.replace(/receipt-renderer(\.\w+)$/, "receipt-thread$1");
    // The thread inherits Node's options. Passing them here would fail, because V8's options (--max-old-space-size) are refused.
    const thread = new Worker(new URL(program));
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
    thread.on("exit", () => fail(new Error("the thread that renders receipts ended")));
    this.#workshop = workshop;
    return workshop;
  }
}
