import { z } from "zod";
import { isWritable, wireText } from "../../../surfaces/wire-text.ts";
import { readEscapes } from "../zone-file/presentation-name.ts";
import { asciiName } from "../zones/ascii-name.ts";
import { MOST_CONTENT, MOST_RECORDS } from "../zones/record-input.ts";

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

/** Changes of sets, at most 5,000 records together. */
export const rrsets = z
  .array(rrset)
  .max(MOST_RECORDS)
  .refine((all) => all.reduce((count, { records }) => count + (records?.length ?? 0), 0) <= MOST_RECORDS, {
    message: `must have at most ${MOST_RECORDS} records together`,
  });

/**
 * The name of a zone in a path: its id is the name, in which `=2F` stands for a slash. The final dot may be missing.
 * A name that cannot be read is the name of no zone.
 */
export function zoneOfId(id: string): string {
  const bytes = id.replaceAll(/=([0-9A-Fa-f]{2})/g, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)));
  return isWritable(bytes) ? nameOf(bytes) : "";
}
