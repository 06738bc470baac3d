// A service that takes SMS, for tests: real HTTP on this machine, that answers as a test wants.
import http from "node:http";
import type { AddressInfo } from "node:net";

export interface PostedSms {
  readonly id: string;
  readonly to: string;
  readonly text: string;
}

/** What comes next: a status, or what a broken service does. */
export type SmsAnswer = number | "silence" | "endless body" | "endless head" | "redirect" | "hang up" | "lie";

export interface SmsReceiver {
  readonly url: string;
  /** All that was posted, repetitions included. */
  readonly posts: PostedSms[];
  readonly requests: { readonly method: string; readonly path: string; readonly headers: http.IncomingHttpHeaders }[];
  /** Answers of the next posts; then 202. */
  readonly answers: SmsAnswer[];
  close(): Promise<void>;
}

export const SMS_TOKEN = "an-sms-token";

export async function startSmsReceiver(port = 0): Promise<SmsReceiver> {
  const timers = new Set<NodeJS.Timeout>();
  const server = http.createServer(async (request, response) => {
    const { method = "", url: path = "", headers } = request;
    receiver.requests.push({ method, path, headers });
    let body = "";
    for await (const chunk of request) body += chunk;
    if (method === "POST") receiver.posts.push(JSON.parse(body) as PostedSms);
    const { to, text } = receiver.posts.at(-1) ?? { to: "", text: "" };
    const answer = receiver.answers.shift() ?? 202;
    const { socket } = response;
    const forEver = (write: () => void) => {
      const timer = setInterval(write, 1);
      timers.add(timer);
      socket?.once("close", () => clearInterval(timer));
    };
    if (answer === "silence") return;
    if (answer === "hang up") return void socket?.destroy();
    // As some services do, it repeats what it got.
    if (typeof answer === "number") return void response.writeHead(answer).end(JSON.stringify({ error: { to, text } }));
    if (answer === "redirect") return void response.writeHead(307, { location: `${receiver.url}elsewhere` }).end();
    if (answer === "lie") return void socket?.end("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nshort");
    if (answer === "endless body") response.writeHead(200);
    else socket?.write("HTTP/1.1 200 OK\r\n");
    forEver(() => (answer === "endless body" ? response : socket)?.write(`x-more: ${"x".repeat(1_000)}\r\n`));
  });
  server.on("clientError", (_error, socket) => socket.destroy());
  await new Promise<void>((listening) => server.listen(port, "127.0.0.1", listening));
  const receiver: SmsReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    posts: [],
    requests: [],
    answers: [],
    close: async () => {
      for (const timer of timers) clearInterval(timer);
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return receiver;
}
