import { recordsAt } from "../../../adapters/resolver/message.ts";
import type { ZoneRecord } from "../zone-file/zone-record.ts";
import type { Provider } from "./provider.ts";
import { SCAN_TYPES, type ScanType, scannedRecord } from "./scanned-record.ts";

/** Most records of a name and type. A hostile server may answer with more. */
export const MOST_IN_SET = 100;

/** What the servers of a provider answered about a name. */
export interface Answers {
  readonly name: string;
  readonly records: readonly ZoneRecord[];
  /**
   * The records of each type that was answered, as a text that equal sets share: in whatever order, and with whatever TTL of a cache. Empty if
   * the name has no such record.
   */
  readonly sets: ReadonlyMap<ScanType, string>;
  /** The types that were asked for in vain. */
  readonly unanswered: readonly ScanType[];
  /** A set had more records than are taken. */
  readonly isCut: boolean;
}

/** Asks for types of a name, one after the other, until it is known that the name has no more. */
export async function askAbout(
  provider: Provider,
  name: string,
  types: readonly ScanType[] = SCAN_TYPES,
): Promise<Answers> {
  const isApex = name === provider.zone;
  const records: ZoneRecord[] = [];
  const known: ScanType[] = [];
  const unanswered: ScanType[] = [];
  let isCut = false;
  for (const type of types) {
    // Those of the apex say where the zone is now. The service has its own.
    if (type === "NS" && isApex) continue;
    const reply = await provider.ask({ name, type });
    if (reply === null) {
      unanswered.push(type);
      continue;
    }
    known.push(type);
    const [cname] = recordsAt(reply.answers, name, "CNAME");
    const delegation = isApex ? [] : recordsAt(reply.authorities, name, "NS");
    // A CNAME has its name alone, and what is delegated belongs to others.
    const isAlone = cname !== undefined || (!reply.isAuthoritative && delegation.length > 0);
    const set = cname !== undefined ? [cname] : isAlone ? delegation : recordsAt(reply.answers, name, type);
    // An alias to a name that does not exist is NXDOMAIN too (RFC 6604 §3), and a CNAME all the same.
    const isMissing = reply.status === "NXDOMAIN" && cname === undefined;
    const own = isMissing ? [] : set.map((each) => scannedRecord(name, each)).filter((each) => each !== null);
    // A server may answer with a record twice.
    const distinct = [...new Map(own.map((each) => [keyOf(each), each])).values()];
    records.push(...distinct.slice(0, MOST_IN_SET));
    isCut ||= distinct.length > MOST_IN_SET;
    if (isMissing || isAlone) return { name, records, sets: setsOf(records, SCAN_TYPES), unanswered: [], isCut };
  }
  return { name, records, sets: setsOf(records, known), unanswered, isCut };
}

/** What makes a record of a name the same. */
export const keyOf = ({ type, content, priority }: ZoneRecord): string => `${type} ${priority ?? ""} ${content}`;

function setsOf(records: readonly ZoneRecord[], types: Iterable<ScanType>): ReadonlyMap<ScanType, string> {
  const byType = Map.groupBy(records, ({ type }) => type);
  return new Map([...types].map((type) => [type, (byType.get(type) ?? []).map(keyOf).toSorted().join("\n")]));
}
