import type { IncomingHttpHeaders } from "node:http";
import type net from "node:net";
import { isIP } from "node:net";
import { createSecureContext } from "node:tls";
import { Agent, buildConnector, type Dispatcher, errors } from "undici";
import { isLoopbackAddress, isPublicAddress } from "../ip-addresses.ts";
import { AnswerTooLarge, limitAnswers, MOST_ANSWER_BYTES } from "./answer-limit.ts";
import type { Resolver } from "./resolver.ts";
import { hostOf, readWebhookUrl, type WebhookUrl } from "./url-rules.ts";

/** One attempt. */
export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Whether http:// to this machine is allowed: for the test environment, where the deployment says so. */
  readonly allowLoopback: boolean;
  /** The time now by the clock that counts, in milliseconds since 1970: ours may be wrong. Dates of Retry-After are measured by it. */
  readonly nowMs: number;
}

/** Why an attempt failed; a stable name for the attempts' list. */
export type WebhookErrorCode =
  | "url_refused"
  | "address_refused"
  | "dns_failed"
  | "connection_failed"
  | "connection_reset"
  | "tls_failed"
  | "timeout"
  | "redirect"
  | "http_status"
  | "protocol_error"
  | "response_too_large";

/** What came back. */
export interface WebhookResponse {
  /** Null when there was no answer. */
  readonly status: number | null;
  /** The first 16 KiB, as text; null without an answer. */
  readonly body: string | null;
  /** Whether there was more, of the body or of what is sent around it. */
  readonly truncated: boolean;
  /** Null: a 2xx status. */
  readonly errorCode: WebhookErrorCode | null;
  /** Of 429 and 503, what Retry-After asks for; a day at most. */
  readonly retryAfterSeconds: number | null;
}

export interface WebhookSenderOptions {
  readonly resolver: Resolver;
  /** For tests: certificates that are trusted beside the system's. */
  readonly ca?: string;
  /** For tests: which addresses https:// connects to; otherwise public ones. */
  readonly isAllowed?: (address: string) => boolean;
  /** The whole attempt, in milliseconds. */
  readonly attemptMs?: number;
  readonly connectMs?: number;
}

/** Of a body, as many are kept. */
const MOST_BYTES = 16 * 1024;
/** Sockets whose connections are kept for what follows; with more of them, each ends with its answer. */
const MOST_KEPT_SOCKETS = 1_000;
const KEEP_ALIVE_MS = 4_000;
const ATTEMPT_MS = 15_000;
const CONNECT_MS = 5_000;
const MOST_RETRY_AFTER_SECONDS = 86_400;
/** Of each kind of a name's addresses, as many are tried. An answer may hold four thousand, and Node calls itself for each that fails at once. */
const MOST_ADDRESSES = 4;

/** Addresses whose judgement is remembered: a few MB at the longest. */
const MOST_TARGETS = 1_000;

interface Target {
  readonly origin: string;
  readonly path: string;
  readonly agent: Agent;
}

class AddressRefused extends Error {
  override readonly name = "AddressRefused";
}

/**
 * Posts webhooks over kept-alive connections, to public addresses only: the literal is judged after the URL standard has
 * read it, and each address that a name resolves to is judged where the connection is made to it, so what was judged is
 * what is connected to, whatever the name says a moment later. Redirects are not followed.
 */
export class WebhookSender {
  readonly #public: Agent;
  readonly #loopback: Agent;
  readonly #attemptMs: number;
  readonly #targets = new Map<string, Target | null>();
  /** Of both agents. */
  #openSockets = 0;

  constructor(options: WebhookSenderOptions) {
    const { resolver, ca, isAllowed = isPublicAddress, attemptMs = ATTEMPT_MS, connectMs = CONNECT_MS } = options;
    this.#attemptMs = attemptMs;
    const onSocket = (socket: net.Socket) => {
      this.#openSockets += 1;
      socket.once("close", () => {
        this.#openSockets -= 1;
      });
      limitAnswers(socket);
    };
    const agent = (isReachable: (address: string) => boolean) =>
      new Agent({
        connect: connector({ resolver, isAllowed: isReachable, connectMs, ca, onSocket }),
        // Endpoints of one host share it: a limit here would let one endpoint wait for another.
        connections: null,
        pipelining: 1,
        allowH2: false,
        // Shorter than what receivers keep idle connections open for (mostly 5 s and more): a POST on one that is just being
        // closed fails, and is not made again at once, since nobody can tell whether it was taken.
        keepAliveTimeout: KEEP_ALIVE_MS,
        // A receiver that asks for ten minutes gets no more either.
        keepAliveMaxTimeout: KEEP_ALIVE_MS,
        // The attempt has one limit, for everything.
        headersTimeout: 0,
        bodyTimeout: 0,
        // Never reached, for an answer is cut before: undici goes on parsing beyond its limit, and makes an error with a stack
        // trace for every further header, which takes a good part of a second for one answer.
        maxHeaderSize: 2 * MOST_ANSWER_BYTES,
      });
    this.#public = agent(isAllowed);
    this.#loopback = agent(isLoopbackAddress);
  }

