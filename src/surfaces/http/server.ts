import { randomUUID } from "node:crypto";
import { IncomingMessage, ServerResponse, STATUS_CODES } from "node:http";
import { Socket } from "node:net";
import querystring from "node:querystring";
import cors from "@fastify/cors";
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import helmet from "helmet";
import type { Logger } from "pino";
import type { Config } from "../../config/config.ts";
import { AppError, malformedRequest } from "../../errors/app-error.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { countRequests, countUnreadable } from "../metrics/request-metrics.ts";
import type { NotFoundPage } from "../web/serve.ts";
import {
  asAppError,
  documentationOf,
  type ErrorForm,
  errorBody,
  internalError,
  sendError,
  unknownPath,
} from "./errors.ts";
import { keepWhileWorking } from "./own-time.ts";
import { requestIdOf } from "./request-id.ts";

/** Headers of an answer. */
type Headers = Readonly<Record<string, string>>;

/** Headers of every response, also to requests that reached no route. */
function commonHeaders(requestId: string): Headers {
  return { "x-request-id": requestId, "cache-control": "no-store", "x-content-type-options": "nosniff" };
}

/** Helmet's headers, which are the same in every answer. They are computed once, because computing them takes as long as checking the limits. */
function securityHeaders(config: Config): Promise<Headers> {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const secure = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    strictTransportSecurity: config.publicUrl.startsWith("https:"),
  });
  return new Promise((resolve, reject) => {
    secure(response.req, response, (error) => (error ? reject(error) : resolve(response.getHeaders() as Headers)));
  });
}

/** How long a server waits for callers who send or take nothing, in milliseconds. */
export interface HttpTimeouts {
  /** Address and headers of a request must arrive within this time. */
  readonly headersMs: number;
  /** A connection on which a caller sends or takes nothing for this time is closed. The time in which we work on a request does not count. */
  readonly silenceMs: number;
  /** A body that is not a file must arrive within this time, even if it arrives in small pieces. */
  readonly bodyMs: number;
}

/** The default time-outs. */
export const HTTP_TIMEOUTS: HttpTimeouts = { headersMs: 10_000, silenceMs: 30_000, bodyMs: 30_000 };

/** Lowest speed of a file sent without a token, on average; the slowest mobile network is faster. */
const LEAST_BYTES_PER_SECOND = 8 * 1024;

/** Largest address and headers together, in bytes. */
const HEADER_MAX_BYTES = 16 * 1024;

/** Methods that a path may have. */
const METHODS = ["DELETE", "GET", "HEAD", "PATCH", "POST", "PUT"] as const;

declare module "fastify" {
  interface FastifyContextConfig {
    /** Who may send files to the route, in multipart bodies, which may be slow; absent if the route reads no files. */
    takesFilesOf?: "anyone" | "token holders";
  }
}

export interface Server {
  readonly app: FastifyInstance;
  /** Accepts no more requests and ends within SHUTDOWN_GRACE_SECONDS. */
  close(): Promise<void>;
}

/** The facts about surfaces that the server needs. */
export interface ServerSurfaces {
  /** The form of errors for a request with this URL that reaches no route. */
  readonly errorFormOf: (url: string) => ErrorForm;
  /** Request headers that contain credentials. */
  readonly credentialHeaders: readonly string[];
  /** Response headers of surfaces that pages of other origins may read. */
  readonly exposedHeaders: readonly string[];
  readonly notFoundPage: NotFoundPage;
  readonly timeouts: HttpTimeouts;
}

