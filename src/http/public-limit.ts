import { createHmac } from "node:crypto";
import { isIPv6 } from "node:net";
import { AppError } from "../app-error.ts";
import type { Database } from "../db/database.ts";

const WINDOW_SECONDS = 60;
/** Addresses remembered as over the limit; whoever is forgotten is found again in Postgres. */
const MOST_BLOCKED = 100_000;

/**
 * How often one address may ask without a token, counted in Postgres for all gateways together. Who is over the limit is
 * remembered here until the window ends, so that asking on costs neither Postgres nor others anything.
 */
export class PublicLimit {
  readonly #database: Database;
  readonly #secret: Buffer;
  readonly #perMinute: number;
  /** Until when (ms of performance.now) a key is over the limit. */
  readonly #blocked = new Map<string, number>();

  /** @param masterKey addresses are kept as HMAC under a key derived from it, so that a copy of the table names nobody */
  constructor(database: Database, masterKey: Buffer, perMinute: number) {
    this.#database = database;
    this.#secret = createHmac("sha256", masterKey).update("public-limit").digest();
    this.#perMinute = perMinute;
  }

  /**
   * Counts requests of an address.
   * @throws AppError 429 rate_limited, with the seconds to wait
   */
  async count(address: string, requests = 1): Promise<void> {
    const key = createHmac("sha256", this.#secret).update(networkOf(address)).digest();
    const name = key.toString("latin1");
    const now = performance.now();
    const until = this.#blocked.get(name);
    if (until !== undefined && until > now) throw rateLimited(Math.ceil((until - now) / 1_000));
    const seconds = await this.#database.countRequests(key, requests, this.#perMinute, WINDOW_SECONDS);
    if (seconds === 0) return;
    this.#block(name, now + seconds * 1_000, now);
    throw rateLimited(seconds);
  }

  #block(name: string, until: number, now: number): void {
    if (this.#blocked.size >= MOST_BLOCKED) {
      for (const [other, end] of this.#blocked) if (end <= now) this.#blocked.delete(other);
      if (this.#blocked.size >= MOST_BLOCKED) this.#blocked.clear();
    }
    this.#blocked.set(name, until);
  }
}

/** IPv4 as it is; of IPv6 the first 64 bits, which one subscriber has for himself alone (RFC 6177). */
function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
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
