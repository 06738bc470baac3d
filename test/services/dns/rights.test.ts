// What the service lets whom do. A right that is not here is refused.
import { dns } from "../../../src/services/dns/service.ts";
import { testRights } from "../../support/service-rights.ts";

testRights(dns, {
  commands: { "*": ["read_dns_me"] },
  views: {},
  logins: {},
  loginsOnTables: [],
  systemOnTables: ["select dns.api_keys"],
  tables: { ofEnvironments: ["dns.api_keys"], ofOrganizations: [], lookUps: [], ofNobody: [], refuse: {} },
  unrecorded: {},
  refusedToGateway: [
    "select gateway.read_dns_me()",
    "select * from dns.api_keys",
    "select dns.create_key(null, 'x')",
    "select dns.list_keys(null)",
    "select dns.revoke_key(1)",
    "select dns.find_key_owner(1)",
  ],
});
