import { randomBytes } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import type { Inbox } from "./inbox.ts";
import { smsFile } from "./sms-file.ts";

const MOST_BYTES = 64 * 1024;

const posted = z.object({ id: z.uuid(), to: z.string().max(16), text: z.string().max(160) });

export interface SmsCatcher {
  /** The address for SMS_URL. */
  readonly url: string;
  /** The value for SMS_TOKEN. */
  readonly token: string;
  close(): Promise<void>;
}

/** A service on a free port of this machine that takes SMS as the one of an operator does, and delivers each to the inbox, once. */
export async function startSmsCatcher(inbox: Inbox): Promise<SmsCatcher> {
  const token = randomBytes(16).toString("hex");
  const known = new Set<string>();
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MOST_BYTES) chunks.push(chunk);
    });
    request.once("end", () => {
      if (request.method !== "POST" || request.headers.authorization !== `Bearer ${token}`)
        return void response.writeHead(401).end();
      const sms = posted.safeParse(jsonOf(Buffer.concat(chunks)));
      if (!sms.success || bytes > MOST_BYTES) return void response.writeHead(400).end();
      try {
        if (!known.has(sms.data.id)) inbox.keep(smsFile(sms.data, new Date()));
        known.add(sms.data.id);
        response.writeHead(202).end();
      } catch {
        response.writeHead(500).end();
      }
    });
  });
  await new Promise<void>((listening, failed) => {
    server.once("error", failed);
    server.listen(0, "127.0.0.1", listening);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    token,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return null;
  }
}
