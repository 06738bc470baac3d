import type { Operation } from "../../surfaces/operation.ts";
import { checkDnsDelegation } from "./delegation/check-delegation.ts";
import { readDnsSetup } from "./delegation/read-setup.ts";
import {
  deleteDnssecKey,
  disableDnssec,
  dnssecSteps,
  enableDnssec,
  readDnssec,
  rotateDnssec,
} from "./dnssec/dnssec.ts";
import { createDnsKey } from "./keys/create-dns-key.ts";
import { revokeDnsKey } from "./keys/revoke-dns-key.ts";
import type { DnsParts } from "./parts.ts";
import { powerDnsOperations } from "./power-dns/power-dns.ts";
import { dnsSurface } from "./surface.ts";
import { createDnsRecord, deleteDnsRecord, replaceDnsRecords, updateDnsRecord } from "./zones/change-records.ts";
import { createDnsZone, deleteDnsZone } from "./zones/change-zones.ts";
import { dnsChanges } from "./zones/dns-changes.ts";
import { dnsZoneExport, exportDnsZone } from "./zones/export-zone.ts";
import { getDnsZone } from "./zones/get-dns-zone.ts";
import { importDnsZone } from "./zones/import-zone.ts";
import { listDnsRecords } from "./zones/list-dns-records.ts";
import { listDnsZones } from "./zones/list-dns-zones.ts";
import { readDnsMe } from "./zones/read-dns-me.ts";

const ZONE = "/orgs/{org_id}/zones/{zone_id}";

/** DNS hosting: dns-hosting §4. */
export const dnsOperations: readonly Operation<DnsParts>[] = [
  readDnsMe,
  createDnsZone,
  listDnsZones,
  getDnsZone,
  readDnsSetup,
  checkDnsDelegation,
  importDnsZone,
  exportDnsZone,
  dnsZoneExport,
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
  dnsChanges,
  readDnssec,
  dnssecSteps,
  enableDnssec,
  rotateDnssec,
  deleteDnssecKey,
  disableDnssec,
  createDnsKey,
  revokeDnsKey,
  ...powerDnsOperations,
];
