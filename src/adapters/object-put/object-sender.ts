import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { Agent, type Dispatcher } from "undici";
import { isLoopbackAddress, isPublicAddress } from "../ip-addresses.ts";
import { limitAnswers, MOST_ANSWER_BYTES } from "../outgoing-http/answer-limit.ts";
import { checkedConnector, type ExchangeFailure, failureOf } from "../outgoing-http/checked-connection.ts";
import type { Resolver } from "../outgoing-http/resolver.ts";
import { type StorageKey, signRequest } from "./sign-request.ts";
import { readStorageUrl } from "./storage-url.ts";

/** An object, and where it goes. */
export interface ObjectPut extends StorageKey {
  /** Address of the storage, as {@link readStorageUrl} gives it. */
  readonly endpoint: string;
  readonly bucket: string;
  /** Name of the object in the bucket. */
  readonly name: string;
  readonly contentType: string;
  /** Length and SHA-256 (hexadecimal) of the content, which is sent as it is read. */
  readonly size: number;
  readonly sha256: string;
  readonly content: () => AsyncIterable<Uint8Array>;
  /** Whether http:// to this machine is allowed: in the test environment, if the deployment allows it. */
  readonly allowLoopback: boolean;
  /** The present time, by a clock that is right. */
  readonly at: Date;
}

/** What became of a PUT: a status alone for 2xx. */
export interface PutOutcome {
  /** Null without an answer. */
  readonly status: number | null;
  /** Null for a 2xx status. A capital begins the storage's own word, such as NoSuchBucket. */
  readonly code:
    | ExchangeFailure
    | "url_refused"
    | "redirect"
    | "http_status"
    | "incomplete"
    | Capitalize<string>
    | null;
}

/** The content could not be read to its end: no fault of the storage that it goes to. */
export class ContentError extends Error {
  override readonly name = "ContentError";
}

export interface ObjectSenderOptions {
  readonly resolver: Resolver;
  /** For tests: certificates that are trusted beside the system's. */
  readonly ca?: string;
  /** For tests: the addresses that https:// may connect to; public addresses by default. */
  readonly isAllowed?: (address: string) => boolean;
  readonly connectMs?: number;
  /** Longest time in which nothing of the content is taken and nothing is answered, in milliseconds. */
  readonly silenceMs?: number;
  /** Longest time of a PUT, in milliseconds. */
  readonly wholeMs?: number;
}

const CONNECT_MS = 10_000;
const SILENCE_MS = 60_000;
/** A storage that takes a byte a minute would hold a place of a worker for days. */
const WHOLE_MS = 15 * 60_000;
const KEEP_ALIVE_MS = 4_000;
/** Most bytes of an answer in which the word for the failure is looked for. */
const MOST_ERROR_BYTES = 4_096;
/** How storages ask for a Content-MD5. Amazon says InvalidRequest where a bucket has a retention period. */
const MAY_WANT_MD5 = ["InvalidRequest", "MissingContentMD5"];

/**
 * Puts objects into storages that customers choose, with the one verb of S3 that is needed: a signed PUT, path style, to a checked address (see
 * `../outgoing-http/checked-connection.ts`). Redirects are not followed. Of the content of an answer, the word for a failure alone is kept.
 */
export class ObjectSender {
  readonly #public: Agent;
  readonly #loopback: Agent;
  readonly #silenceMs: number;
  readonly #wholeMs: number;

  constructor({ resolver, ca, isAllowed = isPublicAddress, ...limits }: ObjectSenderOptions) {
    const { connectMs = CONNECT_MS, silenceMs = SILENCE_MS, wholeMs = WHOLE_MS } = limits;
    this.#silenceMs = silenceMs;
    this.#wholeMs = wholeMs;
    const agent = (isReachable: (address: string) => boolean) =>
      new Agent({
        connect: checkedConnector({ resolver, isAllowed: isReachable, connectMs, ca, onSocket: limitAnswers }),
        connections: null,
        pipelining: 1,
        allowH2: false,
        keepAliveTimeout: KEEP_ALIVE_MS,
        keepAliveMaxTimeout: KEEP_ALIVE_MS,
        headersTimeout: 0,
        bodyTimeout: 0,
        // See WebhookSender.
        maxHeaderSize: 2 * MOST_ANSWER_BYTES,
      });
    this.#public = agent(isAllowed);
    this.#loopback = agent(isLoopbackAddress);
  }

  /**
   * Makes one attempt. Every failure of the storage is an outcome. A bucket that may want a Content-MD5 gets the object once more with it: other
   * storages do not need it, and it takes another reading.
   * @throws ContentError when the content cannot be read; the signal's reason
   */
  async put(object: ObjectPut, signal?: AbortSignal): Promise<PutOutcome> {
    const outcome = await this.#put(object, {}, signal);
    if (outcome.code === null || !MAY_WANT_MD5.includes(outcome.code)) return outcome;
    return this.#put(object, { "content-md5": await md5Of(object) }, signal);
  }

