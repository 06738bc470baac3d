/** What a thread and its owner (work-thread.ts) tell each other. */
import { parentPort } from "node:worker_threads";

export interface Order<Content> {
  readonly number: number;
  readonly content: Content;
}

export type Delivery =
  | { readonly number: number; readonly result: Uint8Array }
  | { readonly number: number; readonly error: unknown };

/** Makes this thread do what its owner orders. */
export function takeOrders<Content>(work: (content: Content) => Promise<Buffer>): void {
  parentPort?.on("message", async ({ number, content }: Order<Content>) => {
    const delivery: Delivery = await work(content).then(
      (result) => ({ number, result }),
      (error: unknown) => ({ number, error }),
    );
    parentPort?.postMessage(delivery);
  });
}
