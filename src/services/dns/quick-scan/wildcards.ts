import type { ZoneRecord } from "../zone-file/zone-record.ts";
import type { Answers } from "./answers.ts";
import type { ScanType } from "./scanned-record.ts";
import { ADDRESS_TYPES, Wildcard } from "./wildcard.ts";

/** The wildcard of a zone, and those of names below it. */
export class Wildcards {
  readonly #ofZone: Wildcard;
  readonly #byAbove: ReadonlyMap<string, Wildcard>;

  /** @param names whole names; each may have been made by a wildcard beside it */
  constructor(zone: string, names: readonly string[]) {
    const aboves = new Set(names.filter((name) => name !== zone).map(aboveOf)).add(zone);
    this.#byAbove = new Map([...aboves].map((above) => [above, new Wildcard(above)]));
    this.#ofZone = this.#byAbove.get(zone) as Wildcard;
  }

  get all(): readonly Wildcard[] {
    return [...this.#byAbove.values()];
  }

  /** Without those that are the zone's own once more: it makes names below names that do not exist, too. */
  get distinct(): readonly Wildcard[] {
    return this.all.filter((each) => !this.#isOfZone(each));
  }

  /** The wildcard that may have made the records of a name; none for the apex, and where random names have no records. */
  of(name: string): Wildcard | undefined {
    const beside = this.#byAbove.get(aboveOf(name));
    const wildcard = beside !== undefined && this.#isOfZone(beside) ? this.#ofZone : beside;
    return wildcard?.isEmpty === true ? undefined : wildcard;
  }

  /**
   * What more random names should be asked for: the types by which something differs from a wildcard, which may have rotated just then, and
   * the addresses of a wildcard that rotates, which may be more than were seen.
   */
  doubts(found: readonly Answers[]): ReadonlyMap<Wildcard, readonly ScanType[]> {
    const doubts = new Map<Wildcard, Set<ScanType>>();
    const doubt = (wildcard: Wildcard | undefined, types: (of: Wildcard) => readonly ScanType[]) => {
      if (wildcard === undefined || wildcard.isEmpty) return;
      const before = doubts.get(wildcard) ?? [];
      const all = new Set([...before, ...types(wildcard)]);
      if (all.size > 0) doubts.set(wildcard, all);
    };
    for (const answers of found) doubt(this.of(answers.name), (wildcard) => wildcard.differing(answers));
    for (const wildcard of this.distinct) {
      doubt(wildcard, ({ rotating }) => rotating.filter((type) => ADDRESS_TYPES.includes(type)));
      doubt(this.#ofZone, (ofZone) => wildcard.samples.flatMap((sample) => ofZone.differing(sample)));
    }
    return new Map([...doubts].map(([wildcard, types]) => [wildcard, [...types]]));
  }

  records(): readonly ZoneRecord[] {
    return this.distinct.flatMap((each) => each.records());
  }

  #isOfZone(wildcard: Wildcard): boolean {
    return wildcard !== this.#ofZone && wildcard.samples.every((sample) => this.#ofZone.differing(sample).length === 0);
  }
}

const aboveOf = (name: string): string => name.slice(name.indexOf(".") + 1);
