import { z } from "zod";
import { rowOf } from "../../../surfaces/operation.ts";
import { operation } from "../parts.ts";
import { dnsSurface } from "../surface.ts";
import { unlessQueued } from "../zones/busy.ts";

interface Prepared {
  readonly name: string;
  readonly organization: string;
  readonly began: string;
  readonly is_fresh: boolean;
}

/** Checks the delegation of a zone immediately. */
export const checkDnsDelegation = operation({
  name: "checkDnsDelegation",
  command: "prepare_dns_check",
  records: "check_dns_delegation",
  made: ["if_match"],
  answers: { schema: "DnsZone" },
  errors: ["not_found", "precondition_failed"],
  rest: {
    surface: dnsSurface,
    method: "POST",
    path: "/orgs/{org_id}/zones/{zone_id}/check-delegation",
    status: 200,
    tag: "Zones",
    summary: "Check the delegation of a zone now",
    description:
      "Asks the public DNS and waits five seconds at most. The zone becomes `active` when every NS record that its parent and a resolver show is one of its `nameservers`. It becomes `pending` again when one of these records is not. If neither answers, only `checked_at` changes. The service also checks each zone every five minutes. Requests at the same time, or within two seconds, share one check.",
  },
  graphql: {
    description: "Checks the delegation of a zone immediately.",
    payload: {
      name: "CheckDnsDelegationPayload",
      description: "The zone after the check.",
      members: z.object({ zone: rowOf("dns_zones").meta({ description: "The zone." }) }),
    },
  },
  run: ({ prepared, call, parts }, { zone_id }) => {
    const since = performance.now();
    return prepared<Prepared>("prepare_dns_check", { zone_id }, async ({ name, organization, began, is_fresh }) => {
      if (is_fresh) return call("check_dns_delegation", { zone_id, began, answers: null });
      return unlessQueued(
        parts.delegations.check(name, { began, since, group: organization }, (check) =>
          call("check_dns_delegation", { zone_id, began: check.began, answers: JSON.stringify(check.answers) }),
        ),
      );
    });
  },
});
