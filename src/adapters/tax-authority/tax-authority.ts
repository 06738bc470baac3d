import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { Agent, type Dispatcher, request } from "undici";
import { operatorConnector } from "../outgoing-http/operator-connection.ts";
import { retryAfterSeconds } from "../outgoing-http/retry-after.ts";
import { CANCELLATION_EVENT } from "./access-key.ts";
import { type AuthorityError, accessKeyOfAnswer, documentOf, errorsOf } from "./authority-answers.ts";
import { packXml } from "./packed-xml.ts";
import type { TaxIdentity } from "./sign-xml.ts";

export interface TaxAuthorityOptions {
  /** Of Sefin Nacional: https, with its path, as `https://sefin.nfse.gov.br/SefinNacional`. */
  readonly baseUrl: string;
  /** Authorities of the server's certificate, in PEM, in place of the system's. */
  readonly ca?: string;
  readonly connectMs?: number;
  /** Time limit of a whole request, in milliseconds. */
  readonly requestMs?: number;
  /** The present time in milliseconds since 1970, for dates in Retry-After. */
  readonly now?: () => number;
}

/** The tax authority has decided against the request. */
export interface Refused {
  readonly kind: "refused";
  readonly status: number;
  /** At least one. */
  readonly errors: readonly AuthorityError[];
  /** The JSON text of the answer. */
  readonly body: string;
}

/** Nobody knows whether the request had an effect. */
export interface Doubt {
  readonly kind: "doubt";
  /** "transport" without a whole answer; otherwise its status. */
  readonly code: "transport" | `http_${number}`;
  /** A day at most. */
  readonly retryAfterSeconds: number | null;
  /** For logs: the code of the error that ended the exchange, like ECONNREFUSED; null when an answer came. */
  readonly detail: string | null;
}

/** The tax authority knows no such document. */
export interface Absent {
  readonly kind: "absent";
}

/** A document that came with an answer. It counts only after {@link readNfse} or {@link readCancellationEvent} has verified it. */
export interface Accepted {
  readonly kind: "accepted";
  readonly xml: string;
  readonly body: string;
}

/** The access key of the NFS-e that a DPS became. */
export interface FoundDps {
  readonly kind: "accepted";
  readonly accessKey: string;
  readonly body: string;
}

/** An exchange that ended without a whole answer. */
interface Broken {
  readonly status: 0;
  readonly detail: string;
}

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly retryAfterSeconds: number | null;
}

/** Inflated documents have 10 MiB at most; XML packs better than 4 to 1, and base64 adds a third. */
const MOST_BODY_BYTES = 4 * 1024 * 1024;
const CONNECT_MS = 5_000;
const REQUEST_MS = 30_000;
const KEEP_ALIVE_MS = 4_000;
/** Most identities whose connections are kept. */
const MOST_AGENTS = 50;

/**
 * The client of Sefin Nacional: mutual TLS over HTTP/1.1. Redirects are not followed. No method throws for what the network or the
 * server does: each outcome is a value, and what is unclear is a doubt. A signal that a method
 * takes ends its request early, as a doubt.
 */
