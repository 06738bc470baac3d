import type { Operation } from "../../surfaces/operation.ts";
import { createDnsRecord, deleteDnsRecord, replaceDnsRecords, updateDnsRecord } from "./operations/change-records.ts";
import { createDnsZone, deleteDnsZone } from "./operations/change-zones.ts";
import { checkDnsDelegation } from "./operations/check-delegation.ts";
import { deleteDnssecKey, disableDnssec, enableDnssec, readDnssec, rotateDnssec } from "./operations/dnssec.ts";
import { exportDnsZone } from "./operations/export-zone.ts";
import { importDnsZone } from "./operations/import-zone.ts";
import { listDnsRecords } from "./operations/list-dns-records.ts";
import { powerDnsOperations } from "./operations/power-dns.ts";
import { readDnsMe } from "./operations/read-dns-me.ts";
import { readDnsSetup } from "./operations/read-setup.ts";
import type { DnsParts } from "./parts.ts";
import { dnsSurface } from "./surface.ts";

const ZONE = "/orgs/{org_id}/zones/{zone_id}";

/** DNS hosting: dns-hosting §4. */
export const dnsOperations: readonly Operation<DnsParts>[] = [
  readDnsMe,
  createDnsZone,
  {
    name: "listDnsZones",
    command: "list_dns_zones",
    answers: { schema: "DnsZoneList" },
    rest: {
      surface: dnsSurface,
      method: "GET",
      path: "/orgs/{org_id}/zones",
      status: 200,
      tag: "Zones",
      summary: "List all zones by name",
    },
  },
  {
    name: "getDnsZone",
    command: "get_dns_zone",
    answers: { schema: "DnsZone" },
    errors: ["not_found"],
    rest: { surface: dnsSurface, method: "GET", path: ZONE, status: 200, tag: "Zones", summary: "Read a zone" },
  },
  readDnsSetup,
  checkDnsDelegation,
  importDnsZone,
  exportDnsZone,
  deleteDnsZone,
  createDnsRecord,
  listDnsRecords,
  updateDnsRecord,
  deleteDnsRecord,
  replaceDnsRecords,
  {
    name: "listDnsChanges",
    command: "list_dns_changes",
    answers: { schema: "DnsChangeList" },
    errors: ["not_found"],
    rest: {
      surface: dnsSurface,
      method: "GET",
      path: `${ZONE}/changes`,
      status: 200,
      tag: "Records",
      summary: "List changes of a zone, newest first",
      description: "Each change raised the serial of the zone by one.",
    },
  },
  readDnssec,
  enableDnssec,
  rotateDnssec,
  deleteDnssecKey,
  disableDnssec,
  ...powerDnsOperations,
];
