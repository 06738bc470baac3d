/** The process that webhooks are posted to: reads each whole, answers 204, and writes down which came when. */
import http from "node:http";
import type { AddressInfo } from "node:net";
import { answer, machineMs } from "./webhooks-child.ts";

export type ReceiverQuestion =
  | { readonly ask: "port" }
  /** Answers when so many have come since the last `forget`. */
  | { readonly ask: "until"; readonly count: number }
  /** What came: ids and when, by machineMs. */
  | { readonly ask: "arrivals" }
  | { readonly ask: "forget" };

export type Arrivals = readonly (readonly [id: string, at: number])[];

let arrivals: [id: string, at: number][] = [];
let until: { readonly count: number; readonly reached: () => void } | null = null;

const server = http.createServer((request, response) => {
  // Accepts, and never says anything.
  request.resume();
  if (request.url?.startsWith("/hung")) return;
  request.on("end", () => {
    arrivals.push([String(request.headers["x-webhook-id"]), machineMs()]);
    response.writeHead(204).end();
    if (until !== null && arrivals.length >= until.count) {
      until.reached();
      until = null;
    }
  });
});
server.keepAliveTimeout = 60_000;

const listening = new Promise<number>((resolve) =>
  server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port)),
);

answer((question: ReceiverQuestion): unknown => {
  switch (question.ask) {
    case "port":
      return listening;
    case "until":
      if (arrivals.length >= question.count) return null;
      return new Promise<void>((reached) => {
        until = { count: question.count, reached };
      });
    case "arrivals":
      return arrivals;
    case "forget":
      arrivals = [];
      return null;
  }
});
