import { z } from "zod";
import { rowOf } from "../../../surfaces/operation.ts";
import { served } from "../nameserver/served.ts";
import { operation } from "../parts.ts";
import { dnsSurface } from "../surface.ts";
import { asciiName } from "./ascii-name.ts";
import { priority, sets, ttl } from "./record-input.ts";

const RECORD_ERRORS = ["record_invalid", "record_exists", "record_conflict", "record_limit_reached"];
const RECORDS = "/orgs/{org_id}/zones/{zone_id}/records";
const answered = (name: string) => ({
  name,
  description: "The record.",
  members: z.object({ record: rowOf("dns_records").meta({ description: "The record." }) }),
});

export const createDnsRecord = operation({
  name: "createDnsRecord",
  command: "create_dns_record",
  input: z.object({ ttl: ttl.default(3600), priority }),
  answers: { schema: "DnsRecord" },
  errors: ["not_found", ...RECORD_ERRORS],
  rest: {
    surface: dnsSurface,
    method: "POST",
    path: RECORDS,
    status: 201,
    tag: "Records",
    summary: "Create a record",
    description: "The nameservers serve it from the first question after this answer on.",
  },
  graphql: { description: "Makes a record, which is served at once.", payload: answered("CreateDnsRecordPayload") },
  run: (work, input) => served(work, "create_dns_record", { ...input, name: asciiName(input.name) }, 201),
});

export const updateDnsRecord = operation({
  name: "updateDnsRecord",
  command: "update_dns_record",
  made: ["is_without_priority"],
  input: z.object({ ttl: ttl.optional(), priority }),
  answers: { schema: "DnsRecord" },
  errors: ["not_found", ...RECORD_ERRORS],
  rest: {
    surface: dnsSurface,
    method: "PUT",
    path: `${RECORDS}/{record_id}`,
    status: 200,
    tag: "Records",
    summary: "Change a record",
    description: "Only the given members change. `name` and `type` may be given, and cannot change.",
  },
  graphql: { description: "Changes the given members of a record.", payload: answered("UpdateDnsRecordPayload") },
  run: (work, input) =>
    served(work, "update_dns_record", {
      ...input,
      is_without_priority: input.priority === null,
      ...(input.name === undefined ? {} : { name: asciiName(input.name) }),
      // An empty text removes the comment; an absent member leaves it unchanged.
      ...(input.comment === "" ? { comment: null } : {}),
    }),
});

export const deleteDnsRecord = operation({
  name: "deleteDnsRecord",
  command: "delete_dns_record",
  answers: { nothing: "Deleted." },
  errors: ["not_found"],
  rest: {
    surface: dnsSurface,
    method: "DELETE",
    path: `${RECORDS}/{record_id}`,
    status: 204,
    tag: "Records",
    summary: "Delete a record",
  },
  graphql: {
    description: "Deletes a record.",
    payload: {
      name: "DeleteDnsRecordPayload",
      description: "The record is gone.",
      members: z.object({ record_id: z.string().meta({ description: "The record." }) }),
    },
  },
  run: (work, input) => served(work, "delete_dns_record", input, 204),
});

const replaced = z.object({
  serial: z.int().meta({ description: "The serial of the zone after the change." }),
  created: z.int32().meta({ description: "How many records were created." }),
  updated: z.int32().meta({ description: "How many records were updated." }),
  deleted: z.int32().meta({ description: "How many records were deleted." }),
  dry_run: z.boolean().meta({ description: "Whether nothing was written." }),
});

export const replaceDnsRecords = operation({
  name: "replaceDnsRecords",
  command: "replace_dns_records",
  input: z.object({ sets }),
  answers: { schema: "DnsReplacement" },
  errors: ["not_found", ...RECORD_ERRORS],
  rest: {
    surface: dnsSurface,
    method: "PUT",
    path: RECORDS,
    status: 200,
    tag: "Records",
    summary: "Replace sets of records",
    description:
      "Makes each given set, all records of a name and type, what it shall be: records that stay keep their ids, and an empty set is deleted. " +
      "All of it is one change, judged by its end: a CNAME becomes an A in one request. With `dry_run` nothing is written.",
  },
  graphql: {
    description: "Makes sets of records, all records of a name and type, what they shall be, in one change.",
    payload: {
      name: "ReplaceDnsRecordsPayload",
      description: "What changed.",
      members: replaced,
    },
  },
  run: (work, input) =>
    served(work, "replace_dns_records", {
      ...input,
      sets: input.sets.map((set) => ({ ...set, name: asciiName(set.name) })),
    }),
});
