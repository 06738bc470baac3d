import { AppError } from "../../app-error.ts";
import type { RequestCount } from "../../postgres/database.ts";

/** Names and keys remembered at once; Postgres finds again what is forgotten. */
const MOST_KNOWN = 100_000;

/** What became of requests that asked to be let through. */
export interface Quota {
  readonly allowed: boolean;
  /** Requests a window. */
  readonly limit: number;
  /** About how many are left in this window: what other gateways took since this one last asked is not known. */
  readonly remaining: number;
  /** Until the window ends. */
  readonly seconds: number;
}

/** What one statement brought. */
export interface Counted extends RequestCount {
  /** Whose requests were counted: of a credential its actor, of an address itself. */
  readonly key: string;
}

export interface QuotaSource {
  readonly windowSeconds: number;
  /** Names and keys remembered at once, where it is not as many as usual. */
  readonly mostKnown?: number;
  /** Counts requests of a name; answers how many its key had in its window, and in how many seconds that ends. */
  readonly count: (name: string, requests: number) => Promise<Counted>;
  /** The key of a name, as far as it is known without asking. */
  readonly keyOf: (name: string) => string | undefined;
}

/** Requests that are counted together. */
interface Batch {
  /** With which they are counted. */
  readonly name: string;
  readonly waiting: Waiting[];
}

interface Waiting {
  readonly name: string;
  readonly requests: number;
  /** Null: it was not for this name that Postgres was asked, and it must ask again. */
  readonly resolve: (quota: Quota | null) => void;
  readonly reject: (error: unknown) => void;
}

/** What is known of a key in its window. */
interface Window {
  readonly key: string;
  /** Counted in Postgres already, and not used yet. */
  inHand: number;
  /** Left for everybody when this gateway last asked. */
  left: number;
  /** Whether Postgres refused somebody: nobody needs to ask again before the window ends. */
  isOver: boolean;
  /** In ms of performance.now. */
  endsAt: number;
}

/**
 * How often a key may ask in a window, counted in Postgres for all gateways together, and never more. Several names may be
 * of one key, as credentials are of an actor: they use what it has together.
 *
 * A gateway counts ahead, a hundredth of the limit at a time and for the key as a whole, so that most requests wait for
 * nothing; what it then does not use is lost for the window. In each window a name is counted by itself once, before it takes
 * of what its key has in hand: it may be of another key by now, or of none.
 *
 * A key has one statement under way and one to follow, whatever its names send meanwhile, and so has a name that was not
 * counted yet. Once a key is over the limit, that is remembered here: asking on costs neither Postgres nor others anything.
 * (rate-limiter-flexible would count as well, but writes a table itself, on which no login of ours has any right.)
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

  /** Whether a name was counted in this window, so that it is known to exist. */
  knows(name: string): boolean {
    return this.#current(name) !== undefined;
  }

  /** Whether a name is known to be over the limit. */
  isOver(name: string): boolean {
    return this.#current(name)?.isOver ?? false;
  }

  /** The name takes nothing more of what its key has before it is counted again. */
  forget(name: string): void {
    this.#known.delete(name);
  }

  /** Counts requests of a name. Throws what counting throws. */
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

  /** Null where Postgres has to be asked. */
  #fromHand(window: Window, requests: number): Quota | null {
    const allowed = window.inHand >= requests;
    if (!allowed && !window.isOver) return null;
    // A refusal says when the window ends: until then fewer requests than these are refused as well.
    window.inHand = allowed ? window.inHand - requests : 0;
    const { inHand, left, endsAt } = window;
    const seconds = Math.max(1, Math.ceil((endsAt - performance.now()) / 1_000));
    return { allowed, limit: this.#limit, remaining: inHand + left, seconds };
  }

  /** Waits with others of the same place: a key, or a name whose key this window has not told yet. */
  #counted(name: string, requests: number): Promise<Quota | null> {
    const place = this.#current(name)?.key ?? name;
    const { waiting } = this.#next.get(place) ?? this.#newBatch(place, name);
    return new Promise((resolve, reject) => {
      waiting.push({ name, requests, resolve, reject });
    });
  }

  /** Sent when the statement under way is back; until then other requests in that place join it. */
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

  /** Never fails: who waits is told. */
  async #send(place: string, { name, waiting }: Batch): Promise<void> {
    try {
      await this.#count(place, name, sum(waiting));
    } catch (error) {
      // Another credential of the actor is none any more. The next is asked with then.
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

  /** What is granted goes into the key's hand. */
  async #count(place: string, name: string, requests: number): Promise<void> {
    const window = this.#current(name);
    // The statement before this one said whose the name is.
    if (window !== undefined && window.key !== place) return;
    const missing = requests - (window?.inHand ?? 0);
    if (missing <= 0 || window?.isOver) return;
    const key = window?.key ?? this.#source.keyOf(name);
    // Otherwise another name of the key has counted ahead in this window, or is about to.
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
    // When a window ends is not told exactly; one that Postgres has begun since ends much later.
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
    // The oldest goes first: a Map keeps the order of insertion.
    const [oldest] = this.#known.size >= (this.#source.mostKnown ?? MOST_KNOWN) ? this.#known.keys() : [];
    if (oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(name, window);
  }
}

function sum(waiting: readonly Waiting[]): number {
  return waiting.reduce((all, { requests }) => all + requests, 0);
}
