import type { ZoneRecord } from "../zone-file/zone-record.ts";
import { type Answers, askAbout } from "./answers.ts";
import { inLanes } from "./in-lanes.ts";
import type { Provider } from "./provider.ts";
import { randomName } from "./random-name.ts";
import { SCAN_NAMES } from "./scan-names.ts";
import { MOST_RECORDS, type Warning, warningsOf } from "./scan-warnings.ts";
import { SCAN_TYPES, type ScanType } from "./scanned-record.ts";
import type { Wildcard } from "./wildcard.ts";
import { Wildcards } from "./wildcards.ts";

const QUESTIONS_AT_ONCE = 20;
/**
 * Random names below each name. One is not enough to see that answers differ each time. With three, all the random names of a scan are asked at
 * once.
 */
const RANDOM_NAMES = 3;
/** More of them where there is doubt. Of two addresses in turn at random, eight answers miss one in 1 of 128 scans. */
const MORE_RANDOM_NAMES = 5;

/** A scan of a domain. The time it has is that of its provider. */
export class Scan {
  readonly #provider: Provider;
  readonly #wildcards: Wildcards;
  readonly #names: readonly string[];

  constructor(provider: Provider) {
    const { zone } = provider;
    this.#provider = provider;
    this.#names = SCAN_NAMES.map((relative) => (relative === "@" ? zone : `${relative}.${zone}`));
    this.#wildcards = new Wildcards(zone, this.#names);
  }

  async run(): Promise<{ readonly records: readonly ZoneRecord[]; readonly warnings: readonly Warning[] }> {
    await this.#askRandomNames(new Map(this.#wildcards.all.map((each) => [each, SCAN_TYPES])), RANDOM_NAMES);
    const found = await inLanes(this.#names, QUESTIONS_AT_ONCE, (name) => askAbout(this.#provider, name));
    await this.#askRandomNames(this.#wildcards.doubts(found), MORE_RANDOM_NAMES);
    const own = await this.#ownOf(found);
    const ofWildcards = this.#wildcards.records();
    const records = [...ofWildcards, ...own.flatMap((each) => each.records)];
    const wildcards = this.#wildcards.distinct;
    const warnings = warningsOf({
      hasWildcard: ofWildcards.length > 0,
      rotating: wildcards.flatMap(({ above, rotating }) => rotating.map((type) => `*.${above} ${type}`)),
      unanswered: [
        ...wildcards.flatMap(({ above, unanswered }) => unanswered.map((type) => `*.${above} ${type}`)),
        ...found.flatMap(({ name, unanswered }) => unanswered.map((type) => `${name} ${type}`)),
      ],
      isCut:
        records.length > MOST_RECORDS ||
        [...found, ...wildcards.flatMap(({ samples }) => samples)].some((each) => each.isCut),
    });
    return { records: records.slice(0, MOST_RECORDS), warnings };
  }

  async #askRandomNames(types: ReadonlyMap<Wildcard, readonly ScanType[]>, times: number): Promise<void> {
    const all = [...types].flatMap(([wildcard, wanted]) =>
      Array.from({ length: times }, (_, place) => ({ wildcard, wanted, name: randomName(wildcard.above, place) })),
    );
    await inLanes(all, QUESTIONS_AT_ONCE, async ({ wildcard, wanted, name }) => {
      wildcard.add(await askAbout(this.#provider, name, wanted));
    });
  }

  /**
   * The names that have their records themselves. Each is taken whole, and one that a wildcard made is left out whole: here, too, a wildcard
   * makes nothing of a name that exists.
   */
  async #ownOf(found: readonly Answers[]): Promise<readonly Answers[]> {
    const unclear = found.filter((answers) => this.#isUnclear(answers));
    const existing = await this.#existing(unclear.map(({ name }) => name));
    const own = found.filter((answers) => {
      const wildcard = this.#wildcards.of(answers.name);
      return wildcard === undefined || wildcard.differing(answers).length > 0 || existing.has(answers.name);
    });
    // A name above records exists here, so no wildcard would answer for it, as a provider that does not follow the RFC may.
    const names = [...own.flatMap((each) => each.records), ...this.#wildcards.records()].map(({ name }) => name);
    const above = found.filter((answers) => names.some((name) => name.endsWith(`.${answers.name}`)));
    const kept = new Set([...own, ...above]);
    return found.filter((answers) => kept.has(answers));
  }

  /** Whether a name answers as a wildcard does, and the wildcard answers differently each time. */
  #isUnclear(answers: Answers): boolean {
    const wildcard = this.#wildcards.of(answers.name);
    if (wildcard === undefined || wildcard.differing(answers).length > 0) return false;
    return answers.records.some(({ type }) => (wildcard.rotating as readonly string[]).includes(type));
  }

  /**
   * Those of names beside a wildcard that exist. A wildcard makes nothing below a name that exists (RFC 4592 §2.2.1): so below it a random name
   * lacks what random names of two labels have elsewhere. Servers that do not follow the RFC tell nothing.
   */
  async #existing(names: readonly string[]): Promise<ReadonlySet<string>> {
    const wildcards = new Set(names.map((name) => this.#wildcards.of(name)).filter((each) => each !== undefined));
    const types = await inLanes([...wildcards], QUESTIONS_AT_ONCE, async (wildcard) => {
      const type = wildcard.constant;
      const isMade = type !== undefined && (await this.#hasBelow(randomName(wildcard.above), type));
      return [wildcard, isMade === true ? type : undefined] as const;
    });
    const typeOf = new Map(types);
    const exist = await inLanes(names, QUESTIONS_AT_ONCE, async (name) => {
      const wildcard = this.#wildcards.of(name);
      const type = wildcard === undefined ? undefined : typeOf.get(wildcard);
      return type !== undefined && (await this.#hasBelow(name, type)) === false;
    });
    return new Set(names.filter((_, place) => exist[place]));
  }

  /** Whether a random name below a name has records of a type; null if nobody answers. */
  async #hasBelow(name: string, type: ScanType): Promise<boolean | null> {
    const set = (await askAbout(this.#provider, randomName(name), [type])).sets.get(type);
    return set === undefined ? null : set !== "";
  }
}
