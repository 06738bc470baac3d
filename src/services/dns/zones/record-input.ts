import { z } from "zod";
import { wireText } from "../../../surfaces/wire-text.ts";

/** A whole number that SQL judges, so that its error is that of the record. The description of the API names the limits. */
const judged = (minimum: number, maximum: number, description: string) =>
  z.int32("must be a whole number").meta({ minimum, maximum, description });

export const ttl = judged(
  60,
  86_400,
  "How long resolvers keep the record, in seconds. All records of a name and type have the same TTL: the last one written.",
);

export const priority = judged(0, 65_535, "Required for MX and SRV. Ignored for other types.").nullish();

/** No text of a request is longer. SQL judges how much a record may hold. */
export const MOST_CONTENT = 70_000;

const record = z
  .strictObject({
    content: wireText(MOST_CONTENT).meta({ description: "The value, in the form that the type requires." }),
    priority,
    disabled: z
      .boolean()
      .optional()
      .meta({ description: "If true, the record is stored but not served. Default: false." }),
    comment: wireText(500).nullish().meta({ description: "Your own note." }),
  })
  .meta({ title: "DnsSetRecordInput", description: "A record of a set." });

/** The most records that one request may replace. */
const MOST_RECORDS = 5_000;

/** Sets of records as they shall be. */
export const sets = z
  .array(
    z
      .strictObject({
        name: wireText(1_000).meta({ description: "A name below the zone, `@` for the apex, or the full name." }),
        type: wireText(20).meta({ description: "The type, in upper or lower case." }),
        ttl: ttl.optional(),
        records: z.array(record).meta({ description: "All records of the set. An empty list deletes the set." }),
      })
      .meta({ title: "DnsRecordSetInput", description: "The new records of a name and type." }),
  )
  .min(1)
  .max(MOST_RECORDS)
  .refine((all) => all.reduce((count, { records }) => count + records.length, 0) <= MOST_RECORDS, {
    message: `must have at most ${MOST_RECORDS} records together`,
  })
  .meta({ description: "The new sets, each with a name and a type: at most 5,000 records together." });