/** The HTTP server with what all surfaces share: request ids, logs, security headers, documented errors, a stop in limited time. */
export async function createServer(
  config: Config,
  log: Logger,
  metrics: Metrics,
  { errorFormOf, credentialHeaders, exposedHeaders, notFoundPage, timeouts }: ServerSurfaces,
): Promise<Server> {
  const { headersMs, silenceMs, bodyMs } = timeouts;
  const secure = await securityHeaders(config);
  /** Answers a request whose address leads nowhere: with a page to a browser, otherwise with the error in the form of its surface. */
  const refuse = async (error: AppError, request: FastifyRequest, reply: FastifyReply) => {
    const page = notFoundPage(request, reply);
    if (page === null) return sendError(reply, error, errorFormOf(request.url));
    // A reply is thenable: awaited, it is nothing.
    await page;
    return reply;
  };
  const app: FastifyInstance = fastify({
    loggerInstance: log as FastifyBaseLogger,
    genReqId: ({ headers }) => requestIdOf(headers["x-request-id"]),
    // With null, a caller's address is that of the connection, which no caller can choose.
    trustProxy: trusted(config.trustProxy),
    // Fastify's own log lines contain addresses and queries. We write one line for each request instead.
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: {
      querystringParser: (text) => querystring.parse(text, "&", "=", { maxKeys: 100 }),
      // Every request line that the server reads reaches its route, which reports what is wrong.
      maxParamLength: HEADER_MAX_BYTES,
    },
    // Slow or silent senders of headers are cut off. Files may have gigabytes and take their time.
    http: {
      maxHeaderSize: HEADER_MAX_BYTES,
      headersTimeout: headersMs,
      // Node looks every 30 seconds by default.
      connectionsCheckingInterval: headersMs / 10,
      requestTimeout: 0,
    },
    connectionTimeout: silenceMs,
    forceCloseConnections: "idle",
    return503OnClosing: false,
    // A path that does not decode is refused before any hook runs.
    frameworkErrors: (error, given, givenReply) => {
      const request = given as FastifyRequest;
      const reply = givenReply as unknown as FastifyReply;
      void reply.headers({ ...secure, ...commonHeaders(request.id) });
      refuse(asAppError(error) ?? internalError(request.id), request, reply)
        .catch((failure: unknown) => {
          request.log.error({ err: failure }, "request failed");
          sendError(reply, internalError(request.id), errorFormOf(request.url));
        })
        .finally(() => countUnreadable(metrics, reply.statusCode));
    },
    clientErrorHandler: (error, socket) => refuseBytes(error, socket, metrics, config.publicUrl),
  });
  app.decorate("publicUrl", config.publicUrl);
  countRequests(app, metrics);
  const close = boundedClose(app, config.shutdownGraceSeconds);
  app.addHook("onRequest", (request, reply, next) => {
    void reply.headers({ ...secure, ...commonHeaders(request.id) });
    next();
  });
  if (config.corsOrigins.length > 0)
    await app.register(cors, corsOptions(config.corsOrigins, credentialHeaders, exposedHeaders));
  app.addHook("onRequest", async (request) => {
    requireEncodedQuery(request.url);
    requireOneHost(request.raw.rawHeaders);
    requireUtf8(request.headers["content-type"]);
    const { takesFilesOf } = request.routeOptions.config;
    const isMultipart = /^multipart\//i.test(request.headers["content-type"] ?? "");
    if (!isMultipart || takesFilesOf === undefined) limitBodyTime(request.raw, bodyMs);
    else if (takesFilesOf === "anyone") requireProgress(request.raw, bodyMs);
  });
  keepWhileWorking(app);
  app.addHook("onResponse", (request, reply, next) => {
    const route = request.routeOptions.url ?? null;
    request.log.info(
      { method: request.method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      "request",
    );
    next();
  });
  app.setErrorHandler(async (error, request, reply) => {
    const known = asAppError(error);
    if (known === null) request.log.error({ err: error }, "request failed");
    const told = known ?? internalError(request.id);
    const isUnreadable = told.code === "malformed_request";
    return isUnreadable ? refuse(told, request, reply) : sendError(reply, told, errorFormOf(request.url));
  });
  app.setNotFoundHandler(async (request, reply) => {
    const url = request.url.replace(/\?.*$/s, "");
    const error = unknownPath(reply, url, (path) => METHODS.filter((method) => app.hasRoute({ method, url: path })));
    return error.status === 404 ? refuse(error, request, reply) : sendError(reply, error, errorFormOf(request.url));
  });
  return { app, close };
}

/** CORS for the configured origins. Without credentials mode: sessions are for our own pages, so pages of other origins send no cookies. */
function corsOptions(
  origins: readonly string[],
  credentialHeaders: readonly string[],
  exposedHeaders: readonly string[],
) {
  return {
    origin: [...origins],
    methods: [...METHODS],
    allowedHeaders: [
      ...new Set(["Authorization", ...credentialHeaders]),
      "Content-Type",
      "Idempotency-Key",
      "If-None-Match",
      "If-Range",
      "Range",
      "X-Request-Id",
      "Apollo-Require-Preflight",
      // What instrumented clients add to every request (W3C Trace Context, W3C Baggage).
      "traceparent",
      "tracestate",
      "baggage",
    ],
    exposedHeaders: [
      "X-Request-Id",
      "Idempotent-Replayed",
      "Link",
      "RateLimit",
      "RateLimit-Policy",
      "Retry-After",
      "Accept-Ranges",
      "Content-Range",
      "ETag",
      ...exposedHeaders,
    ],
    maxAge: 600,
    strictPreflight: false,
  };
}

/** The proxies whose X-Forwarded-For is believed. */
function trusted(proxies: Config["trustProxy"]) {
  if (typeof proxies === "number") return (_address: string, hop: number) => hop < proxies;
  return proxies ?? false;
}

/**
 * Stops a server in limited time: requests under way finish within the grace period, their connections close with
 * the answer, and connections without any request are closed at once (Node does not count them as idle).
 */
function boundedClose(app: FastifyInstance, graceSeconds: number): () => Promise<void> {
  const unused = new Set<Socket>();
  let closing = false;
  app.server.on("connection", (socket: Socket) => {
    unused.add(socket);
    socket.once("close", () => unused.delete(socket));
  });
  app.addHook("onRequest", (request, _reply, next) => {
    unused.delete(request.raw.socket);
    next();
  });
  app.addHook("onSend", (_request, reply, payload, next) => {
    if (closing) reply.header("connection", "close");
    next(null, payload);
  });
  return async () => {
    closing = true;
    for (const socket of unused) socket.destroy();
    const timer = setTimeout(() => app.server.closeAllConnections(), graceSeconds * 1_000);
    try {
      await app.close();
    } finally {
      clearTimeout(timer);
    }
  };
}

function limitBodyTime(request: IncomingMessage, bodyMs: number): void {
  if (request.complete) return;
  const timer = setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, bodyMs).unref();
  request.once("end", () => clearTimeout(timer));
  request.once("close", () => clearTimeout(timer));
}

