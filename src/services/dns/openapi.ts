import type { ApiDescription } from "../../surfaces/openapi/api-description.ts";
import { objectOf, ref, type Schema, schemaOf } from "../../surfaces/openapi/schema.ts";
import { setupAnswer } from "./delegation/read-setup.ts";
import { dnssecStatus } from "./dnssec/dnssec.ts";
import { importResult } from "./zones/import-zone.ts";

const count = (description: string): Schema => ({ type: "integer", minimum: 0, description });

/** Lists are bare arrays. */
const listOf = (schema: string, description: string): Schema => ({ type: "array", description, items: ref(schema) });

export const dnsDescription: ApiDescription = {
  tags: {
    Keys: "An operator creates and revokes API keys of DNS with `selo dns-key`.",
    Zones:
      "A zone is a domain that the nameservers of the service answer for. They serve the SOA and NS records at the apex of the zone, and all records that are not disabled.",
    Records:
      "Names are stored in full and in lower case. Contents are stored in one canonical form, but TXT is stored as it was sent. Every change raises the serial of the zone by one.",
    DNSSEC:
      "The service creates the keys of a zone and signs its answers. You do the rest at the registrar: publish a DS record after you enable DNSSEC, and remove the record before you disable DNSSEC.",
  },
  changing: {
    dns_key: /dns_[0-9a-f]{8}(?![\w-])/,
    // DS records: the tag, and digests of 32 and 48 bytes.
    ds: /(?<![\w ])\d{1,5} 13 [24] [0-9A-F]{64,96}(?![0-9A-F])/,
    // Serials of zones begin with the time in seconds: in answers, and in zone files.
    serial: /(?<="serial":\s?|, serial |\bSOA \S+ \S+ )\d{10}\b/,
  },
  schemas: ({ row }) => ({
    DnsZone: row("dns_zones"),
    DnsZoneList: listOf("DnsZone", "All zones by name."),
    DnsRecord: row("dns_records"),
    DnsRecordList: listOf("DnsRecord", "Records of a zone by name and type."),
    DnsSetup: { description: "Where a zone is delegated, and the remaining steps.", ...schemaOf(setupAnswer) },
    DnsImport: { description: "What an import did.", ...schemaOf(importResult) },
    DnssecStatus: { description: "Keys of a zone, and their DS records.", ...schemaOf(dnssecStatus) },
    DnsReplacement: {
      description: "What a replacement changed.",
      ...objectOf({
        serial: count("The serial of the zone after the change."),
        created: count("How many records were created."),
        updated: count("How many records were updated."),
        deleted: count("How many records were deleted."),
        dry_run: { type: "boolean", description: "Whether nothing was written." },
      }),
    },
    DnsChange: {
      description: "A change of a zone.",
      ...objectOf({
        serial: count("The serial of the zone after the change."),
        at: { type: "string", format: "date-time", description: "When it happened (UTC)." },
        actor_type: {
          type: ["string", "null"],
          description: "Kind of the actor, as in the audit trail: `api_key`, `user` or `operator`, among others.",
        },
        actor_id: {
          type: ["string", "null"],
          format: "uuid",
          description: "Id of the actor in the audit trail, such as the user. Null for the operator.",
        },
        key_id: {
          type: ["integer", "null"],
          description: "The API key that made the change. Null for other actors.",
        },
        request_id: { type: ["string", "null"], description: "`X-Request-Id` of the request. Null if there was none." },
        added: {
          type: "array",
          items: ref("DnsRecord"),
          description: "Records that were added, and changed records as they were after the change.",
        },
        removed: {
          type: "array",
          items: ref("DnsRecord"),
          description: "Records that were removed, and changed records as they were before the change.",
        },
      }),
    },
    DnsChangeList: listOf("DnsChange", "Changes of a zone, newest first."),
    DnsMe: {
      description: "What an API key opens.",
      ...objectOf({
        org_id: { type: "integer", description: "The number of the organization, for the paths below `/orgs/`." },
        organization: { type: "string", description: "The organization's name." },
        prefix: { type: "string", pattern: "^dns_[0-9a-f]{8}$", description: "The first characters of the key." },
        scopes: { type: "array", items: { type: "string" }, description: "What the key may do." },
        zones: {
          type: ["array", "null"],
          items: { type: "integer" },
          description: "The zones to which the key is restricted. Null for all zones.",
        },
        acme_only: {
          type: "boolean",
          description: "Whether the key is restricted to TXT records at and below `_acme-challenge` of any name.",
        },
        limits: {
          description: "The limits of the organization and of each request.",
          ...objectOf({
            dns_zones: count("Zones that the plan allows."),
            dns_records: count("Records that the plan allows in all zones together."),
            requests_per_minute: count("Requests that the key may make in a minute."),
            json_bytes: count("The largest body of a request, in bytes."),
          }),
        },
      }),
    },
  }),
};
