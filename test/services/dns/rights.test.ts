// What the service lets whom do. A right that is not here is refused.
import { dns } from "../../../src/services/dns/service.ts";
import { testRights } from "../../support/service-rights.ts";

testRights(dns, {
  commands: { "*": ["read_dns_me"] },
  views: {},
  logins: {},
  loginsOnTables: [
    "selo_dns select pdns.cryptokeys",
    "selo_dns select pdns.domainmetadata",
    "selo_dns select pdns.domains",
    "selo_dns select pdns.records",
    "selo_dns select pdns.tsigkeys",
  ],
  systemOnTables: [
    "select dns.api_keys",
    "select dns.records",
    "select dns.zones",
    "select pdns.cryptokeys",
    "select pdns.domainmetadata",
    "select pdns.domains",
    "select pdns.records",
    "select pdns.tsigkeys",
  ],
  tables: {
    ofEnvironments: ["dns.api_keys"],
    ofOrganizations: [],
    lookUps: [],
    // What the nameservers answer to everybody.
    ofNobody: ["pdns.cryptokeys", "pdns.domainmetadata", "pdns.domains", "pdns.records", "pdns.tsigkeys"],
    refuse: {},
  },
  unrecorded: {
    "dns.publish_zone": "what is served follows from the change of the zone, which has its event",
    "dns.rebuild_served": "what is served follows from the zones",
    "dns.withdraw_zone": "what is served follows from the change of the zone, which has its event",
    "dns.write_served": "what is served follows from the change of the zone, which has its event",
  },
  refusedToGateway: [
    "select gateway.read_dns_me()",
    "select * from dns.api_keys",
    "select dns.create_key(null, 'x')",
    "select dns.list_keys(null)",
    "select dns.revoke_key(1)",
    "select dns.find_key_owner(1)",
    "select dns.publish_zone(1)",
    "select dns.publish_names(1, '{}')",
    "select dns.withdraw_zone(1)",
    "select dns.rebuild_served()",
    "select dns.audit_check_served(null)",
    "select * from pdns.records",
    "select * from pdns.cryptokeys",
  ],
});