/** A file may take its time, but a sender without a token must keep sending: very slow senders could hold sockets open forever. */
function requireProgress(request: IncomingMessage, everyMs: number): void {
  if (request.complete) return;
  let read = request.socket.bytesRead;
  const timer = setInterval(() => {
    const { bytesRead } = request.socket;
    if (!request.complete && bytesRead - read < (everyMs / 1_000) * LEAST_BYTES_PER_SECOND) request.socket.destroy();
    read = bytesRead;
  }, everyMs).unref();
  request.once("end", () => clearInterval(timer));
  request.once("close", () => clearInterval(timer));
}

/** Refuses broken percent-encoding instead of guessing its meaning. */
function requireEncodedQuery(url: string): void {
  try {
    decodeURIComponent(url.replace(/^[^?]*/, ""));
  } catch {
    throw malformedRequest("The query is not valid percent-encoded UTF-8.");
  }
}

/** Node takes the first of several, a proxy in front of it perhaps another (RFC 9112, 3.2). */
function requireOneHost(rawHeaders: readonly string[]): void {
  const hosts = rawHeaders.filter((name, place) => place % 2 === 0 && name.toLowerCase() === "host");
  if (hosts.length > 1) throw malformedRequest("The request has several Host headers.");
}

const UTF8 = ["utf-8", "utf8", "us-ascii"];

/** JSON is UTF-8 (RFC 8259, 8.1): another charset would be read as other characters than were sent. */
function requireUtf8(contentType: string | undefined): void {
  const [type = "", ...parameters] = (contentType ?? "").toLowerCase().split(";");
  if (!type.includes("json")) return;
  for (const parameter of parameters) {
    const [name = "", value = ""] = parameter.split("=");
    if (name.trim() !== "charset" || UTF8.includes(value.trim().replaceAll('"', ""))) continue;
    throw new AppError(415, "unsupported_media_type", "JSON must be UTF-8.");
  }
}

/** Answers bytes that are not an HTTP request, or headers beyond 16 KiB: Node passes only the connection. */
function refuseBytes(error: NodeJS.ErrnoException, socket: Socket, metrics: Metrics, publicUrl: string): void {
  // Browsers open connections in advance. An answer there would be taken for that of the first request, which they send again after a mere end.
  const isUnused = error.code === "ERR_HTTP_REQUEST_TIMEOUT" && socket.bytesRead === 0;
  if (error.code === "ECONNRESET" || !socket.writable || isUnused) {
    socket.destroy();
    return;
  }
  const refusal =
    error.code === "HPE_HEADER_OVERFLOW"
      ? new AppError(413, "too_large", "The address and headers are larger than 16 KiB.")
      : malformedRequest("The request is not readable as HTTP.");
  countUnreadable(metrics, refusal.status);
  metrics.errorTold(refusal.code);
  const requestId = randomUUID();
  const body = JSON.stringify(errorBody(refusal, requestId, documentationOf(refusal, publicUrl)));
  const headers = {
    ...commonHeaders(requestId),
    "content-type": "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${head.join("\r\n")}\r\n\r\n${body}`);
}
