import { stringsOf } from "../zone-file/text-strings.ts";
import type { ParsedRecord, ZoneRecord } from "../zone-file/zone-record.ts";

const SHORTEST_TTL = 60;
const LONGEST_TTL = 86_400;
const TYPES = new Set(["A", "AAAA", "ALIAS", "CAA", "CNAME", "MX", "NS", "PTR", "SRV", "TXT"]);
/** Types that the service serves by itself at the apex. */
const APEX_TYPES = new Set(["SOA", "NS"]);
const WITH_PRIORITY = new Set(["MX", "SRV"]);

/** What a zone file would change. */
export interface ZoneDiff {
  /** A line for each record, those of the apex first, then by name: `+ www.example.com 300 A 192.0.2.1`. */
  readonly changes: readonly string[];
  /** Records of the file that an import leaves out, apart from SOA and NS of the apex. */
  readonly skipped: readonly { readonly line: number; readonly reason: string }[];
}

/**
 * Compares a zone with a zone file, as an import does that replaces the zone's records.
 * @param zone the apex
 * @param kept the records of the zone
 * @param given the records of the file
 * @param isClamped whether a TTL out of range becomes the nearest one
 */
export function diffZone(
  zone: string,
  kept: readonly ZoneRecord[],
  given: readonly ParsedRecord[],
  isClamped: boolean,
): ZoneDiff {
  const wanted = new Map<string, ZoneRecord>();
  // The records of a set have one TTL, the last written.
  const ttls = new Map<string, number>();
  const skipped: { line: number; reason: string }[] = [];
  for (const record of given) {
    // Each zone file has them, and no import takes them.
    if (record.name === zone && APEX_TYPES.has(record.type)) continue;
    const ttl = isClamped ? Math.min(Math.max(record.ttl, SHORTEST_TTL), LONGEST_TTL) : record.ttl;
    const key = keyOf(record);
    const reason = whyLeftOut(zone, { ...record, ttl }) ?? (wanted.has(key) ? "the file has the record twice" : null);
    if (reason === null) {
      wanted.set(key, record);
      ttls.set(setOf(record), ttl);
    } else skipped.push({ line: record.line, reason: `${setOf(record)}: ${reason}` });
  }
  const known = new Map(kept.map((record) => [keyOf(record), record]));
  const changes: { readonly sign: "+" | "-" | "~"; readonly record: ZoneRecord; readonly was?: ZoneRecord }[] = [];
  for (const [key, record] of known) if (!wanted.has(key)) changes.push({ sign: "-", record });
  for (const [key, without] of wanted) {
    const record = { ...without, ttl: ttls.get(setOf(without)) ?? without.ttl };
    const was = known.get(key);
    if (was === undefined) changes.push({ sign: "+", record });
    else if (isChanged(was, record)) changes.push({ sign: "~", record, was });
  }
  changes.sort((one, other) => order(zone, one.record, other.record));
  return {
    changes: changes.map(
      ({ sign, record, was }) => `${sign} ${textOf(record)}${was === undefined ? "" : ` (was ${textOf(was)})`}`,
    ),
    skipped,
  };
}

function whyLeftOut(zone: string, { name, type, ttl }: ZoneRecord): string | null {
  if (name !== zone && !name.endsWith(`.${zone}`)) return `the name is not in the zone ${zone}`;
  if (!TYPES.has(type)) return "the service does not serve this type";
  if (ttl < SHORTEST_TTL || ttl > LONGEST_TTL)
    return "the TTL is not 60 to 86400 seconds; --clamp-ttl uses the nearest allowed value";
  return null;
}

const setOf = ({ name, type }: ZoneRecord) => `${name} ${type}`;
const priorityOf = ({ type, priority }: ZoneRecord) => (WITH_PRIORITY.has(type) ? priority : null);

/** Two records with one key are the same on the wire, apart from their TTL. */
const keyOf = (record: ZoneRecord): string =>
  JSON.stringify([record.name, record.type, priorityOf(record), comparable(record.type, record.content)]);

/** A content in a form that all its spellings share. Content that the type does not allow stays as it is. */
function comparable(type: string, content: string): string {
  if (type === "TXT")
    return (
      stringsOf(content)
        ?.map((each) => each.toString("hex"))
        .join(" ") ?? content
    );
  if (type === "AAAA") return URL.parse(`http://[${content}]/`)?.hostname ?? content;
  if (type === "CAA")
    return content.replace(
      /^0*(\d+) +"?([^\s"]+)"? +"?(.*?)"?$/,
      (_, flags, tag, value) => `${flags} ${tag.toLowerCase()} ${value}`,
    );
  return content.toLowerCase().replaceAll(/\b0+(?=\d+ )/g, "");
}

/** Whether an import would write a record that the zone has: TXT stays as it was sent, so its spelling counts. */
const isChanged = (was: ZoneRecord, record: ZoneRecord): boolean =>
  was.ttl !== record.ttl ||
  was.disabled !== record.disabled ||
  (was.comment ?? "") !== (record.comment ?? "") ||
  (record.type === "TXT" && was.content !== record.content);

function order(zone: string, one: ZoneRecord, other: ZoneRecord): number {
  const [first, second] = [one, other].map((record) => (record.name === zone ? ` ${record.type}` : setOf(record))) as [
    string,
    string,
  ];
  return first < second ? -1 : first > second ? 1 : 0;
}

function textOf(record: ZoneRecord): string {
  const { name, ttl, type, content, disabled, comment } = record;
  const remarks = [...(disabled ? ["disabled"] : []), ...(comment ? [comment] : [])];
  return [name, ttl, type, priorityOf(record), content, ...(remarks.length > 0 ? [";", remarks.join(", ")] : [])]
    .filter((part) => part !== null)
    .join(" ");
}
