import { LRUCache } from "lru-cache";

/** Most texts in memory, and most characters of all texts together. */
const MOST_TEXTS = 1_000;
const MOST_CHARACTERS = 4 * 1024 * 1024;

/** Milliseconds of a message. The texts of a message that took longer are read alone the next time. */
const QUICK_MS = 100;

/** How a text may be read. */
export interface Manner {
  /** Whether the connection keeps the plan. */
  readonly isKept: boolean;
  /** Whether the read may share a message with other reads, which wait for it. */
  readonly isQuick: boolean;
}

/** The manner of a text that was not read before. */
export const ALONE: Manner = { isKept: false, isQuick: false };

/** Remembers the most recently read texts, and how each may be read. */
export class KnownReads {
  readonly #manners = new LRUCache<string, Manner>({ max: MOST_TEXTS, maxSize: MOST_CHARACTERS });
  readonly #partitioned: RegExp | null;

  /** @param partitioned views that read partitioned tables: the plan of such a view grows with each partition, to some 500 kB with the partitions of a month */
  constructor(partitioned: readonly string[]) {
    this.#partitioned = partitioned.length === 0 ? null : new RegExp(`\\b(${partitioned.join("|")})\\b`);
  }

  mannerOf(text: string): Manner {
    return this.#manners.get(text) ?? ALONE;
  }

  /** Called after each read that succeeded. */
  took(text: string, milliseconds: number): void {
    const isQuick = milliseconds <= QUICK_MS;
    if (this.#manners.peek(text)?.isQuick === isQuick) return;
    const isKept = !this.#partitioned?.test(text);
    this.#manners.set(text, { isKept, isQuick }, { size: text.length });
  }

  /** Called after each read that failed: the text is read alone the next time. */
  failed(text: string): void {
    this.#manners.delete(text);
  }
}
