/** What a render thread and its owner (render-thread.ts) tell each other. */
import { parentPort } from "node:worker_threads";

export interface Order<Content> {
  readonly number: number;
  readonly content: Content;
}

export type Delivery =
  | { readonly number: number; readonly pdf: Uint8Array }
  | { readonly number: number; readonly error: unknown };

/** Makes this thread render what its owner orders. */
export function renderOrders<Content>(render: (content: Content) => Promise<Buffer>): void {
  parentPort?.on("message", async ({ number, content }: Order<Content>) => {
    const delivery: Delivery = await render(content).then(
      (pdf) => ({ number, pdf }),
      (error: unknown) => ({ number, error }),
    );
    parentPort?.postMessage(delivery);
  });
}
