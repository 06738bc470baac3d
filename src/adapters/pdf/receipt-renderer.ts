import { Worker } from "node:worker_threads";
import type { ReceiptContent } from "./receipt.ts";
import type { Delivery, Order } from "./receipt-thread.ts";

interface Ordered {
  readonly resolve: (pdf: Buffer) => void;
  readonly reject: (error: unknown) => void;
}

/** A thread with what it was given to render and has not delivered. */
interface Workshop {
  readonly thread: Worker;
  readonly ordered: Map<number, Ordered>;
}

/** Beyond so many nobody waits. */
const MOST_ORDERED = 100;
/** All of them together take less, whatever they say. */
const PATIENCE_MS = 60_000;

/** Too many receipts are being rendered; worth trying again soon. */
export class RendererBusyError extends Error {}

/**
 * Renders receipts in a thread of its own: one takes 8 ms, and half a second with a long name in a script that needs
 * embedded fonts, which no other request should wait for. The thread starts with the first receipt.
 */
export class ReceiptRenderer {
  #workshop: Workshop | null = null;
  #number = 0;

  /** @throws RendererBusyError when too many are waiting, Error when the thread fails or takes over a minute */
  async render(content: ReceiptContent): Promise<Buffer> {
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
      // An idle thread keeps no process alive.
      if (ordered.size === 0) thread.unref();
    }
  }

  async close(): Promise<void> {
    await this.#workshop?.thread.terminate();
  }

  #open(): Workshop {
    // Beside this file, whether as source or built.
    const program = import.meta.url.replace(/receipt-renderer(\.\w+)$/, "receipt-thread$1");
    // It inherits Node's options; named here, V8's own (--max-old-space-size) would be refused.
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
