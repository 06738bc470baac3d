import { commands } from "../../src/postgres/generated/commands.ts";
import { issueKey } from "../../src/services/dns/store.ts";
import { dnsSurface } from "../../src/services/dns/surface.ts";
import { services } from "../../src/services/services.ts";
import { signingSurface } from "../../src/services/signature/signing/signing-surface.ts";
import { sentWith } from "../services/signature/completion-stage.ts";
import { testLimits } from "../support/limits.ts";

/** Tests the limits of the product's commands: in SQL and at the border in REST and GraphQL, or in full in REST and GraphQL. */
export function testProductLimits(isFull: boolean): void {
  testLimits(services as never, commands, {
    isFull,
    // `GET /webhooks/listen` names kinds of events in a form of its own.
    withoutPath: [
      // Second halves of requests, whose first halves ask what callers send: the rest is what TypeScript makes, or the public DNS says.
      "check_dns_delegation.answers",
      "create_dns_zone.name",
      "create_dns_zone.nameservers",
      "create_dns_zone.public_ns",
      "create_dns_zone.proofs",
      // Of the API of PowerDNS, whose errors name no members: test/services/dns/power-dns-zones.test.ts.
      "create_rrset_zone.name",
      "create_rrset_zone.nameservers",
      "create_rrset_zone.known_nameservers",
      "create_rrset_zone.public_ns",
      "create_rrset_zone.proofs",
      "enable_dnssec.key_tag",
      "enable_dnssec.dnskey",
      "enable_dnssec.ds_records",
      "enable_dnssec.sealed_private_key",
      "enable_dnssec.private_key",
      "get_rrset_zone.rrset_name",
      "get_rrset_zone.rrset_type",
      "import_dns_zone.warnings",
      "open_webhook_stream.event_types",
      "read_dns_setup.answers",
      "record_completion.consent_version",
      "rotate_dnssec.key_tag",
      "rotate_dnssec.dnskey",
      "rotate_dnssec.ds_records",
      "rotate_dnssec.sealed_private_key",
      "rotate_dnssec.private_key",
    ],
    beyond: [
      {
        surface: signingSurface,
        credentials: async (selo, { id: tenantId, test: token }) => {
          const { links } = await sentWith({ selo, tenantId, token, environment: "test" });
          return { "x-signing-link": links[0].secret };
        },
      },
      {
        surface: dnsSurface,
        credentials: async ({ operator }, { id }) => ({
          authorization: `Bearer ${(await issueKey(operator, id, "limits")).secret}`,
        }),
        bodies: {
          createDnsRecord: { name: "www", type: "A", content: "192.0.2.1" },
          updateDnsRecord: {},
          replaceDnsRecords: { sets: [{ name: "www", type: "A", records: [] }] },
          importDnsZone: { bind_file: "" },
        },
      },
    ],
  });
}
