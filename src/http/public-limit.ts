import { createHmac } from "node:crypto";
import { isIPv6 } from "node:net";
import { AppError } from "../app-error.ts";
import type { Database, RequestCount } from "../db/database.ts";

const WINDOW_SECONDS = 60;
/** Addresses remembered as over the limit; whoever is forgotten is found again in Postgres. */
const MOST_BLOCKED = 100_000;

/** Requests of one key that are counted together. */
interface Batch {
  requests: number;
  readonly counted: Promise<RequestCount>;
}

/**
 * How often one address may ask without a token, counted in Postgres for all gateways together. One address has one
 * statement under way and one to follow, whatever it sends meanwhile; once over the limit, it is remembered here until the
 * window ends, so that asking on costs neither Postgres nor others anything. (rate-limiter-flexible would do the same, but
 * writes a table itself, on which no login of ours has any right.)
 */
export class PublicLimit {
  readonly #database: Database;
  readonly #secret: Buffer;
  readonly #perMinute: number;
  /** Until when (ms of performance.now) a key is over the limit. */
  readonly #blocked = new Map<string, number>();
  readonly #underWay = new Map<string, Promise<RequestCount>>();
  readonly #next = new Map<string, Batch>();

  /** @param masterKey addresses are kept as HMAC under a key derived from it, so that a copy of the table names nobody */
  constructor(database: Database, masterKey: Buffer, perMinute: number) {
    this.#database = database;
    this.#secret = createHmac("sha256", masterKey).update("public-limit").digest();
    this.#perMinute = perMinute;
  }

  /**
   * Counts requests of an address.
   * @param address undefined for a caller who has gone away already: the answer reaches nobody
   * @throws AppError 429 rate_limited, with the seconds to wait
   */
  async count(address: string | undefined, requests = 1): Promise<void> {
    const key = createHmac("sha256", this.#secret)
      .update(networkOf(address ?? ""))
      .digest();
    const name = key.toString("latin1");
    const now = performance.now();
    const until = this.#blocked.get(name);
    if (until !== undefined && until > now) throw rateLimited(Math.ceil((until - now) / 1_000));

    const batch = this.#next.get(name) ?? this.#newBatch(name, key);
    batch.requests += requests;
    const place = batch.requests;
    const { count, seconds } = await batch.counted;
    // Of those counted together the first are let through.
    if (count - batch.requests + place <= this.#perMinute) return;
    this.#block(name, performance.now() + seconds * 1_000);
    throw rateLimited(seconds);
  }

  /** Sent when the statement under way is back; until then whoever else comes from there joins it. */
  #newBatch(name: string, key: Buffer): Batch {
    const send = () => {
      this.#next.delete(name);
      const counting = this.#database.countRequests(key, batch.requests, WINDOW_SECONDS);
      this.#underWay.set(name, counting);
      return counting.finally(() => {
        if (this.#underWay.get(name) === counting) this.#underWay.delete(name);
      });
    };
    const batch: Batch = { requests: 0, counted: (this.#underWay.get(name) ?? Promise.resolve()).then(send, send) };
    this.#next.set(name, batch);
    return batch;
  }

  #block(name: string, until: number): void {
    // The oldest goes first: a Map keeps the order of insertion.
    const [oldest] = this.#blocked.size >= MOST_BLOCKED ? this.#blocked.keys() : [];
    if (oldest !== undefined) this.#blocked.delete(oldest);
    this.#blocked.delete(name);
    this.#blocked.set(name, until);
  }
}

/**
 * IPv4 as it is; of IPv6 the first 64 bits, which one subscriber has for himself alone (RFC 6177). Without the port that
 * some proxies write behind the address: the caller chooses it.
 */
function networkOf(forwarded: string): string {
  const address = forwarded.replace(/^\[(.*)\](:\d+)?$/s, "$1");
  const ipv4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)(:\d+)?$/i.exec(address)?.[1];
  if (ipv4 !== undefined || !isIPv6(address)) return ipv4 ?? address;
  const [head = "", tail] = address.replace(/%.*$/s, "").split("::");
  const groups = head === "" ? [] : head.split(":");
  const end = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : 8 - groups.length - end.length;
  const all = [...groups, ...Array<string>(Math.max(0, zeros)).fill("0"), ...end];
  return all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
}

function rateLimited(seconds: number): AppError {
  return new AppError(
    429,
    "rate_limited",
    `Too many requests from this address; come back in ${seconds} s.`,
    undefined,
    {
      retryAfterSeconds: seconds,
    },
  );
}
