import { powerDnsSurface, powerDnsVersions } from "../../../src/services/dns/power-dns/power-dns-surface.ts";
import { issueKey } from "../../../src/services/dns/store.ts";
import { dnsSurface } from "../../../src/services/dns/surface.ts";
import type { ServiceFacts } from "../../support/service-facts.ts";
import { sampleMails } from "./sample-mails.ts";

export const facts: ServiceFacts = {
  environment: { NAMESERVER_NAMES: "ns1.selo.test,ns2.selo.test" },
  rows: () => import("./rows.ts"),
  isolation: async () => (await import("./isolation.ts")).isolation,
  surfaces: [
    {
      surface: dnsSurface,
      credentials: async ({ operator }, { id }) => ({
        authorization: `Bearer ${(await issueKey(operator, id, "robot")).secret}`,
      }),
      wrongValue: "not_found",
    },
  ],
  undocumentedSurfaces: [powerDnsVersions, powerDnsSurface],
  operations: {
    createDnsZone: { body: { name: "example.com" } },
    createDnsRecord: { body: { name: "www", type: "A", content: "192.0.2.1" } },
    // Every member is optional, but the body is not.
    updateDnsRecord: { body: {} },
    replaceDnsRecords: {
      body: { sets: [{ name: "www", type: "A", records: [] }] },
      deepText: {
        body: (json) => `{"sets": [{"name": "www", "type": "TXT", "records": [{"content": ${json}}]}]}`,
        field: "sets.0.records.0.content",
      },
    },
    importDnsZone: { body: { bind_file: "" } },
  },
  withoutPath: [
    // Second halves of requests, whose first halves ask what callers send: the rest is what TypeScript makes, or the public DNS says.
    "check_dns_delegation.answers",
    "create_dns_zone.name",
    "create_dns_zone.nameservers",
    "create_dns_zone.public_ns",
    "create_dns_zone.proofs",
    // Of the API of PowerDNS, whose errors name no members: power-dns-zones.test.ts.
    "create_rrset_zone.name",
    "create_rrset_zone.nameservers",
    "create_rrset_zone.known_nameservers",
    "create_rrset_zone.public_ns",
    "create_rrset_zone.proofs",
    "enable_dnssec.if_match",
    "enable_dnssec.key_tag",
    "enable_dnssec.dnskey",
    "enable_dnssec.ds_records",
    "enable_dnssec.sealed_private_key",
    "enable_dnssec.private_key",
    "get_rrset_zone.rrset_name",
    "get_rrset_zone.rrset_type",
    "import_dns_zone.if_match",
    "import_dns_zone.warnings",
    "read_dns_setup.answers",
    "rotate_dnssec.if_match",
    "rotate_dnssec.key_tag",
    "rotate_dnssec.dnskey",
    "rotate_dnssec.ds_records",
    "rotate_dnssec.sealed_private_key",
    "rotate_dnssec.private_key",
  ],
  settings: {
    NAMESERVER_NAMES: { otherwise: "none (`ns1.selo.test,ns2.selo.test,ns3.selo.test,ns4.selo.test` for `npm start`)" },
    PDNS_SERVER: {
      otherwise: "found in `PATH`, or installed by `selo nameserver install`",
      refused: [["pdns_server", "must be an absolute path"]],
    },
    DATABASE_DNS_URL: { otherwise: "embedded" },
    NAMESERVER_ADDRESS: { refused: [["ns1.example", "must be IP addresses, separated by commas"]] },
    NAMESERVER_PORT: { otherwise: "`53` in production; otherwise a free port from 5300 on that is kept" },
    NAMESERVER_CONTROL_ADDRESS: { refused: [["localhost", "must be an IP address"]] },
    NAMESERVER_CONTROL_PORT: { otherwise: "`5380` in production; otherwise a free port" },
    NAMESERVER_CONTROL_KEY: {
      otherwise: "generated",
      refused: [["short", "must be at least 32 visible ASCII characters"]],
    },
    NAMESERVER_CONTROL_TLS_CERT: {},
    NAMESERVER_CONTROL_TLS_KEY: {},
    NAMESERVER_CONTROL_TLS_CA: { otherwise: "the authorities that Node trusts" },
    // Nameservers are reached over TLS, or over loopback.
    NAMESERVER_CONTROL_URLS: {
      otherwise: "that of the nameserver of `npm start`",
      taken: [
        [
          "https://ns1.example:5380, http://127.0.0.1:5380/,http://[::1]:1",
          ["https://ns1.example:5380", "http://127.0.0.1:5380", "http://[::1]:1"],
        ],
      ],
      refused: [
        ["http://192.0.2.1:5380", "must be https:// addresses"],
        ["https://ns1.example/path", "must be https:// addresses"],
      ],
    },
    SELO_DNS_KEY: { refused: [["dns_0123abcd_short"]] },
  },
  events: {
    sent: [
      "zone.activated",
      "zone.alias_failing",
      "zone.chain_broken",
      "zone.created",
      "zone.delegation_lost",
      "zone.deleted",
      "zone.dnssec_disabled",
      "zone.dnssec_enabled",
      "zone.dnssec_key_deleted",
      "zone.dnssec_rotated",
      "zone.moved",
      "zone.records_changed",
    ],
    data: {
      // The members of all kinds.
      zone: {
        zone_id: 1,
        name: "example.com",
        status: "pending",
        serial: 2,
        created: 1,
        updated: 0,
        deleted: 0,
        key_id: 3,
        record: "example.com",
        target: "example.net",
      },
    },
  },
  mails: sampleMails,
  audit: {
    write: async (selo, organization) => {
      const { writeZones } = await import("./write-zone.ts");
      const { secret } = await issueKey(selo.operator, organization.id, "robot");
      await writeZones(selo, organization, secret, "audited.example");
    },
    unbound: ["alter table dns.dnssec_keys alter column id drop identity"],
    rows: {
      "dns.changes": ["json_array_length(removed) = 0", "json_array_length(removed) > 0"],
      "dns.dnssec_keys": ["true", "id = (select max(id) from dns.dnssec_keys)"],
      "dns.records": ["comment is null", "priority is not null and comment is not null", "disabled"],
      "pdns.records": ["type = 'SOA'", "type = 'NS' and not auth", "type = 'MX'", "type is null"],
    },
    edits: {
      // A check constraint keeps to the form.
      "dns.api_keys.prefix": "'dns_00000000'",
      // Check constraints keep to the forms.
      "dns.dnssec_keys.algorithm": "algorithm || 'x'",
      "dns.dnssec_keys.dnskey":
        "overlay(dnskey placing case substring(dnskey from 12 for 1) when 'A' then 'B' else 'A' end from 12 for 1)",
      "dns.dnssec_keys.ds_records": "array[ds_records[2], ds_records[1]]",
      "dns.dnssec_keys.key_tag": "(key_tag + 1) % 65536",
    },
  },
  graphql: {
    queries: [
      "dnsChanges",
      "dnsKeys",
      "dnsRecord",
      "dnsRecords",
      "dnsSetup",
      "dnsZone",
      "dnsZoneExport",
      "dnsZones",
      "dnssec",
      "dnssecKey",
      "dnssecKeys",
    ],
    mutations: [
      "checkDnsDelegation",
      "createDnsKey",
      "createDnsRecord",
      "createDnsZone",
      "deleteDnsRecord",
      "deleteDnsZone",
      "deleteDnssecKey",
      "disableDnssec",
      "enableDnssec",
      "importDnsZone",
      "replaceDnsRecords",
      "revokeDnsKey",
      "rotateDnssec",
      "updateDnsRecord",
    ],
    json: [],
    // For analysts.
    hidden: ["dns_changes"],
    types: {
      dns_keys: "DnsKey",
      dns_records: "DnsRecord",
      dns_zones: "DnsZone",
      dnssec_keys: "DnssecKey",
    },
    // It writes what it finds.
    verbs: ["checkDnsDelegation"],
    // A zone has no list of nameservers where the service names none: dns-hosting §2. The public DNS may not answer. Another's zone has no changes.
    nullLists: [
      "DnsZone.nameservers",
      "DnsKey.zones",
      "DnsSetup.currentNs",
      "DnsSetup.parentNs",
      "DnsSetup.parentDs",
      "Query.dnsChanges",
    ],
  },
};
