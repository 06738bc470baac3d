import { z } from "zod";
import { isWritable, wireText } from "../../../surfaces/wire-text.ts";
import { readEscapes } from "../zone-file/presentation-name.ts";
import { asciiName } from "../zones/ascii-name.ts";
import { MOST_CONTENT } from "../zones/record-input.ts";

/** octoDNS sends a whole zone in one request. */
const MOST_SETS = 20_000;
const MOST_RECORDS = 50_000;
const MOST_MIB = 8;
export const MOST_RRSET_BYTES = MOST_MIB * 1024 * 1024;

/** What a request with sets may have, for its errors. */
export const MOST_RRSETS = `at most ${MOST_SETS.toLocaleString("en")} sets with ${MOST_RECORDS.toLocaleString("en")} records together, in ${MOST_MIB} MiB`;

/** A name as clients of PowerDNS write it: with escapes (RFC 1035 §5.1), or internationalized. */
export const nameOf = (text: string): string => asciiName(readEscapes(text));

/** Types whose contents end with a name. */
const WITH_HOST = /^(ALIAS|CNAME|MX|NS|PTR|SRV)$/i;

/** A set of records as clients of PowerDNS write it. SQL judges it; members beyond these are ignored. */
const rrset = z
  .object({
    name: wireText(1_000).transform(nameOf),
    type: wireText(20),
    changetype: wireText(20).nullish(),
    ttl: z.int32("must be a whole number").nullish(),
    records: z.array(z.object({ content: wireText(MOST_CONTENT), disabled: z.boolean().nullish() })).nullish(),
    comments: z.array(z.object({ content: wireText(500) })).nullish(),
  })
  .transform((set) =>
    WITH_HOST.test(set.type)
      ? { ...set, records: set.records?.map((record) => ({ ...record, content: readEscapes(record.content) })) }
      : set,
  );

/** Sets, or changes of sets. */
export const rrsets = z
  .array(rrset)
  .refine(
    (all) =>
      all.length <= MOST_SETS && all.reduce((count, { records }) => count + (records?.length ?? 0), 0) <= MOST_RECORDS,
    { message: `must have ${MOST_RRSETS}` },
  );

/**
 * The name of a zone in a path: its id is the name, in which `=2F` stands for a slash. The final dot may be missing.
 * A name that cannot be read is the name of no zone.
 */
export function zoneOfId(id: string): string {
  const bytes = id.replaceAll(/=([0-9A-Fa-f]{2})/g, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)));
  return isWritable(bytes) ? nameOf(bytes) : "";
}
