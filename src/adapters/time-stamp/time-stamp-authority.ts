import { randomBytes } from "node:crypto";
import { Certificate } from "pkijs";
import { type Agent, request } from "undici";
import { limitedAgent } from "../outgoing-http/limited-agent.ts";
import { tokenOf } from "./check-answer.ts";
import { bytesOf } from "./der.ts";
import { TimeStampFailed } from "./time-stamp-failed.ts";
import { timeStampRequest } from "./time-stamp-query.ts";

/** The longest answer that is read, its token included: a token with three certificates has 6,000 bytes. */
export const MOST_TOKEN_BYTES = 16 * 1024;
const WHOLE_MS = 10_000;

export interface TimeStampAuthorityOptions {
  /** http or https, with name and password where the authority wants them. Any address: it is the operator's word. */
  readonly url: string;
  /** PEM: the roots of the authority's certificate. */
  readonly roots: string;
  /** For tests: time limit of a whole request, in milliseconds. */
  readonly wholeMs?: number;
  /** For tests: the clock that the authority's is compared with. */
  readonly now?: () => Date;
}

/** A client of a time-stamp authority (RFC 3161 over HTTP). Redirects are not followed, and nothing is asked twice. */
export class TimeStampAuthority {
  readonly #url: URL;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #roots: readonly Certificate[];
  readonly #wholeMs: number;
  readonly #now: () => Date;
  readonly #agent: Agent;

  /** @throws Error if the roots are none */
  constructor({ url, roots, wholeMs = WHOLE_MS, now = () => new Date() }: TimeStampAuthorityOptions) {
    const { origin, pathname, search, username, password } = new URL(url);
    this.#url = new URL(pathname + search, origin);
    const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
    this.#headers = {
      "content-type": "application/timestamp-query",
      accept: "application/timestamp-reply",
      ...(username !== "" && { authorization: `Basic ${credentials.toString("base64")}` }),
    };
    this.#roots = rootsIn(roots);
    this.#wholeMs = wholeMs;
    this.#now = now;
    this.#agent = limitedAgent(wholeMs);
  }

  /**
   * A time stamp over these bytes, of which the authority sees the SHA-256 alone: a token (DER), after all its checks.
   * @throws TimeStampFailed; the signal's reason
   */
  async stamp(data: Uint8Array, signal?: AbortSignal): Promise<Buffer> {
    // The first bit is 0 and the next one 1: a positive number of exactly these bytes.
    const nonce = randomBytes(16);
    nonce[0] = 0x40 | ((nonce[0] ?? 0) & 0x3f);
    const query = { data, nonce };
    const answer = await this.#ask(timeStampRequest(query), signal);
    return tokenOf(answer, { query, roots: this.#roots, now: this.#now() });
  }

  async #ask(body: Buffer, signal: AbortSignal | undefined): Promise<Buffer> {
    // Our own timer: AbortSignal.any keeps no signal of AbortSignal.timeout alive.
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), this.#wholeMs);
    try {
      const response = await request(this.#url, {
        dispatcher: this.#agent,
        method: "POST",
        headers: this.#headers,
        body,
        // A kept connection may be closing just then, and the request would be lost.
        reset: true,
        signal: signal === undefined ? patience.signal : AbortSignal.any([patience.signal, signal]),
      });
      const answer = await readAnswer(response.body);
      if (response.statusCode !== 200) throw new TimeStampFailed(`the authority answered ${response.statusCode}`);
      return answer;
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof TimeStampFailed) throw error;
      if (patience.signal.aborted)
        throw new TimeStampFailed(`the authority did not answer in ${this.#wholeMs / 1_000} seconds`);
      throw new TimeStampFailed(`the authority cannot be asked: ${reasonOf(error)}`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  /** Closes all connections. */
  close(): Promise<void> {
    return this.#agent.destroy();
  }
}

async function readAnswer(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > MOST_TOKEN_BYTES) throw new TimeStampFailed(`the answer is longer than ${MOST_TOKEN_BYTES} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/g;

/** The certificates of a text in PEM, DER. */
export const certificatesIn = (pem: string): Buffer[] =>
  [...pem.matchAll(CERTIFICATE)].map(([, base64 = ""]) => Buffer.from(base64, "base64"));

function rootsIn(pem: string): Certificate[] {
  const found = certificatesIn(pem).map((each) => Certificate.fromBER(bytesOf(each)));
  if (found.length === 0) throw new Error("there is no certificate in it");
  return found;
}

/** Without the message, which may name the address. */
function reasonOf(error: unknown): string {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  return typeof code === "string" ? code : String(name);
}