export class TaxAuthority {
  readonly #options: TaxAuthorityOptions;
  readonly #baseUrl: string;
  readonly #agents = new LRUCache<string, Agent>({
    max: MOST_AGENTS,
    // Requests under way end first.
    dispose: (agent) => void agent.close().catch(() => undefined),
  });

  constructor(options: TaxAuthorityOptions) {
    this.#options = options;
    this.#baseUrl = options.baseUrl.replace(/\/+$/, "");
  }

  /** Sends a signed DPS: POST /nfse. The same bytes may be sent again, because the DPS's Id makes one NFS-e at most (E0014). */
  async issue(identity: TaxIdentity, signedDpsXml: string, signal?: AbortSignal): Promise<Accepted | Refused | Doubt> {
    const answer = await this.#ask(identity, "POST", "/nfse", signal, { dpsXmlGZipB64: packXml(signedDpsXml) });
    return accepted(answer, "nfseXmlGZipB64") ?? refusedOrDoubt(answer);
  }

  /** Asks what became of a DPS: GET /dps/{id}. */
  async findDps(
    identity: TaxIdentity,
    dpsId: string,
    signal?: AbortSignal,
  ): Promise<FoundDps | Absent | Refused | Doubt> {
    const answer = await this.#ask(identity, "GET", `/dps/${encodeURIComponent(dpsId)}`, signal);
    const accessKey = succeeded(answer) ? accessKeyOfAnswer(answer.body) : null;
    if (succeeded(answer) && accessKey !== null) return { kind: "accepted", accessKey, body: answer.body };
    return absent(answer) ?? refusedOrDoubt(answer);
  }

  /** Fetches an NFS-e: GET /nfse/{chave}. */
  async fetchNfse(
    identity: TaxIdentity,
    accessKey: string,
    signal?: AbortSignal,
  ): Promise<Accepted | Absent | Refused | Doubt> {
    const answer = await this.#ask(identity, "GET", `/nfse/${encodeURIComponent(accessKey)}`, signal);
    return accepted(answer, "nfseXmlGZipB64") ?? absent(answer) ?? refusedOrDoubt(answer);
  }

  /** Asks for a cancellation: POST /nfse/{chave}/eventos. E0840 says that the NFS-e is cancelled already. */
  async cancel(
    identity: TaxIdentity,
    accessKey: string,
    signedXml: string,
    signal?: AbortSignal,
  ): Promise<Accepted | Refused | Doubt> {
    const path = `/nfse/${encodeURIComponent(accessKey)}/eventos`;
    const answer = await this.#ask(identity, "POST", path, signal, {
      pedidoRegistroEventoXmlGZipB64: packXml(signedXml),
    });
    return accepted(answer, "eventoXmlGZipB64") ?? refusedOrDoubt(answer);
  }

  /** Fetches the event that cancelled an NFS-e: GET /nfse/{chave}/eventos/101101/1. */
  async findCancellation(
    identity: TaxIdentity,
    accessKey: string,
    signal?: AbortSignal,
  ): Promise<Accepted | Absent | Refused | Doubt> {
    const path = `/nfse/${encodeURIComponent(accessKey)}/eventos/${CANCELLATION_EVENT}/1`;
    const answer = await this.#ask(identity, "GET", path, signal);
    return accepted(answer, "eventoXmlGZipB64") ?? absent(answer) ?? refusedOrDoubt(answer);
  }

  /** Closes all connections; requests under way end as doubts. */
  async close(): Promise<void> {
    const agents = [...this.#agents.values()];
    this.#agents.clear();
    await Promise.all(agents.map((agent) => agent.destroy()));
  }

  async #ask(
    identity: TaxIdentity,
    method: "GET" | "POST",
    path: string,
    signal: AbortSignal | undefined,
    message?: Readonly<Record<string, string>>,
  ): Promise<Answer | Broken> {
    const timeOut = AbortSignal.timeout(this.#options.requestMs ?? REQUEST_MS);
    try {
      const response = await request(this.#baseUrl + path, {
        dispatcher: this.#agent(identity),
        method,
        headers: { accept: "application/json", ...(message && { "content-type": "application/json" }) },
        body: message === undefined ? null : JSON.stringify(message),
        signal: signal === undefined ? timeOut : AbortSignal.any([timeOut, signal]),
      });
      const body = await readBody(response);
      const now = (this.#options.now ?? Date.now)();
      return {
        status: response.statusCode,
        body,
        retryAfterSeconds: retryAfterSeconds(response.headers["retry-after"], now),
      };
    } catch (error) {
      return { status: 0, detail: detailOf(error) };
    }
  }

  #agent({ certificate, privateKey }: TaxIdentity): Agent {
    const key = createHash("sha256").update(certificate).update("\0").update(privateKey).digest("base64");
    let agent = this.#agents.get(key);
    if (agent === undefined) {
      const { ca, connectMs = CONNECT_MS } = this.#options;
      agent = new Agent({
        connect: operatorConnector({
          cert: certificate,
          key: privateKey,
          timeout: connectMs,
          ...(ca !== undefined && { ca }),
        }),
        allowH2: false,
        pipelining: 1,
        // Shorter than the time for which servers keep idle connections: a POST on a connection that is being closed is a doubt.
        keepAliveTimeout: KEEP_ALIVE_MS,
        keepAliveMaxTimeout: KEEP_ALIVE_MS,
        // The request as a whole has one limit.
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      this.#agents.set(key, agent);
    }
    return agent;
  }
}

/** The body as text. @throws Error for a long one, and what undici throws */
async function readBody({ body }: Dispatcher.ResponseData): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_BODY_BYTES) throw new Error("the answer is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** The code of an error, or its name: messages may name what does not belong into a log. */
function detailOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const { code } = error as { code?: unknown };
  return typeof code === "string" ? code : error.name;
}

const succeeded = (answer: Answer | Broken): answer is Answer => answer.status === 200 || answer.status === 201;

function accepted(answer: Answer | Broken, member: string): Accepted | null {
  if (!succeeded(answer)) return null;
  const xml = documentOf(answer.body, member);
  return xml === null ? null : { kind: "accepted", xml, body: answer.body };
}

const absent = (answer: Answer | Broken): Absent | null => (answer.status === 404 ? { kind: "absent" } : null);

/** Statuses that ask for another attempt. */
const LATER = [408, 425, 429];

/** Only a 4xx that names its reasons is a decision. */
function refusedOrDoubt(answer: Answer | Broken): Refused | Doubt {
  if ("detail" in answer) return { kind: "doubt", code: "transport", retryAfterSeconds: null, detail: answer.detail };
  const { status, body, retryAfterSeconds: seconds } = answer;
  const errors = status >= 400 && status < 500 && !LATER.includes(status) ? errorsOf(body) : [];
  if (errors.length > 0) return { kind: "refused", status, errors, body };
  return { kind: "doubt", code: `http_${status}`, retryAfterSeconds: seconds, detail: null };
}
