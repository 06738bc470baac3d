import http from "node:http";
import type { AddressInfo } from "node:net";
import { type Verification, verifyWebhook } from "../../src/receiver/verify.ts";

/** A delivery as it came. */
export interface Received {
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
  /** Date.now() when the whole of it was there. */
  readonly at: number;
}

/** How a receiver answers: a status, or anything it likes to do. */
export type Answering = number | ((request: http.IncomingMessage, response: http.ServerResponse, body: string) => void);

/** A receiver of webhooks on a free loopback port. */
export interface WebhookReceiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** From now on. */
  answer(answering: Answering): void;
  verify(delivery: Received, secret: string): Promise<Verification>;
  close(): Promise<void>;
}

export async function startWebhookReceiver(answering: Answering = 200): Promise<WebhookReceiver> {
  const received: Received[] = [];
  let current = answering;
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("error", () => {});
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      received.push({ path: request.url ?? "", headers: request.headers, body, at: Date.now() });
      if (typeof current === "number") response.writeHead(current).end();
      else current(request, response, body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer: (next) => {
      current = next;
    },
    verify: ({ headers, body }, secret) => verifyWebhook(secret, headers, body),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
