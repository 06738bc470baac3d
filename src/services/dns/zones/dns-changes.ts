import { z } from "zod";
import { nameOf } from "../../../surfaces/operation.ts";
import { PAGE_SIZE } from "../../../surfaces/page-size.ts";
import { operation } from "../parts.ts";

/** A record of a change. It is no row with an id: clients would keep what it was in place of what it is. */
const record = z
  .object({
    record_id: z.int32().meta({ description: "Id of the record." }),
    name: z.string().meta({ description: "The whole name, in lower case." }),
    type: nameOf("dns.record_types", "The type."),
    content: z.string().meta({ description: "The content, in its canonical form." }),
    ttl: z.int32().meta({ description: "Time to live, in seconds." }),
    priority: z.int32().nullable().meta({ description: "The priority. Null for types without one." }),
    disabled: z.boolean().meta({ description: "Whether the record was stored and not served." }),
    comment: z.string().nullable().meta({ description: "The comment of the record." }),
  })
  .meta({ title: "DnsChangedRecord", description: "A record as it was before or after a change." });

const change = z
  .object({
    serial: z.int().meta({ description: "The serial of the zone after the change." }),
    at: z.iso.datetime().meta({ description: "When it happened (UTC)." }),
    actor_type: z.string().nullable().meta({
      description: "Kind of the actor, as in the audit trail: api_key, user or operator, among others.",
    }),
    actor_id: z.uuid().nullable().meta({ description: "Id of the actor, such as the user. Null for an operator." }),
    key_id: z
      .int32()
      .nullable()
      .meta({ description: "Id of the API key that made the change. Null for other actors." }),
    request_id: z.uuid().nullable().meta({ description: "`X-Request-Id` of the request. Null without one." }),
    added: z.array(record).meta({
      description: "Records that were added, and changed records as they were after the change.",
    }),
    removed: z.array(record).meta({
      description: "Records that were removed, and changed records as they were before the change.",
    }),
  })
  .meta({ title: "DnsZoneChange", description: "A change of a zone, which raised its serial by one." });

/** A record as `GET …/changes` answers it. */
type ChangedRecord = { readonly id: number } & Readonly<Record<string, unknown>>;

/** The list of `GET …/changes` in GraphQL, whose lists take `first`. */
export const dnsChanges = operation({
  name: "dnsChanges",
  command: "list_dns_changes",
  made: ["limit"],
  input: z.object({
    first: z
      .int32()
      .min(1, `must be between 1 and ${PAGE_SIZE.most}`)
      .max(PAGE_SIZE.most, `must be between 1 and ${PAGE_SIZE.most}`)
      // A page of 50 with every member of its records would be over the most values of a document.
      .default(20)
      .meta({ description: `At most this many changes: 1-${PAGE_SIZE.most}.` }),
  }),
  errors: ["not_found"],
  rest: null,
  graphql: {
    description:
      "Changes of a zone, newest first. `before` is the serial of the last change of the page before. A page with large changes may have fewer than `first`; an empty page is the end.",
    example: {
      document:
        '{ dnsChanges(zoneId: "1", first: 10) { serial at actorType actorId added { name type content } removed { name type content } } }',
    },
    payload: { value: z.array(change) },
  },
  run: async ({ call }, { zone_id, before, first }) => {
    const answer = await call("list_dns_changes", { zone_id, before, limit: first });
    const { items } = JSON.parse(answer.body ?? "") as {
      readonly items: readonly { readonly added: ChangedRecord[]; readonly removed: ChangedRecord[] }[];
    };
    const named = (records: readonly ChangedRecord[]) =>
      records.map(({ id, ...members }) => ({ record_id: id, ...members }));
    const shown = items.map(({ added, removed, ...members }) => ({
      ...members,
      added: named(added),
      removed: named(removed),
    }));
    return { ...answer, body: JSON.stringify(shown) };
  },
});
