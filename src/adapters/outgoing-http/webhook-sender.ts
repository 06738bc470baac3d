import type { IncomingHttpHeaders } from "node:http";
import type net from "node:net";
import { Agent, type Dispatcher } from "undici";
import { isLoopbackAddress, isPublicAddress } from "../ip-addresses.ts";
import { limitAnswers, MOST_ANSWER_BYTES } from "./answer-limit.ts";
import { checkedConnector, type ExchangeFailure, failureOf } from "./checked-connection.ts";
import type { Resolver } from "./resolver.ts";
import { retryAfterSeconds } from "./retry-after.ts";
import { type TlsFailure, tlsFailureOf } from "./tls-failure.ts";
import { readWebhookUrl, type WebhookUrl } from "./url-rules.ts";

/** The request of one attempt. */
export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Whether http:// to this machine is allowed: in the test environment, if the deployment allows it. */
  readonly allowLoopback: boolean;
  /** The present time of the database's clock, in milliseconds since 1970, because this machine's clock may be wrong. Dates in Retry-After are compared with it. */
  readonly nowMs: number;
}

/** Why an attempt failed: a stable name for the list of attempts. */
export type WebhookErrorCode = ExchangeFailure | "url_refused" | "redirect" | "http_status";

/** The outcome of an attempt. */
export interface WebhookResponse {
  /** Null without an answer. */
  readonly status: number | null;
  /** The first 16 KiB of the body as text; null without an answer. */
  readonly body: string | null;
  /** Whether the answer had more, in the body or around it. */
  readonly truncated: boolean;
  /** Null for a 2xx status. */
  readonly errorCode: WebhookErrorCode | null;
  /** What of TLS failed, for `tls_failed`; null for every other code. */
  readonly errorDetail: TlsFailure | null;
  /** The time in Retry-After of a 429 or 503; a day at most. */
  readonly retryAfterSeconds: number | null;
}

export interface WebhookSenderOptions {
  readonly resolver: Resolver;
  /** For tests: certificates that are trusted beside the system's. */
  readonly ca?: string;
  /** For tests: the addresses that https:// may connect to; public addresses by default. */
  readonly isAllowed?: (address: string) => boolean;
  /** Time limit of the whole attempt, in milliseconds. */
  readonly attemptMs?: number;
  readonly connectMs?: number;
  /** For tests: how long an idle connection is kept. */
  readonly keepAliveMs?: number;
}

const NOTHING = Buffer.alloc(0);
/** Most bytes of a body that are kept. */
const MOST_BYTES = 16 * 1024;
/** Most sockets whose connections are kept for later requests. With more sockets, each connection ends with its answer. */
const MOST_KEPT_SOCKETS = 1_000;
const KEEP_ALIVE_MS = 4_000;
const ATTEMPT_MS = 15_000;
const CONNECT_MS = 5_000;

/** Most addresses whose check is cached: a few MB at their longest. */
const MOST_TARGETS = 1_000;

interface Target {
  readonly origin: string;
  readonly path: string;
  readonly agent: Agent;
}

/**
 * Posts webhooks over kept-alive connections, to public addresses only. A literal IP address is checked after the URL standard has
 * parsed it. Each address of a name is checked where the connection is made, so the checked address is
 * the connected address, even if the name changes a moment later. Redirects are not followed.
 */
export class WebhookSender {
  readonly #public: Agent;
  readonly #loopback: Agent;
  readonly #attemptMs: number;
  readonly #targets = new Map<string, Target | null>();
  /** Open sockets of both agents. */
  #openSockets = 0;

