import { AppError } from "../../errors/app-error.ts";
import type { RequestCount } from "../../postgres/database.ts";

/** Most names and keys in memory; Postgres still knows what is forgotten here. */
const MOST_KNOWN = 100_000;

/** The result for requests that asked for admission. */
export interface Quota {
  readonly allowed: boolean;
  /** Allowed requests in a window. */
  readonly limit: number;
  /** About how many are left in this window: requests that other gateways have counted since this one last asked are unknown. */
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly seconds: number;
}

/** The result of one counting statement. */
export interface Counted extends RequestCount {
  /** The key whose requests were counted: a credential's actor, or the address itself. */
  readonly key: string;
}

export interface QuotaSource {
  readonly windowSeconds: number;
  /** Most names and keys in memory, if not the usual number. */
  readonly mostKnown?: number;
  /** Counts requests of a name. Returns the number for its key in its window, and the seconds until the window ends. */
  readonly count: (name: string, requests: number) => Promise<Counted>;
  /** The key of a name, if it is known without a statement. */
  readonly keyOf: (name: string) => string | undefined;
}

/** Requests that are counted with one statement. */
interface Batch {
  /** The name with which they are counted. */
  readonly name: string;
  readonly waiting: Waiting[];
}

interface Waiting {
  readonly name: string;
  readonly requests: number;
  /** Null: the statement was for another name, so this name must be counted itself. */
  readonly resolve: (quota: Quota | null) => void;
  readonly reject: (error: unknown) => void;
}

/** The known state of a key in its window. */
interface Window {
  readonly key: string;
  /** Requests counted in Postgres already and not used yet. */
  inHand: number;
  /** Requests left for all gateways when this gateway last asked. */
  left: number;
  /** Whether Postgres refused a request: nobody needs to ask again before the window ends. */
  isOver: boolean;
  /** In milliseconds of performance.now. */
  endsAt: number;
}

/**
 * Limits the requests of a key in a window, counted in Postgres for all gateways together, and never admits more. Several names may
 * belong to one key, as credentials belong to an actor; they share its quota.
 *
 * A gateway counts ahead, a hundredth of the limit at a time and for the key as a whole, so that most requests wait for
 * nothing. Requests that it counted and does not use are lost for the window. In each window a name is first counted by itself, before it uses
 * requests that its key has in hand: the name may belong to another key by now, or to none.
 *
 * A key has at most one statement under way and one waiting, for any number of requests of its names. The same holds for a name that was not
 * counted yet. Once a key is over the limit, this gateway remembers it: further requests cost neither Postgres nor other callers anything.
 * (rate-limiter-flexible could count as well, but it writes a table itself, and our logins have no right on tables.)
 */
export class RequestQuota {
  readonly #limit: number;
  readonly #ahead: number;
  readonly #source: QuotaSource;
  /** By key, and by each name that was counted in the window. */
  readonly #known = new Map<string, Window>();
  readonly #underWay = new Map<string, Promise<unknown>>();
  readonly #next = new Map<string, Batch>();
  /** Keys that are being counted ahead. */
  readonly #countingAhead = new Set<string>();

  constructor(limit: number, source: QuotaSource) {
    this.#limit = limit;
    this.#ahead = Math.max(1, Math.floor(limit / 100));
    this.#source = source;
  }

  /** Whether a name was counted in this window, and so is known to exist. */
  knows(name: string): boolean {
    return this.#current(name) !== undefined;
  }

  /** Whether a name is known to be over the limit. */
  isOver(name: string): boolean {
    return this.#current(name)?.isOver ?? false;
  }

  /** Makes the name use nothing of its key's quota before it is counted again. */
  forget(name: string): void {
    this.#known.delete(name);
  }

  /** Counts requests of a name. Throws the errors of `count`. */
  async take(name: string, requests = 1): Promise<Quota> {
    for (;;) {
      const window = this.#current(name);
      const quota = (window && this.#fromHand(window, requests)) ?? (await this.#counted(name, requests));
      if (quota !== null) return quota;
    }
  }

  #current(name: string): Window | undefined {
    const window = this.#known.get(name);
    if (window === undefined || window.endsAt > performance.now()) return window;
    this.#known.delete(name);
    return undefined;
  }

