import { LRUCache } from "lru-cache";

/** Texts remembered at once, and their characters together. */
const MOST_TEXTS = 1_000;
const MOST_CHARACTERS = 4 * 1024 * 1024;

/** A read that took longer goes alone from then on. */
const QUICK_MS = 50;

/** How a text may be read. */
export interface Manner {
  /** Whether its plan is worth keeping. */
  readonly isKept: boolean;
  /** Whether it may travel with others, which wait for it. */
  readonly isQuick: boolean;
}

/** Of a text that was never read. */
export const ALONE: Manner = { isKept: false, isQuick: false };

/** The texts that were read last. */
export class KnownReads {
  readonly #manners = new LRUCache<string, Manner>({ max: MOST_TEXTS, maxSize: MOST_CHARACTERS });
  readonly #partitioned: RegExp | null;

  /** @param partitioned views that read partitioned tables: the plan of one grows with each partition, to some 500 kB with those of a month */
  constructor(partitioned: readonly string[]) {
    this.#partitioned = partitioned.length === 0 ? null : new RegExp(`\\b(${partitioned.join("|")})\\b`);
  }

  mannerOf(text: string): Manner {
    return this.#manners.get(text) ?? ALONE;
  }

  /** Told of each read that succeeded. */
  took(text: string, milliseconds: number): void {
    const isQuick = milliseconds <= QUICK_MS;
    if (this.#manners.peek(text)?.isQuick === isQuick) return;
    const isKept = !this.#partitioned?.test(text);
    this.#manners.set(text, { isKept, isQuick }, { size: text.length });
  }

  /** Told of each read that failed: it goes alone next time. */
  failed(text: string): void {
    this.#manners.delete(text);
  }
}