  constructor(options: WebhookSenderOptions) {
    const { resolver, ca, isAllowed = isPublicAddress } = options;
    const { attemptMs = ATTEMPT_MS, connectMs = CONNECT_MS, keepAliveMs = KEEP_ALIVE_MS } = options;
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
        connect: checkedConnector({ resolver, isAllowed: isReachable, connectMs, ca, onSocket }),
        // Endpoints of one host share a pool: with a limit here one endpoint would wait for another.
        connections: null,
        pipelining: 1,
        allowH2: false,
        // Shorter than the time for which receivers keep idle connections open (mostly 5 s and more). A POST on a connection that is being
        // closed fails, and cannot be repeated at once, because nobody knows whether the receiver accepted it.
        keepAliveTimeout: keepAliveMs,
        // A longer keep-alive time that a receiver asks for is ignored.
        keepAliveMaxTimeout: keepAliveMs,
        // The attempt as a whole has one limit.
        headersTimeout: 0,
        bodyTimeout: 0,
        // Never reached, because limitAnswers cuts an answer before. Beyond its own limit undici goes on parsing, and makes an error with a stack
        // trace for every further header, which takes a good part of a second for one answer.
        maxHeaderSize: 2 * MOST_ANSWER_BYTES,
      });
    this.#public = agent(isAllowed);
    this.#loopback = agent(isLoopbackAddress);
  }

  /** Makes one attempt. Never throws: every failure is an outcome. */
  send(request: WebhookRequest): Promise<WebhookResponse> {
    const target = this.#target(request);
    if (target === null) return Promise.resolve(failed("url_refused"));
    const { origin, path, agent } = target;
    return new Promise((resolve) => {
      const exchange = new Exchange(request.nowMs, this.#attemptMs, resolve);
      const { headers, body } = request;
      const post = { origin, path, method: "POST" as const, headers, body };
      try {
        agent.dispatch(this.#openSockets > MOST_KEPT_SOCKETS ? { ...post, reset: true } : post, exchange);
      } catch (error) {
        exchange.onResponseError(null, error as Error);
      }
    });
  }

  /** The target of an address; null if it is refused. The check is cached, because an address's text does not change. */
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

/** One POST and its answer, as an undici handler. It uses no stream, because nothing here needs one. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #nowMs: number;
  readonly #resolve: (response: WebhookResponse) => void;
  readonly #timer: NodeJS.Timeout;
  #kept = NOTHING;
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
    // All that time the request waited for its connection.
    if (this.#isLate) controller.abort(new Error("it took too long"));
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // These views would keep the socket's whole read buffer in memory during the attempt.
    controller.rawHeaders = null;
    // 101 Switching Protocols alone comes this far, and no final answer follows it.
    if (status < 200) return;
    this.#status = status;
    this.#retryAfter = headers["retry-after"];
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const bytes = this.#keptBytes + chunk.length;
    this.#keep(chunk);
    if (bytes <= MOST_BYTES) return;
    // A longer body is not a failure; only the connection is not kept.
    this.#end(this.#answer(true));
    controller.abort(new Error("it is long enough"));
  }

  onResponseEnd(): void {
    this.#end(this.#answer(false));
  }

  onResponseError(_: unknown, error: Error): void {
    const errorCode = this.#isLate ? "timeout" : failureOf(error);
    const errorDetail = errorCode === "tls_failed" ? tlsFailureOf(error) : null;
    if (this.#status === 0) this.#end(failed(errorCode, errorDetail));
    // The receiver accepted the delivery, so it is not repeated because the answer is too long.
    else if (errorCode === "response_too_large") this.#end(this.#answer(true));
    // An answer that is incomplete for any other reason is not a success.
    else this.#end({ ...this.#answer(true), errorCode, errorDetail });
  }

  /** Copies the chunk: it is a view that would keep the socket's whole read buffer in memory. */
  #keep(chunk: Buffer): void {
    const bytes = Math.min(this.#keptBytes + chunk.length, MOST_BYTES);
    if (bytes > this.#kept.length) {
      // The buffer doubles, so that a body of many small chunks is not copied with each chunk.
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
      body: this.#keptBytes === 0 ? "" : textOf(this.#kept.subarray(0, this.#keptBytes)),
      truncated,
      errorCode: status >= 200 && status < 300 ? null : status >= 300 && status < 400 ? "redirect" : "http_status",
      errorDetail: null,
      retryAfterSeconds: status === 429 || status === 503 ? retryAfterSeconds(this.#retryAfter, this.#nowMs) : null,
    };
  }

  /** The first outcome counts. */
  #end(response: WebhookResponse): void {
    clearTimeout(this.#timer);
    this.#resolve(response);
  }
}

const failed = (errorCode: WebhookErrorCode, errorDetail: TlsFailure | null = null): WebhookResponse => ({
  status: null,
  body: null,
  truncated: false,
  errorCode,
  errorDetail,
  retryAfterSeconds: null,
});

/** Text that Postgres can store: invalid UTF-8 and NUL become U+FFFD. */
function textOf(bytes: Buffer): string {
  return bytes.toString("utf8").replaceAll("\0", "\uFFFD");
}
