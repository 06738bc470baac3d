import { createHmac } from "node:crypto";
import type { FastifyReply } from "fastify";
import { LRUCache } from "lru-cache";
import { networkOf } from "../../adapters/ip-addresses.ts";
import { AppError, unauthenticated } from "../../errors/app-error.ts";
import type { Actors } from "../../postgres/actors.ts";
import type { Database } from "../../postgres/database.ts";
import { KnownCredentials } from "./known-credentials.ts";
import { type Quota, type QuotaSource, RequestQuota } from "./request-quota.ts";

const WINDOW_SECONDS = 60;

/** The state of a limit after a request. */
export interface LimitState {
  /** Whether requests are counted by address or by token. */
  readonly policy: "address" | "token";
  /** Allowed requests in a window. */
  readonly limit: number;
  /** Requests left in this window. */
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly seconds: number;
  readonly windowSeconds: number;
}

/** The form of limits on a surface. */
export interface LimitForm {
  /** Headers of every answer to a request that was counted. */
  readonly headers: (state: LimitState) => Readonly<Record<string, string>>;
  /** The message of a 429. */
  readonly refusal: (state: LimitState) => string;
}

/** RateLimit and RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers-10): the requests left, and the limit. */
export const commonLimits: LimitForm = {
  headers: ({ policy, limit, remaining, seconds, windowSeconds }) => ({
    "ratelimit-policy": `"${policy}";q=${limit};w=${windowSeconds}`,
    ratelimit: `"${policy}";r=${remaining};t=${seconds}`,
  }),
  refusal: ({ policy, seconds }) =>
    `Too many requests ${policy === "token" ? "with this token" : "from this address"}; come back in ${seconds} s.`,
};

/** Limits the requests of an address without a token, and the requests of an actor with all its credentials together. */
export class Limits {
  /** Requests that a token may make in a minute. */
  readonly tokenRequestsPerMinute: number;
  readonly #secret: Buffer;
  /** A cache for recent callers, because an HMAC costs as much as the rest of a limit. */
  readonly #names = new LRUCache<string, string>({ max: 10_000 });
  readonly #actors: Actors;
  readonly #addresses: RequestQuota;
  /** Quota of credentials; the credentials of an actor share it. */
  readonly #tokens: RequestQuota;
  /** Quota of unknown tokens, by address. */
  readonly #guesses: RequestQuota;
  readonly #knownCredentials: KnownCredentials;

  /** @param secret the key of the HMACs under which addresses are stored, so that a copy of the table reveals no address */
  constructor(
    database: Database,
    secret: Buffer,
    {
      publicRequestsPerMinute,
      tokenRequestsPerMinute,
    }: Readonly<Record<"publicRequestsPerMinute" | "tokenRequestsPerMinute", number>>,
  ) {
    this.tokenRequestsPerMinute = tokenRequestsPerMinute;
    this.#secret = secret;
    this.#actors = database.actors;
    this.#knownCredentials = new KnownCredentials(database);
    const ofItself: QuotaSource = {
      count: async (name, requests) => ({
        key: name,
        ...(await database.countRequests(Buffer.from(name, "latin1"), requests, WINDOW_SECONDS)),
      }),
      keyOf: (name) => name,
      windowSeconds: WINDOW_SECONDS,
    };
    this.#addresses = new RequestQuota(publicRequestsPerMinute, ofItself);
    this.#guesses = new RequestQuota(tokenRequestsPerMinute, ofItself);
    this.#tokens = new RequestQuota(tokenRequestsPerMinute, {
      count: async (name, requests) => {
        const { actor, ...counted } = await database.countActorRequests(
          Buffer.from(name, "latin1"),
          requests,
          WINDOW_SECONDS,
        );
        return { key: actor, ...counted };
      },
      windowSeconds: WINDOW_SECONDS,
      keyOf: (name) => database.actors.actorOf(Buffer.from(name, "latin1")),
    });
  }

  /**
   * Counts requests without a token.
   * @param address undefined for a caller who has already gone away; the answer reaches nobody
   * @param reply gets the headers with the requests left
   * @throws AppError 429 rate_limited, with the seconds to wait
   */
  async address(
    address: string | undefined,
    reply: FastifyReply | null,
    { requests = 1, form = commonLimits }: { readonly requests?: number; readonly form?: LimitForm } = {},
  ): Promise<void> {
    answer("address", await this.#addresses.take(this.#nameOf(networkOf(address ?? "")), requests), reply, form);
  }

  /**
   * Counts requests with a token. An address may send as many unknown tokens as a valid token may send requests. After
   * that, a further unknown token is 429. A valid token is never refused because of others at its address: it is looked up first.
   * @throws AppError 401 unauthenticated, 401 session_expired, 429 rate_limited
   */
  async token(
    credentialHash: Buffer,
    address: string | undefined,
    reply: FastifyReply,
    { requests = 1, form = commonLimits }: { readonly requests?: number; readonly form?: LimitForm } = {},
  ): Promise<void> {
    const name = credentialHash.toString("latin1");
    const guesser = this.#nameOf(`${networkOf(address ?? "")} guesses`);
    if (
      !this.#tokens.knows(name) &&
      this.#guesses.isOver(guesser) &&
      !(await this.#knownCredentials.has(credentialHash))
    )
      return answer("address", await this.#guesses.take(guesser), reply, form);
    try {
      answer("token", await this.#tokens.take(name, requests), reply, form);
    } catch (error) {
      if (error instanceof AppError && error.status === 401) {
        this.refused(credentialHash);
        answer("address", await this.#guesses.take(guesser), null, form);
        throw error.code === "session_expired" ? error : unauthenticated();
      }
      throw error;
    }
  }

  /**
   * Called when Postgres refused a credential. The credential then uses nothing of its actor's quota, however often it is sent,
   * until Postgres accepts it again.
   */
  refused(credentialHash: Buffer): void {
    this.#tokens.forget(credentialHash.toString("latin1"));
    this.#actors.forget(credentialHash);
  }

  #nameOf(who: string): string {
    const known = this.#names.get(who);
    if (known !== undefined) return known;
    const name = createHmac("sha256", this.#secret).update(who).digest().toString("latin1");
    this.#names.set(who, name);
    return name;
  }
}

/** Reports the state of a limit; refuses if no request is left. */
function answer(
  policy: LimitState["policy"],
  { allowed, limit, remaining, seconds }: Quota,
  reply: FastifyReply | null,
  form: LimitForm,
): void {
  const state = { policy, limit, remaining: allowed ? remaining : 0, seconds, windowSeconds: WINDOW_SECONDS };
  void reply?.headers({ ...form.headers(state) });
  if (!allowed) throw new AppError(429, "rate_limited", form.refusal(state), undefined, { retryAfterSeconds: seconds });
}
