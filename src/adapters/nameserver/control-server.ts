import { createHash, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import https from "node:https";
import { isIPv6 } from "node:net";
import { z } from "zod";
import { ProgramError } from "../programs/program-error.ts";
import { MOST_ZONES, PROBED_ZONE } from "./control-client.ts";
import { forgetAllAndLearn, forgetZone, SharedForgetting } from "./forget-answers.ts";
import type { PowerDns } from "./power-dns.ts";

export interface ControlOptions {
  readonly address: string;
  /** 0 for any free port. */
  readonly port: number;
  /** The bearer key of those who may ask. */
  readonly key: string;
  /** Files of certificate and private key, PEM; null only on loopback. */
  readonly tls: { readonly cert: string; readonly key: string } | null;
  /** The version of PowerDNS. */
  readonly version?: string;
  /** The PowerDNS that runs now; null while none does. */
  readonly powerDns: () => Pick<
    PowerDns,
    "flush" | "purge" | "isReady" | "purgeAll" | "learnZones" | "statistics"
  > | null;
  /** Called for each zone that was to be forgotten, and not for a probe. */
  readonly told?: (outcome: "forgotten" | "failed") => void;
  readonly log: (message: string) => void;
}

export interface ControlServer {
  /** `http://127.0.0.1:5380` */
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/** A thousand of the longest names, with quotes and commas. */
const MOST_BYTES = 300_000;
const REQUEST_MS = 5_000;
/** Zones of one request that are flushed at once: each flush is a connection to Postgres. */
const AT_ONCE = 4;

/** The word for all zones, where the name of a zone stands otherwise. No zone has such a name. */
const ALL = "*";

/** What `GET /state` answers. */
export const controlState = z.object({
  /** Of PowerDNS; null if the control server does not know it. */
  version: z.string().nullable(),
  /** How many zones it serves. */
  zones: z.number(),
  /** For how many seconds this PowerDNS has run. */
  uptime_seconds: z.number(),
  /** When somebody last had it forget everything, ISO 8601; null if nobody did since the control server started. */
  purged_at: z.string().nullable(),
});

/** Names as zones have them: what else stood there would be read by PowerDNS. */
const zoneName = z
  .string()
  .max(253)
  .regex(/^[a-z0-9_/-]+(\.[a-z0-9_/-]+)*$/);
const body = z.strictObject({ zones: z.array(zoneName).min(1).max(MOST_ZONES) });

/**
 * Serves the requests of gateways: `POST /flush` and `POST /purge`, each with `{"zones": ["example.com"]}` and a bearer key. 204 when PowerDNS has forgotten
 * answers, keys and metadata of the zones; 400, 401, 404, 405, 413 for other requests; 503 if PowerDNS does not do it. `GET /status`: 204 if PowerDNS answers.
 * `POST /purge-all`, without a body: 204 when PowerDNS has forgotten everything and knows which zones exist, as after a flush of every zone. Callers who come while
 * that is under way share the next one. `GET /state`: 200 with {@link controlState}.
 * @throws ProgramError for an address beyond loopback without TLS
 */
export async function startControl(options: ControlOptions): Promise<ControlServer> {
  const { address, port, tls } = options;
  if (tls === null && !isLoopback(address))
    throw new ProgramError(
      `NAMESERVER_CONTROL_ADDRESS: ${address} is beyond loopback, so NAMESERVER_CONTROL_TLS_CERT and NAMESERVER_CONTROL_TLS_KEY must be set`,
    );
  const told: Told = {
    forgetting: new SharedForgetting(async (zone) => {
      const powerDns = options.powerDns();
      if (powerDns === null) throw new Error("PowerDNS does not run");
      await (zone === ALL ? forgetAllAndLearn(powerDns) : forgetZone(powerDns, zone));
    }),
    purgedAt: null,
  };
  const handle = (request: IncomingMessage, response: ServerResponse) =>
    void answer(request, options, told).then(
      (outcome) => send(response, outcome),
      () => send(response, { status: 400, error: "the request cannot be read" }),
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
  readonly state?: z.infer<typeof controlState>;
}

/** What a control server was told. */
interface Told {
  readonly forgetting: SharedForgetting;
  /** When everything was forgotten last. */
  purgedAt: Date | null;
}

async function answer(request: IncomingMessage, options: ControlOptions, told: Told): Promise<Outcome> {
  if (!isKey(request.headers.authorization, options.key)) return { status: 401, error: "the bearer key is wrong" };
  if (request.url === "/status" && request.method === "GET") {
    const isReady = await options.powerDns()?.isReady();
    return isReady ? { status: 204 } : AWAY;
  }
  if (request.url === "/state" && request.method === "GET") return readState(options, told);
  if (!["/flush", "/purge", "/purge-all"].includes(request.url ?? ""))
    return { status: 404, error: "the paths are /flush, /purge, /purge-all, /status and /state" };
  if (request.method !== "POST") return { status: 405, error: "only POST" };
  if (request.url === "/purge-all") return purgeAll(options, told);
  const text = await read(request);
  if (text === null) return { status: 413, error: `at most ${MOST_BYTES} bytes` };
  const { data, error } = body.safeParse(JSON.parse(text));
  if (data === undefined) return { status: 400, error: error.issues[0]?.message ?? "the body is wrong" };
  try {
    // Both forget everything: PowerDNS' control socket knows one command for all of it.
    await each([...new Set(data.zones)], async (zone) => {
      const count: typeof options.told = (outcome) => zone !== PROBED_ZONE && options.told?.(outcome);
      try {
        await told.forgetting.forget(zone);
        count("forgotten");
      } catch (error) {
        count("failed");
        throw error;
      }
    });
    return { status: 204 };
  } catch (failed) {
    options.log(`The nameserver did not forget a zone: ${failed instanceof Error ? failed.message : String(failed)}`);
    return AWAY;
  }
}

const AWAY: Outcome = { status: 503, error: "PowerDNS does not answer" };

async function purgeAll({ log }: ControlOptions, told: Told): Promise<Outcome> {
  try {
    await told.forgetting.forget(ALL);
    told.purgedAt = new Date();
    return { status: 204 };
  } catch (failed) {
    log(`The nameserver did not forget everything: ${failed instanceof Error ? failed.message : String(failed)}`);
    return AWAY;
  }
}

async function readState({ powerDns, version }: ControlOptions, { purgedAt }: Told): Promise<Outcome> {
  const statistics = await powerDns()
    ?.statistics()
    .catch(() => null);
  if (!statistics) return AWAY;
  const state = {
    version: version ?? null,
    zones: statistics.get("zone-cache-size") ?? 0,
    uptime_seconds: statistics.get("uptime") ?? 0,
    purged_at: purgedAt?.toISOString() ?? null,
  };
  return { status: 200, state };
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

function send(response: ServerResponse, { status, error, state }: Outcome): void {
  if (response.destroyed) return;
  const body = state ?? (error === undefined ? undefined : { error });
  // What is left of a body that was not read belongs to no next request.
  if (error !== undefined) response.setHeader("connection", "close");
  response.writeHead(status, body === undefined ? {} : { "content-type": "application/json" });
  response.end(body === undefined ? undefined : `${JSON.stringify(body)}\n`);
}

function isKey(header: string | undefined, key: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(header ?? ""), digest(`Bearer ${key}`));
}

function isLoopback(address: string): boolean {
  return address === "::1" || /^127(\.\d+){3}$/.test(address);
}
