import { createHash } from "node:crypto";
import http from "node:http";
import type net from "node:net";
import type { buildConnector } from "undici";
import { isLoopbackAddress, isPublicAddress } from "../ip-addresses.ts";
import { checkedConnector, type ExchangeFailure, failureOf } from "../outgoing-http/checked-connection.ts";
import type { Resolver } from "../outgoing-http/resolver.ts";
import { hostOf, readPublishedUrl } from "../outgoing-http/url-rules.ts";
import { SharedFetches } from "./shared-fetches.ts";

/** Most bytes of an answer. Lists of authorities of ICP-Brasil have up to some MiB. */
export const MOST_ANSWER_BYTES = 10 * 1024 * 1024;
/** Most bytes around the body: heads, chunk sizes, interim answers. */
const MOST_AROUND_BYTES = 1024 * 1024;
const MOST_HEAD_BYTES = 16 * 1024;
const CONNECT_MS = 3_000;

/** A question to an address that a certificate names. */
export interface RevocationQuestion {
  readonly url: string;
  /** The OCSP request to post; null for the GET of a list. */
  readonly body: Buffer | null;
  /** Whether http:// to this machine is allowed: in the test environment, if the deployment allows it. */
  readonly allowLoopback: boolean;
  readonly signal: AbortSignal;
}

export type FetchFailure = ExchangeFailure | "url_refused" | "redirect" | "http_status" | "busy";

export interface RevocationFetcherOptions {
  readonly resolver: Resolver;
  /** For tests: certificates that are trusted beside the system's. */
  readonly ca?: string;
  /** For tests: the addresses that may be connected to; public addresses by default. */
  readonly isAllowed?: (address: string) => boolean;
}

/**
 * Asks OCSP responders and fetches lists, at public addresses only (`../outgoing-http/checked-connection.ts`). Each question has its own connection.
 * Equal questions at the same time are one, and a few run at once. Redirects are not followed. Node's own client reads the answer, because it bounds heads and trailers by itself while a body of 10 MiB goes on.
 */
export class RevocationFetcher {
  readonly #public: buildConnector.connector;
  readonly #loopback: buildConnector.connector;
  readonly #shared = new SharedFetches<Buffer>();

  constructor({ resolver, ca, isAllowed = isPublicAddress }: RevocationFetcherOptions) {
    const connector = (isReachable: (address: string) => boolean) =>
      checkedConnector({ resolver, isAllowed: isReachable, connectMs: CONNECT_MS, ca, onSocket: () => {} });
    this.#public = connector(isAllowed);
    this.#loopback = connector(isLoopbackAddress);
  }

  /** Never throws: every failure is an outcome. */
  async fetch(question: RevocationQuestion): Promise<Buffer | FetchFailure> {
    const read = readPublishedUrl(question.url, question.allowLoopback);
    if ("refused" in read) return "url_refused";
    const url = new URL(read.url);
    const { body, signal } = question;
    // The list that a GET answers, or the answer to this very question.
    const asked = body === null ? "" : createHash("sha256").update(body).digest("hex");
    const key = `${read.isLoopback} ${url.href} ${asked}`;
    try {
      return await this.#shared.fetch({ key, host: url.host, signal }, (whole) =>
        exchange(url, read.isLoopback ? this.#loopback : this.#public, { body, signal: whole }),
      );
    } catch (error) {
      if (question.signal.aborted) return "timeout";
      return error instanceof Failed ? error.failure : failureOf(error);
    }
  }
}

class Failed extends Error {
  override readonly name = "Failed";
  readonly failure: FetchFailure;

  constructor(failure: FetchFailure) {
    super(failure);
    this.failure = failure;
  }
}

async function exchange(
  url: URL,
  connect: buildConnector.connector,
  { body, signal }: Pick<RevocationQuestion, "body" | "signal">,
): Promise<Buffer> {
  signal.throwIfAborted();
  let socket: net.Socket | null = null;
  const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
    const request = http.request({
      host: hostOf(url),
      path: url.pathname + url.search,
      method: body ? "POST" : "GET",
      headers: {
        host: url.host,
        accept: body ? "application/ocsp-response" : "application/pkix-crl, */*",
        ...(body ? { "content-type": "application/ocsp-request", "content-length": body.length } : {}),
      },
      maxHeaderSize: MOST_HEAD_BYTES,
      signal,
      // Undici's connector gives the connected socket, with TLS where the address has https://.
      createConnection: (_, done) => {
        connect(
          { protocol: url.protocol, hostname: hostOf(url), host: url.host, port: url.port },
          (error, connected) => {
            socket = connected;
            if (error) done(error, connected as never);
            else if (signal.aborted) connected.destroy();
            else done(null, connected);
          },
        );
        return undefined;
      },
    });
    // Any number of interim answers: each has a bounded head.
    request.on("information", () => {
      if ((socket?.bytesRead ?? 0) > MOST_AROUND_BYTES) request.destroy(new Failed("response_too_large"));
    });
    request.once("response", resolve).on("error", reject);
    request.end(body ?? undefined);
  });
  return bodyOf(answer, () => socket?.bytesRead ?? 0);
}

async function bodyOf(answer: http.IncomingMessage, bytesRead: () => number): Promise<Buffer> {
  const { statusCode = 0 } = answer;
  if (statusCode !== 200) {
    answer.destroy();
    throw new Failed(statusCode >= 300 && statusCode < 400 ? "redirect" : "http_status");
  }
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of answer as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > MOST_ANSWER_BYTES || bytesRead() > MOST_ANSWER_BYTES + MOST_AROUND_BYTES)
      throw new Failed("response_too_large");
    pieces.push(piece);
  }
  return Buffer.concat(pieces, size);
}