  async #put(
    object: ObjectPut,
    more: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ): Promise<PutOutcome> {
    const read = readStorageUrl(object.endpoint, object.allowLoopback);
    if ("refused" in read) return { status: null, code: "url_refused" };
    const url = new URL(`${read.url}/${escaped(object.bucket)}/${object.name.split("/").map(escaped).join("/")}`);
    const headers = await signRequest(
      {
        method: "PUT",
        url,
        headers: { "content-type": object.contentType, "content-length": String(object.size), ...more },
        sha256: object.sha256,
      },
      object,
      object.at,
    );
    signal?.throwIfAborted();
    const exchange = new Exchange(object, this.#silenceMs, this.#wholeMs, signal);
    const request = { origin: url.origin, path: url.pathname, method: "PUT" as const, headers, body: exchange.body() };
    try {
      (read.isLoopback ? this.#loopback : this.#public).dispatch(
        request as unknown as Dispatcher.DispatchOptions,
        exchange,
      );
    } catch (error) {
      exchange.onResponseError(null, error as Error);
    }
    return exchange.outcome;
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    await Promise.all([this.#public.destroy(), this.#loopback.destroy()]);
  }
}

/** As signatures want it: all but letters, digits and - . _ ~ is escaped. */
const escaped = (part: string) =>
  encodeURIComponent(part).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** @throws ContentError when the content cannot be read */
async function md5Of({ content }: Pick<ObjectPut, "content">): Promise<string> {
  const hash = createHash("md5");
  try {
    for await (const chunk of content()) hash.update(chunk);
  } catch (error) {
    throw new ContentError("the content cannot be read", { cause: error });
  }
  return hash.digest("base64");
}

/** One PUT and its answer, as an undici handler. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly outcome: Promise<PutOutcome>;
  readonly #object: Pick<ObjectPut, "content" | "size">;
  readonly #signal: AbortSignal | undefined;
  readonly #whole: NodeJS.Timeout;
  readonly #silence: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | null = null;
  #end: (outcome: PutOutcome) => void = () => {};
  #throw: (error: unknown) => void = () => {};
  #status = 0;
  #isLate = false;
  #isSettled = false;
  #sentBytes = 0;
  #errorText = "";
  #contentError: unknown;

  constructor(object: Pick<ObjectPut, "content" | "size">, silenceMs: number, wholeMs: number, signal?: AbortSignal) {
    this.#object = object;
    this.#signal = signal;
    this.outcome = new Promise((resolve, reject) => {
      this.#end = resolve;
      this.#throw = reject;
    });
    this.#silence = setTimeout(() => this.#tooLate(), silenceMs);
    this.#whole = setTimeout(() => this.#tooLate(), wholeMs);
    signal?.addEventListener("abort", this.#stop, { once: true });
  }

  /** The content, as the connection takes it. */
  async *body(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of this.#object.content()) {
        this.#progress();
        this.#sentBytes += chunk.length;
        yield chunk;
      }
      if (this.#sentBytes !== this.#object.size) throw new Error("the content has another length");
    } catch (error) {
      this.#contentError = error;
      throw error;
    }
    this.#progress();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isLate) controller.abort(new Error("it took too long"));
    else this.#progress();
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, _headers: IncomingHttpHeaders): void {
    controller.rawHeaders = null;
    this.#progress();
    // An interim answer (1xx) is not the answer.
    if (status >= 200) this.#status = status;
  }

  onResponseData(_: unknown, chunk: Uint8Array): void {
    this.#progress();
    if (this.#status < 300 || this.#errorText.length >= MOST_ERROR_BYTES) return;
    this.#errorText += Buffer.from(chunk.subarray(0, MOST_ERROR_BYTES)).toString("latin1");
  }

  onResponseEnd(): void {
    this.#settle(() => this.#end(this.#answer()));
  }

  onResponseError(_: unknown, error: Error): void {
    this.#settle(() => {
      if (this.#signal?.aborted) return this.#throw(this.#signal.reason);
      if (this.#contentError !== undefined)
        return this.#throw(new ContentError("the content cannot be read", { cause: this.#contentError }));
      // The status is what counts, however long its words are, and though the storage did not wait for all of the content.
      if (this.#status !== 0) return this.#end(this.#answer());
      return this.#end({ status: null, code: this.#isLate ? "timeout" : failureOf(error) });
    });
  }

  readonly #stop = () => {
    if (this.#controller === null) this.onResponseError(null, new Error("stopped"));
    else this.#controller.abort(new Error("stopped"));
  };

  #answer(): PutOutcome {
    const status = this.#status;
    // HTTP has no such status (RFC 9110 §15), and whoever keeps outcomes no place for one.
    if (status > 599) return { status: null, code: "protocol_error" };
    // Whoever answers before it has the object has not stored it.
    if (status < 300 && this.#sentBytes < this.#object.size) return { status, code: "incomplete" };
    if (status < 300) return { status, code: null };
    // The word alone: whatever else the answer holds is not for whoever chose the address.
    const [, word] = /<Error[ >].*?<Code>([A-Z][A-Za-z0-9]{0,63})<\/Code>/s.exec(this.#errorText) ?? [];
    return { status, code: (word as Capitalize<string> | undefined) ?? (status < 400 ? "redirect" : "http_status") };
  }

  #progress(): void {
    // A timer that was cleared would run again.
    if (!this.#isSettled) this.#silence.refresh();
  }

  #tooLate(): void {
    this.#isLate = true;
    if (this.#controller === null) this.onResponseError(null, new Error("it took too long"));
    else this.#controller.abort(new Error("it took too long"));
  }

  /** The first outcome counts: a promise settles once. */
  #settle(settle: () => void): void {
    this.#isSettled = true;
    clearTimeout(this.#silence);
    clearTimeout(this.#whole);
    this.#signal?.removeEventListener("abort", this.#stop);
    settle();
  }
}
