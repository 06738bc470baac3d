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
  made: ["if_match"],
  input: z.object({ ttl: ttl.default(3600), priority }),
  answers: { schema: "DnsRecord" },
  errors: ["not_found", ...RECORD_ERRORS, "precondition_failed"],
  rest: {
    surface: dnsSurface,
    method: "POST",
    path: RECORDS,
    status: 201,
    tag: "Records",
    summary: "Create a record",
    description: "The nameservers serve the record from the first query after this answer.",
  },
  graphql: {
    description: "Creates a record, which is served immediately.",
    payload: answered("CreateDnsRecordPayload"),
  },
  run: (work, input) => served(work, "create_dns_record", { ...input, name: asciiName(input.name) }, 201),
});

export const updateDnsRecord = operation({
  name: "updateDnsRecord",
  command: "update_dns_record",
  made: ["if_match", "is_without_priority"],
  input: z.object({ ttl: ttl.optional(), priority }),
  answers: { schema: "DnsRecord" },
  errors: ["not_found", ...RECORD_ERRORS, "precondition_failed"],
  rest: {
    surface: dnsSurface,
    method: "PUT",
    path: `${RECORDS}/{record_id}`,
    status: 200,
    tag: "Records",
    summary: "Change a record",
    description: "Only the given members change. `name` and `type` may be given but cannot change.",
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
  made: ["if_match"],
  answers: { nothing: "Deleted." },
  errors: ["not_found", "precondition_failed"],
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
      description: "The record has been deleted.",
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
  made: ["if_match"],
  input: z.object({ sets }),
  answers: { schema: "DnsReplacement" },
  errors: ["not_found", ...RECORD_ERRORS, "precondition_failed"],
  rest: {
    surface: dnsSurface,
    method: "PUT",
    path: RECORDS,
    status: 200,
    tag: "Records",
    summary: "Replace sets of records",
    description:
      "Replaces each given set: all records of a name and type. Records that stay keep their ids, and an empty set is deleted. The whole request is one change, and only its result is validated. So one request can replace a CNAME with an A. With `dry_run`, nothing is written.",
  },
  graphql: {
    description: "Replaces sets of records in one change. A set is all records of a name and type.",
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
