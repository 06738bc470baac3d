import { Worker } from "node:worker_threads";
import type { ReceiptContent } from "./receipt.ts";
import type { Delivery, Order } from "./receipt-thread.ts";

interface Ordered {
  readonly resolve: (pdf: Buffer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Renders receipts in a thread of its own: one takes 8 ms, and half a second with a long name in a script that needs
 * embedded fonts, which no other request should wait for. The thread starts with the first receipt.
 */
export class ReceiptRenderer {
  readonly #ordered = new Map<number, Ordered>();
  #thread: Worker | null = null;
  #number = 0;

  /** @throws Error when the thread fails */
  render(content: ReceiptContent): Promise<Buffer> {
    const thread = this.#thread ?? this.#start();
    const order: Order = { number: ++this.#number, content };
    return new Promise((resolve, reject) => {
      this.#ordered.set(order.number, { resolve, reject });
      thread.ref();
      thread.postMessage(order);
    });
  }

  async close(): Promise<void> {
    await this.#thread?.terminate();
  }

  #start(): Worker {
    // Beside this file, whether as source or built.
    const program = import.meta.url.replace(/receipt-renderer(\.\w+)$/, "receipt-thread$1");
    const thread = new Worker(new URL(program), { execArgv: process.execArgv });
    thread.on("message", (delivery: Delivery) => this.#deliver(thread, delivery));
    const fail = (error: unknown) => {
      if (this.#thread === thread) this.#thread = null;
      for (const { reject } of this.#ordered.values()) reject(error);
      this.#ordered.clear();
    };
    thread.on("error", fail);
    thread.on("exit", () => fail(new Error("the thread that renders receipts ended")));
    this.#thread = thread;
    return thread;
  }

  #deliver(thread: Worker, delivery: Delivery): void {
    const ordered = this.#ordered.get(delivery.number);
    this.#ordered.delete(delivery.number);
    // An idle thread keeps no process alive.
    if (this.#ordered.size === 0) thread.unref();
    if ("pdf" in delivery) ordered?.resolve(Buffer.from(delivery.pdf));
    else ordered?.reject(delivery.error);
  }
}
