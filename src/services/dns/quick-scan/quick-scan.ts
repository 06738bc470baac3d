import { randomBytes } from "node:crypto";
import { recordsAt } from "../../../adapters/resolver/message.ts";
import type { PublicDns } from "../../../adapters/resolver/public-dns.ts";
import type { Config } from "../../../config.ts";
import { forRequests, publicDnsOf } from "../public-dns-of.ts";
import type { ZoneRecord } from "../zone-file/zone-record.ts";
import { Provider } from "./provider.ts";
import { SCAN_NAMES } from "./scan-names.ts";
import { SCAN_TYPES, scannedRecord } from "./scanned-record.ts";

/** What a scan found. */
export interface Scanned {
  /** JSON, as `dns.judge_import` takes it: without lines. */
  readonly records: string;
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

/** The time of a scan: issue "DNS hosting II" §4. */
const SCAN_MS = 10_000;
const SCANS_AT_ONCE = 20;
const QUESTIONS_AT_ONCE = 20;
/** A hostile server may answer with more. */
const MOST_RECORDS = 1_000;
const MOST_IN_SET = 100;
const MOST_NAMED = 5;

/** Asks the present name servers of domains for common names. */
export class QuickScans {
  readonly #dns: PublicDns;

  constructor(publicDns: PublicDns) {
    this.#dns = publicDns;
  }

  static of(config: Pick<Config, "dnsResolvers" | "dnsLoopbackPort">): QuickScans {
    return new QuickScans(
      publicDnsOf(config, { taskMs: SCAN_MS, atOnce: SCANS_AT_ONCE, groups: forRequests(SCANS_AT_ONCE) }),
    );
  }

  /**
   * Scans a domain, in ten seconds at most. What nobody answered is in the warnings.
   * @param group whose domain it is: organizations take turns
   * @param begin called when its turn has come, before anybody is asked; what it throws ends the scan
   * @throws SlotsBusyError, and `begin` is not called
   */
  scan(zone: string, group: string, begin: () => Promise<void> = async () => {}): Promise<Scanned> {
    return this.#dns.task(async (asking) => {
      await begin();
      const provider = await Provider.find(asking, zone);
      return provider === null ? scanned([], [NO_SERVERS]) : new Scan(provider, zone).run();
    }, group);
  }
}

const INCOMPLETE = {
  code: "scan_incomplete",
  message:
    "A quick scan asks for common names only and is never complete. Compare the records with those at the present provider before you change the nameservers.",
};
const NO_SERVERS = {
  code: "scan_no_servers",
  message: "The public DNS shows no nameserver of the domain that can be asked at a public address.",
};

const scanned = (records: readonly ZoneRecord[], warnings: Scanned["warnings"]): Scanned => ({
  records: JSON.stringify(
    records.map(({ name, type, ttl, content, priority, disabled, comment }) => [
      null,
      name,
      type,
      ttl,
      content,
      priority,
      disabled,
      comment,
    ]),
  ),
  warnings: [INCOMPLETE, ...warnings],
});

/** The records of a name, without those of its name server's wildcard. */
type Found = readonly ZoneRecord[];

class Scan {
  readonly #provider: Provider;
  readonly #zone: string;
  readonly #unanswered: string[] = [];
  #count = 0;
  #isCut = false;

  constructor(provider: Provider, zone: string) {
    this.#provider = provider;
    this.#zone = zone;
  }

