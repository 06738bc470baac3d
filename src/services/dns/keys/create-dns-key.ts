import { z } from "zod";
import { operation } from "../parts.ts";

const MOST_ZONES = 1_000;

/** Makes an API key of DNS for a person. SQL draws its secret, and keeps its hash alone. */
export const createDnsKey = operation({
  name: "createDnsKey",
  command: "create_dns_key",
  input: z.object({
    zones: z.array(z.int32().min(1)).min(1).max(MOST_ZONES).nullish().meta({
      description: "Ids of the zones that the key is limited to. Without them, the key has all zones.",
    }),
  }),
  answers: {
    schema: "DnsKeyWithSecret",
    row: "dns_keys",
    with: z.object({
      secret: z.string().optional().meta({
        description:
          "The whole key, `dns_…`. It is shown only once: an answer that an Idempotency-Key repeats does not contain it.",
      }),
    }),
  },
  rest: null,
  graphql: {
    description:
      "Makes an API key of DNS, which acts in live alone. People alone make keys, and give no scope that their role lacks.",
    payload: {
      name: "CreateDnsKeyPayload",
      description: "A key with its secret, which is shown only once.",
      row: { name: "dnsKey", description: "The key." },
    },
    example: {
      document:
        "mutation ($input: CreateDnsKeyInput!) { createDnsKey(input: $input) { dnsKey { id prefix scopes } secret } }",
      variables: { input: { name: "Certificates", acmeOnly: true } },
    },
  },
  run: ({ call }, input) => call("create_dns_key", input),
});
