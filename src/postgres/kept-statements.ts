import { randomUUID } from "node:crypto";
import { LRUCache } from "lru-cache";

/** Of one connection. Postgres keeps a plan for each: some 40 kB for a list of proofs, measured. */
export const MOST_KEPT = 100;

/**
 * The statements that one connection keeps prepared: those used last. A name is never used twice, and no other connection has it: behind a
 * pooler that does not know of names, a statement of another client would run in place of this one.
 */
export class KeptStatements {
  readonly #prefix = randomUUID();
  #made = 0;
  #dropped: string[] = [];
  readonly #names = new LRUCache<string, string>({
    max: MOST_KEPT,
    dispose: (name) => void this.#dropped.push(name),
  });

  /** @returns isNew when the statement is to be prepared under the name first */
  named(text: string): { readonly name: string; readonly isNew: boolean } {
    const known = this.#names.get(text);
    if (known !== undefined) return { name: known, isNew: false };
    const name = `${this.#prefix}-${++this.#made}`;
    this.#names.set(text, name);
    return { name, isNew: true };
  }

  /** Drops one, which Postgres may have under its name or not. */
  drop(text: string): void {
    this.#names.delete(text);
  }

  /** Drops all. */
  clear(): void {
    this.#names.clear();
  }

  /** Names that Postgres may forget, each told once. It may never have had them. */
  takeDropped(): readonly string[] {
    const dropped = this.#dropped;
    this.#dropped = [];
    return dropped;
  }
}

/** Texts remembered at once, and their characters together. */
const MOST_TEXTS = 1_000;
const MOST_CHARACTERS = 4 * 1024 * 1024;

/** Which statements are worth a plan that is kept: those that are read more than once, and that read no partitions. */
export class Repeated {
  readonly #seen = new LRUCache<string, true>({ max: MOST_TEXTS, maxSize: MOST_CHARACTERS });
  readonly #partitioned: RegExp | null;

  /** @param partitioned views that read partitioned tables: the plan of one grows with each partition, to some 500 kB with those of a month */
  constructor(partitioned: readonly string[]) {
    this.#partitioned = partitioned.length === 0 ? null : new RegExp(`\\b(${partitioned.join("|")})\\b`);
  }

  /** Told of each read. */
  has(text: string): boolean {
    if (this.#seen.get(text) !== undefined) return !this.#partitioned?.test(text);
    this.#seen.set(text, true, { size: text.length });
    return false;
  }
}