  /** Null if Postgres must be asked. */
  #fromHand(window: Window, requests: number): Quota | null {
    const allowed = window.inHand >= requests;
    if (!allowed && !window.isOver) return null;
    // A refusal states when the window ends: until then fewer requests than these are refused as well.
    window.inHand = allowed ? window.inHand - requests : 0;
    const { inHand, left, endsAt } = window;
    const seconds = Math.max(1, Math.ceil((endsAt - performance.now()) / 1_000));
    return { allowed, limit: this.#limit, remaining: inHand + left, seconds };
  }

  /** Waits with others of the same place: a key, or a name whose key is unknown in this window. */
  #counted(name: string, requests: number): Promise<Quota | null> {
    const place = this.#current(name)?.key ?? name;
    const { waiting } = this.#next.get(place) ?? this.#newBatch(place, name);
    return new Promise((resolve, reject) => {
      waiting.push({ name, requests, resolve, reject });
    });
  }

  /** The batch is sent when the statement under way has returned; until then other requests of that place join it. */
  #newBatch(place: string, name: string): Batch {
    const batch: Batch = { name, waiting: [] };
    this.#next.set(place, batch);
    const send = async () => {
      this.#next.delete(place);
      const sent = this.#send(place, batch);
      this.#underWay.set(place, sent);
      await sent;
      if (this.#underWay.get(place) === sent) this.#underWay.delete(place);
    };
    void (this.#underWay.get(place) ?? Promise.resolve()).then(send);
    return batch;
  }

  /** Never fails: it passes the error to those who wait. */
  async #send(place: string, { name, waiting }: Batch): Promise<void> {
    try {
      await this.#count(place, name, sum(waiting));
    } catch (error) {
      // The name's credential is no longer valid, so the next credential of the actor is counted.
      const isOfName = error instanceof AppError && error.status === 401;
      for (const each of waiting)
        if (isOfName && each.name !== name) each.resolve(null);
        else each.reject(error);
      return;
    }
    const window = this.#current(name);
    for (const each of waiting) {
      const isMeant = window !== undefined && (each.name === name || window.key === place);
      each.resolve(isMeant ? this.#fromHand(window, each.requests) : null);
    }
  }

  /** Adds the granted requests to the key's hand. */
  async #count(place: string, name: string, requests: number): Promise<void> {
    const window = this.#current(name);
    // The previous statement told the key of the name.
    if (window !== undefined && window.key !== place) return;
    const missing = requests - (window?.inHand ?? 0);
    if (missing <= 0 || window?.isOver) return;
    const key = window?.key ?? this.#source.keyOf(name);
    // If not first, another name of the key has counted ahead in this window, or is about to.
    const isFirst = key !== undefined && (window !== undefined || this.#current(key) === undefined);
    const isAhead = isFirst && !this.#countingAhead.has(key);
    const asked = isAhead ? Math.max(missing, this.#ahead) : missing;
    if (isAhead) this.#countingAhead.add(key);
    try {
      this.#remember(name, asked, missing, await this.#source.count(name, asked));
    } finally {
      if (isAhead) this.#countingAhead.delete(key);
    }
  }

  #remember(name: string, asked: number, missing: number, { key, count, seconds }: Counted): void {
    const granted = Math.max(0, Math.min(asked, this.#limit - (count - asked)));
    const left = Math.max(0, this.#limit - count);
    const isOver = granted < missing;
    const endsAt = performance.now() + seconds * 1_000;
    const known = this.#current(key);
    // The end of a window is not exact; a window that Postgres has begun since then ends much later.
    const isSame = known !== undefined && endsAt - known.endsAt < (this.#source.windowSeconds * 1_000) / 2;
    const window = isSame ? known : { key, inHand: 0, left, isOver, endsAt };
    window.inHand += granted;
    window.left = Math.min(window.left, left);
    window.isOver ||= isOver;
    window.endsAt = endsAt;
    for (const each of [key, name]) this.#keep(each, window);
  }

  #keep(name: string, window: Window): void {
    this.#known.delete(name);
    // Removes the oldest entry: a Map keeps the order of insertion.
    const [oldest] = this.#known.size >= (this.#source.mostKnown ?? MOST_KNOWN) ? this.#known.keys() : [];
    if (oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(name, window);
  }
}

function sum(waiting: readonly Waiting[]): number {
  return waiting.reduce((all, { requests }) => all + requests, 0);
}