  /** Makes one attempt. Never throws: whatever goes wrong is its outcome. */
  async send(request: WebhookRequest): Promise<WebhookResponse> {
    const target = this.#target(request);
    if (target === null) return failed("url_refused");
    const { origin, path, agent } = target;
    return new Promise((resolve) => {
      const exchange = new Exchange(request.nowMs, this.#attemptMs, resolve);
      const { headers, body } = request;
      const post = { origin, path, method: "POST" as const, headers: { ...headers }, body };
      try {
        agent.dispatch(this.#openSockets > MOST_KEPT_SOCKETS ? { ...post, reset: true } : post, exchange);
      } catch (error) {
        exchange.onResponseError(null, error as Error);
      }
    });
  }

  /** Where an address leads; null when it is refused. Judged once: what its text tells does not change. */
  #target({ url, allowLoopback }: WebhookRequest): Target | null {
    const key = `${allowLoopback} ${url}`;
    let target = this.#targets.get(key);
    if (target === undefined) {
      const read = readWebhookUrl(url, allowLoopback);
      target = "refused" in read ? null : this.#targetOf(read);
      if (this.#targets.size >= MOST_TARGETS) this.#targets.clear();
      this.#targets.set(key, target);
    }
    return target;
  }

  #targetOf({ url, isLoopback }: WebhookUrl): Target {
    const { origin, pathname, search } = new URL(url);
    return { origin, path: pathname + search, agent: isLoopback ? this.#loopback : this.#public };
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    await Promise.all([this.#public.destroy(), this.#loopback.destroy()]);
  }
}

/** One POST and its answer, as undici tells of it: without a stream, of which nothing here would be used. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #nowMs: number;
  readonly #resolve: (response: WebhookResponse) => void;
  readonly #timer: NodeJS.Timeout;
  #kept = Buffer.alloc(0);
  #keptBytes = 0;
  #controller: Dispatcher.DispatchController | null = null;
  #isLate = false;
  #status = 0;
  #retryAfter: string | string[] | undefined;

  constructor(nowMs: number, attemptMs: number, resolve: (response: WebhookResponse) => void) {
    this.#nowMs = nowMs;
    this.#resolve = resolve;
    this.#timer = setTimeout(() => {
      this.#isLate = true;
      if (this.#controller === null) this.#end(failed("timeout"));
      else this.#controller.abort(new Error("it took too long"));
    }, attemptMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // It waited for its connection all this time.
    if (this.#isLate) controller.abort(new Error("it took too long"));
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // Views, that would keep all that the socket brought with them for as long as the attempt takes.
    controller.rawHeaders = null;
    // What is said on the way (1xx) is no answer.
    if (status < 200) return;
    this.#status = status;
    this.#retryAfter = headers["retry-after"];
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const bytes = this.#keptBytes + chunk.length;
    this.#keep(chunk);
    if (bytes <= MOST_BYTES) return;
    // That it is longer is no failure; the connection is not kept.
    this.#end(this.#answer(true));
    controller.abort(new Error("it is long enough"));
  }

  onResponseEnd(): void {
    this.#end(this.#answer(false));
  }

  onResponseError(_: unknown, error: Error): void {
    const errorCode = this.#isLate ? "timeout" : codeOf(error);
    if (this.#status === 0) this.#end(failed(errorCode));
    // What a receiver has taken is not delivered again because it says too much.
    else if (errorCode === "response_too_large") this.#end(this.#answer(true));
    // An answer that is not whole for any other reason did not succeed.
    else this.#end({ ...this.#answer(true), errorCode });
  }

  /** A copy: the chunk is a view that would keep all that the socket brought with it. */
  #keep(chunk: Buffer): void {
    const bytes = Math.min(this.#keptBytes + chunk.length, MOST_BYTES);
    if (bytes > this.#kept.length) {
      // Twice as large each time, so that a body of many small chunks is not copied anew with each of them.
      const larger = Buffer.alloc(Math.min(Math.max(bytes, 2 * this.#kept.length), MOST_BYTES));
      this.#kept.copy(larger);
      this.#kept = larger;
    }
    this.#keptBytes += chunk.copy(this.#kept, this.#keptBytes);
  }

  #answer(truncated: boolean): WebhookResponse {
    const status = this.#status;
    return {
      status,
      body: textOf(this.#kept.subarray(0, this.#keptBytes)),
      truncated,
      errorCode: status >= 200 && status < 300 ? null : status >= 300 && status < 400 ? "redirect" : "http_status",
      retryAfterSeconds: status === 429 || status === 503 ? retryAfter(this.#retryAfter, this.#nowMs) : null,
    };
  }

  /** What comes first counts. */
  #end(response: WebhookResponse): void {
    clearTimeout(this.#timer);
    this.#resolve(response);
  }
}

const failed = (errorCode: WebhookErrorCode): WebhookResponse => ({
  status: null,
  body: null,
  truncated: false,
  errorCode,
  retryAfterSeconds: null,
});

/** Text as Postgres keeps it: what is no UTF-8, and NUL, is shown as U+FFFD. */
function textOf(bytes: Buffer): string {
  return bytes.toString("utf8").replaceAll("\0", "\uFFFD");
}

/** Seconds or a date (RFC 9110 §10.2.3), up to a day; null for neither. */
function retryAfter(header: string | string[] | undefined, nowMs: number): number | null {
  if (typeof header !== "string") return null;
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - nowMs) / 1_000);
  return Number.isNaN(seconds) ? null : Math.min(Math.max(0, seconds), MOST_RETRY_AFTER_SECONDS);
}

interface ConnectorOptions {
  readonly resolver: Resolver;
  readonly isAllowed: (address: string) => boolean;
  readonly connectMs: number;
  readonly ca: string | undefined;
  /** Told of each socket that has connected, before anything is sent over it. */
  readonly onSocket: (socket: net.Socket) => void;
}

/** Connects to the first address of a name that answers, after all of them were judged. */
function connector(settings: ConnectorOptions): buildConnector.connector {
  const { resolver, isAllowed, connectMs, ca, onSocket } = settings;
  const lookup: net.LookupFunction = (hostname, options, done) => {
    const name = hostname.replace(/\.$/, "");
    const found = /(^|\.)localhost$/.test(name) ? Promise.resolve(["127.0.0.1"]) : resolver.resolve(hostname);
    found.then(
      (addresses) => {
        // One wrong address is enough: a name that answers with both is up to something.
        if (!addresses.every(isAllowed)) return done(new AddressRefused(), "", 0);
        const all = [4, 6].flatMap((family) =>
          addresses
            .filter((address) => isIP(address) === family)
            .slice(0, MOST_ADDRESSES)
            .map((address) => ({ address, family })),
        );
        if (options.all) return done(null, all);
        return done(null, all[0]?.address ?? "", all[0]?.family ?? 0);
      },
      (error: NodeJS.ErrnoException) => done(Object.assign(error, { syscall: "dns" }), "", 0),
    );
  };
  const connect = buildConnector({
    timeout: connectMs,
    lookup,
    autoSelectFamily: true,
    // A receiver that may choose would choose HTTP/2, where the limits of an attempt (headers, a connection destroyed) are not ours.
    allowH2: false,
    // One for all connections: Node would make one for each, and V8, which does not see how much memory it takes, lets it lie.
    secureContext: createSecureContext(ca === undefined ? {} : { ca }),
  });
  return (options, callback) => {
    const host = hostOf(
      new URL(
        `${options.protocol}//${options.hostname.includes(":") && !options.hostname.startsWith("[") ? `[${options.hostname}]` : options.hostname}`,
      ),
    );
    // Of literals no look-up is made.
    if (isIP(host) !== 0 && !isAllowed(host)) return callback(new AddressRefused(), null);
    return connect(options, (...outcome) => {
      const [error, socket] = outcome;
      if (error === null) onSocket(socket);
      callback(...outcome);
    });
  };
}

/** Codes of Node and OpenSSL, by what they mean to a reader of the list. */
function codeOf(error: unknown): WebhookErrorCode {
  if (error instanceof AddressRefused) return "address_refused";
  if (error instanceof AnswerTooLarge) return "response_too_large";
  if (error instanceof errors.ConnectTimeoutError) return "timeout";
  const { code = "", syscall = "" } = error as NodeJS.ErrnoException;
  if (syscall === "dns" || syscall.startsWith("query")) return "dns_failed";
  if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_OSSL|EPROTO)/.test(code)) return "tls_failed";
  if (/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT|ENETDOWN)$/.test(code))
    return "connection_failed";
  if (error instanceof errors.HTTPParserError) return "protocol_error";
  // Undici's own name of a length that is not the body's.
  if (code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH") return "protocol_error";
  return "connection_reset";
}
