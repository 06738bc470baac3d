import { z } from "zod";
import { rowOf } from "../../../surfaces/operation.ts";
import { operation } from "../parts.ts";

/** Refuses an API key of DNS from now on. */
export const revokeDnsKey = operation({
  name: "revokeDnsKey",
  command: "revoke_dns_key",
  rest: null,
  graphql: {
    description: "Refuses an API key of DNS from now on, for good. A revoked key may be revoked again.",
    payload: {
      name: "RevokeDnsKeyPayload",
      description: "The revoked key.",
      members: z.object({ dns_key: rowOf("dns_keys").meta({ description: "The key." }) }),
    },
    example: {
      document: "mutation ($input: RevokeDnsKeyInput!) { revokeDnsKey(input: $input) { dnsKey { name revokedAt } } }",
      variables: { input: { id: "7" } },
    },
  },
  run: ({ call }, input) => call("revoke_dns_key", input),
});
