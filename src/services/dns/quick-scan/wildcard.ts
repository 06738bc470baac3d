import type { ZoneRecord } from "../zone-file/zone-record.ts";
import { type Answers, keyOf, MOST_IN_SET } from "./answers.ts";
import { SCAN_TYPES, type ScanType } from "./scanned-record.ts";

/** Types of which more records mean more of the same: see `Wildcard.records`. */
export const ADDRESS_TYPES: readonly ScanType[] = ["A", "AAAA"];

/**
 * What a domain answers for names below a name that nobody can have made: the answers for several random names. Where they differ from each
 * other (a load balancer, round robin), the wildcard rotates, and any other answer may come from it, too.
 */
export class Wildcard {
  /** The name below which the random names lie. */
  readonly above: string;
  readonly #samples: Answers[] = [];

  constructor(above: string) {
    this.above = above;
  }

  /** @param answers about a random name; the types that it was asked for may be some */
  add(answers: Answers): void {
    this.#samples.push(answers);
  }

  get samples(): readonly Answers[] {
    return this.#samples;
  }

  /** Whether no random name has records. */
  get isEmpty(): boolean {
    return this.#samples.every(({ records }) => records.length === 0);
  }

  /** The types that nobody answered, for any of the random names. */
  get unanswered(): readonly ScanType[] {
    return SCAN_TYPES.filter((type) => this.#setsOf(type).size === 0);
  }

  /** The types whose records differ from one random name to the next. */
  get rotating(): readonly ScanType[] {
    return SCAN_TYPES.filter((type) => this.#setsOf(type).size > 1);
  }

  /** A type that each random name has. */
  get constant(): ScanType | undefined {
    return SCAN_TYPES.find((type) => {
      const sets = this.#setsOf(type);
      return sets.size > 0 && !sets.has("");
    });
  }

  /**
   * The types by which a name differs from what the wildcard makes. A wildcard makes nothing of a name that exists (RFC 4592 §2.2.1), so with
   * one such type all records of the name are its own.
   */
  differing(answers: Answers): readonly ScanType[] {
    return SCAN_TYPES.filter((type) => {
      const sets = this.#setsOf(type);
      const own = answers.sets.get(type);
      if (own === undefined || sets.has(own)) return false;
      // A type that rotates may be missing only where a random name lacks it, too.
      return sets.size > 1 ? own === "" : sets.size === 1 || own !== "";
    });
  }

  /**
   * The records of `*`. Of addresses all that were seen: who copies a zone wants the whole pool, and each of them serves these names. Of
   * other types the first answer: two of their sets are not one (a name with two SPF texts has none that is valid, RFC 7208 §4.5). Each set has
   * the highest TTL that was seen: it counts down at a provider that caches.
   */
  records(): readonly ZoneRecord[] {
    const first = this.#samples.find(({ records }) => records.length > 0);
    if (first === undefined) return [];
    const isAlias = first.records.some(({ type }) => type === "CNAME");
    // A CNAME stands alone.
    const types = SCAN_TYPES.filter((type) => (type === "CNAME") === isAlias);
    return types.flatMap((type) => this.#setForZone(type));
  }

  #setForZone(type: ScanType): readonly ZoneRecord[] {
    const sets = this.#samples
      .map(({ records }) => records.filter((record) => record.type === type))
      .filter((set) => set.length > 0);
    const ttl = Math.max(...sets.flat().map((record) => record.ttl));
    const taken = ADDRESS_TYPES.includes(type) ? sets.flat() : (sets[0] ?? []);
    return [...new Map(taken.map((record) => [keyOf(record), record])).values()]
      .slice(0, MOST_IN_SET)
      .map((record) => ({ ...record, name: `*.${this.above}`, ttl }));
  }

  /** The different sets of a type among random names. Empty if nobody answered. */
  #setsOf(type: ScanType): ReadonlySet<string> {
    return new Set(this.#samples.map(({ sets }) => sets.get(type)).filter((set) => set !== undefined));
  }
}
