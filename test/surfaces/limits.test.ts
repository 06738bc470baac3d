import { commands } from "../../src/postgres/generated/commands.ts";
import { issueKey } from "../../src/services/dns/store.ts";
import { dnsSurface } from "../../src/services/dns/surface.ts";
import { services } from "../../src/services/services.ts";
import { signingSurface } from "../../src/services/signature/rest/signing-surface.ts";
import { sentWith } from "../services/signature/completion-stage.ts";
import { testLimits } from "../support/limits.ts";

// `GET /webhooks/listen` names kinds of events in a form of its own, and gateways of v0.1.0 alone call search_proofs.
testLimits(
  services as never,
  commands,
  [],
  [
    // Of the API of PowerDNS, whose errors name no members: test/services/dns/power-dns-zones.test.ts.
    "create_rrset_zone.name",
    "create_rrset_zone.nameservers",
    "create_rrset_zone.known_nameservers",
    "get_rrset_zone.rrset_name",
    "get_rrset_zone.rrset_type",
    "open_webhook_stream.event_types",
    // The second half of a request, whose first half asks it.
    "record_completion.consent_version",
    "search_proofs.search",
    "search_proofs.limit",
    "search_proofs.offset",
  ],
  [
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
);
