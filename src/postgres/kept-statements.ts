import { randomUUID } from "node:crypto";
import { LRUCache } from "lru-cache";

/** Most statements of one connection. Postgres keeps a plan for each: some 40 kB for a list of proofs, measured. */
export const MOST_KEPT = 100;

/**
 * The statements that one connection keeps prepared: the most recently used. A name is never used twice and never shared with another connection. Behind a
 * pooler that does not know names, a statement of another client would otherwise run instead of this one.
 */
export class KeptStatements {
  readonly #prefix = randomUUID();
  #made = 0;
  #dropped: string[] = [];
  readonly #names = new LRUCache<string, string>({
    max: MOST_KEPT,
    dispose: (name) => void this.#dropped.push(name),
  });

  /** @returns isNew if the statement must be prepared under the name first */
  named(text: string): { readonly name: string; readonly isNew: boolean } {
    const known = this.#names.get(text);
    if (known !== undefined) return { name: known, isNew: false };
    const name = `${this.#prefix}-${++this.#made}`;
    this.#names.set(text, name);
    return { name, isNew: true };
  }

  /** Drops a statement. Postgres may or may not have it. */
  drop(text: string): void {
    this.#names.delete(text);
  }

  /** Drops all statements. */
  clear(): void {
    this.#names.clear();
  }

  /** Names that Postgres may forget, each returned once. Postgres may never have had them. */
  takeDropped(): readonly string[] {
    const dropped = this.#dropped;
    this.#dropped = [];
    return dropped;
  }
}
