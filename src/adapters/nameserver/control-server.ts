import { createHash, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import https from "node:https";
import { isIPv6 } from "node:net";
import { z } from "zod";
import { ProgramError } from "../programs/program-error.ts";
import type { PowerDns } from "./power-dns.ts";
import { flushZone, ZoneFlusher } from "./zone-flusher.ts";

export interface ControlOptions {
  readonly address: string;
  /** 0 for any free port. */
  readonly port: number;
  /** The bearer key of those who may ask. */
  readonly key: string;
  /** Files of certificate and private key, PEM; null only on loopback. */
  readonly tls: { readonly cert: string; readonly key: string } | null;
  /** The PowerDNS that runs now; null while none does. */
  readonly powerDns: () => Pick<PowerDns, "flush" | "purge" | "isReady"> | null;
  /** Called for each zone that was to be forgotten. */
  readonly told?: (outcome: "forgotten" | "failed") => void;
  readonly log: (message: string) => void;
}

export interface ControlServer {
  /** `http://127.0.0.1:5380` */
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

const MOST_ZONES = 1_000;
/** A thousand of the longest names, with quotes and commas. */
const MOST_BYTES = 300_000;
const REQUEST_MS = 5_000;
/** Zones of one request that are flushed at once: each flush is a connection to Postgres. */
const AT_ONCE = 4;

/** Names as zones have them: what else stood there would be read by PowerDNS. */
const zoneName = z
  .string()
  .max(253)
  .regex(/^[a-z0-9_/-]+(\.[a-z0-9_/-]+)*$/);
const body = z.strictObject({ zones: z.array(zoneName).min(1).max(MOST_ZONES) });

/**
 * Serves the two requests of gateways: `POST /flush` and `POST /purge`, each with `{"zones": ["example.com"]}` and a bearer key. 204 when PowerDNS has forgotten the
 * zones; 400, 401, 404, 405, 413 for other requests; 503 if PowerDNS does not do it. `GET /status`: 204 if PowerDNS answers. After either, PowerDNS has
 * forgotten answers, keys and metadata of the zones.
 * @throws ProgramError for an address beyond loopback without TLS
 */
export async function startControl(options: ControlOptions): Promise<ControlServer> {
  const { address, port, tls } = options;
  if (tls === null && !isLoopback(address))
    throw new ProgramError(
      `NAMESERVER_CONTROL_ADDRESS: ${address} is beyond loopback, so NAMESERVER_CONTROL_TLS_CERT and NAMESERVER_CONTROL_TLS_KEY must be set`,
    );
  const flusher = new ZoneFlusher(async (zone) => {
    const powerDns = options.powerDns();
    if (powerDns === null) throw new Error("PowerDNS does not run");
    await flushZone(powerDns, zone);
  });
  const handle = (request: IncomingMessage, response: ServerResponse) =>
    void answer(request, options, flusher).then(
      ({ status, error }) => send(response, status, error),
      () => send(response, 400, "the request cannot be read"),
    );
  const limits = { requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS, maxHeaderSize: 8_192 };
  const server =
    tls === null
      ? http.createServer(limits, handle)
      : https.createServer({ ...limits, cert: readFileSync(tls.cert), key: readFileSync(tls.key) }, handle);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, address, resolve);
  });
  const bound = server.address();
  const actual = typeof bound === "object" && bound !== null ? bound.port : port;
  return {
    url: `${tls === null ? "http" : "https"}://${isIPv6(address) ? `[${address}]` : address}:${actual}`,
    port: actual,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Outcome {
  readonly status: number;
  readonly error?: string;
}

async function answer(request: IncomingMessage, options: ControlOptions, flusher: ZoneFlusher): Promise<Outcome> {
  if (!isKey(request.headers.authorization, options.key)) return { status: 401, error: "the bearer key is wrong" };
  if (request.url === "/status" && request.method === "GET") {
    const isReady = await options.powerDns()?.isReady();
    return isReady ? { status: 204 } : { status: 503, error: "PowerDNS does not answer" };
  }
  if (request.url !== "/flush" && request.url !== "/purge") return { status: 404, error: "there is /flush and /purge" };
  if (request.method !== "POST") return { status: 405, error: "only POST" };
  const text = await read(request);
  if (text === null) return { status: 413, error: `at most ${MOST_BYTES} bytes` };
  const { data, error } = body.safeParse(JSON.parse(text));
  if (data === undefined) return { status: 400, error: error.issues[0]?.message ?? "the body is wrong" };
  try {
    // Both forget everything: PowerDNS' control socket knows one command for all of it.
    await each([...new Set(data.zones)], async (zone) => {
      try {
        await flusher.flush(zone);
        options.told?.("forgotten");
      } catch (error) {
        options.told?.("failed");
        throw error;
      }
    });
    return { status: 204 };
  } catch (failed) {
    options.log(`The nameserver did not forget a zone: ${failed instanceof Error ? failed.message : String(failed)}`);
    return { status: 503, error: "PowerDNS does not answer" };
  }
}

async function each(zones: readonly string[], act: (zone: string) => Promise<void>): Promise<void> {
  const left = zones.values();
  const lane = async () => {
    for (const zone of left) await act(zone);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

/** Null if it is too large. */
async function read(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function send(response: ServerResponse, status: number, error: string | undefined): void {
  if (response.destroyed) return;
  // What is left of a body that was not read belongs to no next request.
  if (status !== 204) response.setHeader("connection", "close");
  response.writeHead(status, error === undefined ? {} : { "content-type": "application/json" });
  response.end(error === undefined ? undefined : `${JSON.stringify({ error })}\n`);
}

function isKey(header: string | undefined, key: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(header ?? ""), digest(`Bearer ${key}`));
}

function isLoopback(address: string): boolean {
  return address === "::1" || /^127(\.\d+){3}$/.test(address);
}