  async run(): Promise<Scanned> {
    const wildcards = await this.#findWildcards();
    const ofNames = await inLanes(SCAN_NAMES, QUESTIONS_AT_ONCE, async (relative) => {
      const name = this.#whole(relative);
      const made = new Set((wildcards.get(aboveOf(name)) ?? []).map(keyOf));
      return (await this.#recordsOf(name)).filter((record) => !made.has(keyOf(record)));
    });
    const stars = [...wildcards].flatMap(([above, records]) =>
      // What the wildcard of the zone makes below a name is no wildcard of that name.
      above !== this.#zone && sameRecords(records, wildcards.get(this.#zone) ?? [])
        ? []
        : records.map((record) => ({ ...record, name: `*.${above}` })),
    );
    const all = [...stars, ...ofNames.flat()];
    return scanned(all, this.#warnings(stars.length > 0));
  }

  /** What the servers answer for a name that does not exist, below each name that has scanned names below it. */
  async #findWildcards(): Promise<ReadonlyMap<string, Found>> {
    const aboves = [...new Set(SCAN_NAMES.filter((each) => each !== "@").map((each) => aboveOf(this.#whole(each))))];
    const found = await inLanes(aboves, QUESTIONS_AT_ONCE, (above) =>
      this.#recordsOf(`${randomLabel()}.${above}`, `*.${above}`),
    );
    return new Map(aboves.map((above, place) => [above, found[place] ?? []]));
  }

  /** @param shown the name in a warning */
  async #recordsOf(name: string, shown = name): Promise<Found> {
    const records: ZoneRecord[] = [];
    for (const type of SCAN_TYPES) {
      // Those of the apex say where the zone is now. The service has its own.
      if (type === "NS" && name === this.#zone) continue;
      const reply = await this.#provider.ask({ name, type });
      if (reply === null) {
        this.#unanswered.push(`${shown} ${type}`);
        continue;
      }
      if (reply.status === "NXDOMAIN") break;
      const [cname] = recordsAt(reply.answers, name, "CNAME");
      const delegation = name === this.#zone ? [] : recordsAt(reply.authorities, name, "NS");
      const isAlone = cname !== undefined || (!reply.isAuthoritative && delegation.length > 0);
      const set = cname !== undefined ? [cname] : isAlone ? delegation : recordsAt(reply.answers, name, type);
      for (const each of set) this.#take(records, name, each, set.length);
      // A CNAME has its name alone, and what is delegated belongs to others.
      if (isAlone) break;
    }
    return records;
  }

  #take(records: ZoneRecord[], name: string, answer: Parameters<typeof scannedRecord>[1], inSet: number): void {
    const ofType = records.filter(({ type }) => type === answer.type).length;
    if (this.#count >= MOST_RECORDS || (inSet > MOST_IN_SET && ofType >= MOST_IN_SET)) {
      this.#isCut = true;
      return;
    }
    const record = scannedRecord(name, answer);
    // A server may answer with a record twice.
    if (record === null || records.some((other) => keyOf(other) === keyOf(record))) return;
    this.#count += 1;
    records.push(record);
  }

  #warnings(hasWildcard: boolean): Scanned["warnings"] {
    const first = this.#unanswered.slice(0, MOST_NAMED).join(", ");
    return [
      ...(hasWildcard
        ? [
            {
              code: "scan_wildcard",
              message:
                'The domain answers for names that do not exist. Those answers became records of "*", and names that answer the same were left out.',
            },
          ]
        : []),
      ...(this.#unanswered.length > 0
        ? [
            {
              code: "scan_unanswered",
              message: `${this.#unanswered.length} questions were not answered within the time of the scan, such as ${first}.`,
            },
          ]
        : []),
      ...(this.#isCut
        ? [
            {
              code: "scan_cut",
              message: `The nameservers answered with more records than a scan takes: ${MOST_IN_SET} of a name and type, ${MOST_RECORDS} together.`,
            },
          ]
        : []),
    ];
  }

  #whole(relative: string): string {
    return relative === "@" ? this.#zone : `${relative}.${this.#zone}`;
  }
}

/** A label that no domain has. */
const randomLabel = () => randomBytes(8).toString("hex");
const aboveOf = (name: string): string => name.slice(name.indexOf(".") + 1);
/** What makes a record of a name the same. */
const keyOf = ({ type, content, priority }: ZoneRecord): string => `${type} ${priority ?? ""} ${content}`;

const sameRecords = (some: Found, others: Found): boolean =>
  some.length === others.length && some.every((one) => others.some((other) => keyOf(one) === keyOf(other)));

/** Works on all items, some at a time, and answers in their order. */
async function inLanes<Item, Result>(
  items: readonly Item[],
  lanes: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const left = items.entries();
  const lane = async () => {
    for (const [place, item] of left) results[place] = await work(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
}
