import type { RequestCount } from "../../postgres/database.ts";

/** Keys remembered at once; whoever is forgotten is found again in Postgres. */
const MOST_KEYS = 100_000;

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

/** Requests that are counted together. */
interface Batch {
  requests: number;
  readonly counted: Promise<Counted>;
}

/** What one statement brought: so many of the limit, for whoever asked, in their order. */
interface Counted {
  /** How many of the batch are let through. */
  readonly granted: number;
  readonly seconds: number;
}

/** What is known of a key in its window. */
interface Known {
  /** Counted in Postgres already, and not used yet. */
  inHand: number;
  /** Left for everybody when this gateway last asked. */
  left: number;
  /** Whether somebody was refused: nobody needs to ask again before the window ends. */
  readonly isOver: boolean;
  /** In ms of performance.now. */
  readonly endsAt: number;
}

/**
 * How often a key may ask in a window, counted in Postgres for all gateways together, and never more. A gateway counts
 * ahead, a hundredth of the limit at a time, so that most requests wait for nothing; what it then does not use is lost for
 * the window. A key has one statement under way and one to follow, whatever it sends meanwhile, and once it is over the
 * limit that is remembered here: asking on costs neither Postgres nor others anything. (rate-limiter-flexible would count
 * as well, but writes a table itself, on which no login of ours has any right.)
 */
export class RequestQuota {
  readonly #limit: number;
  readonly #ahead: number;
  readonly #count: (name: string, requests: number) => Promise<RequestCount>;
  readonly #known = new Map<string, Known>();
  readonly #underWay = new Map<string, Promise<unknown>>();
  readonly #next = new Map<string, Batch>();

  /** @param count counts requests of a key; answers how many there were in its window, and in how many seconds that ends */
  constructor(limit: number, count: (name: string, requests: number) => Promise<RequestCount>) {
    this.#limit = limit;
    this.#ahead = Math.max(1, Math.floor(limit / 100));
    this.#count = count;
  }

  /** Whether a key was let through in this window, so that it is known to exist. */
  knows(name: string): boolean {
    return this.#current(name) !== undefined;
  }

  /** Whether a key is known to be over the limit. */
  isOver(name: string): boolean {
    return this.#current(name)?.isOver ?? false;
  }

  /** Counts requests of a key. Throws what counting throws. */
  async take(name: string, requests = 1): Promise<Quota> {
    const known = this.#current(name);
    if (known !== undefined && known.inHand >= requests) {
      known.inHand -= requests;
      return this.#quota(true, known);
    }
    if (known?.isOver) return this.#quota(false, known);
    const batch = this.#next.get(name) ?? this.#newBatch(name);
    batch.requests += requests;
    const place = batch.requests;
    const { granted, seconds } = await batch.counted;
    const after = this.#current(name);
    return this.#quota(
      place <= granted,
      after ?? { inHand: 0, left: 0, isOver: false, endsAt: performance.now() + seconds * 1_000 },
    );
  }

  #current(name: string): Known | undefined {
    const known = this.#known.get(name);
    if (known === undefined || known.endsAt > performance.now()) return known;
    this.#known.delete(name);
    return undefined;
  }

  #quota(allowed: boolean, { inHand, left, endsAt }: Known): Quota {
    const seconds = Math.max(1, Math.ceil((endsAt - performance.now()) / 1_000));
    return { allowed, limit: this.#limit, remaining: inHand + left, seconds };
  }

  /** Sent when the statement under way is back; until then whoever else asks for the key joins it. */
  #newBatch(name: string): Batch {
    const send = async (): Promise<Counted> => {
      this.#next.delete(name);
      const asked = Math.max(batch.requests, this.#ahead);
      const counting = this.#count(name, asked);
      this.#underWay.set(name, counting);
      try {
        const { count, seconds } = await counting;
        const granted = Math.max(0, Math.min(asked, this.#limit - (count - asked)));
        this.#remember(name, {
          inHand: Math.max(0, granted - batch.requests),
          left: Math.max(0, this.#limit - count),
          isOver: granted < batch.requests,
          endsAt: performance.now() + seconds * 1_000,
        });
        return { granted, seconds };
      } finally {
        if (this.#underWay.get(name) === counting) this.#underWay.delete(name);
      }
    };
    const batch: Batch = { requests: 0, counted: (this.#underWay.get(name) ?? Promise.resolve()).then(send, send) };
    this.#next.set(name, batch);
    return batch;
  }

  #remember(name: string, known: Known): void {
    const kept = this.#current(name);
    // The oldest goes first: a Map keeps the order of insertion.
    const [oldest] = this.#known.size >= MOST_KEYS ? this.#known.keys() : [];
    if (oldest !== undefined) this.#known.delete(oldest);
    this.#known.delete(name);
    this.#known.set(name, { ...known, inHand: known.inHand + (kept?.inHand ?? 0) });
  }
}
