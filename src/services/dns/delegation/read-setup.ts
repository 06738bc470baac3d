import { z } from "zod";
import { operation } from "../parts.ts";
import { dnsSurface } from "../surface.ts";
import { unlessQueued } from "../zones/busy.ts";
import { instruction, instructionsOf, type SetupFacts, setupLanguage } from "./setup-words.ts";

/** What the setup helper answers: dns-hosting §2. */
export const setupAnswer = z.object({
  assigned_ns: z.array(z.string()).meta({ description: "The nameservers to set at the registrar." }),
  current_ns: z.array(z.string()).nullable().meta({
    description: "The nameservers that the public DNS shows now. Null if it did not answer.",
  }),
  delegated: z.boolean().meta({ description: "Whether all of these nameservers are those of the zone." }),
  parent_ns: z.array(z.string()).nullable().meta({
    description:
      "The nameservers in the parent's referral. Null unless two of the parent's servers gave the same answer.",
  }),
  parent_ds: z.array(z.string()).nullable().meta({
    description:
      "The DS records that the parent publishes. Null unless two of the parent's servers gave the same answer.",
  }),
  ds_to_publish: z.array(z.string()).meta({
    description:
      "The DS records of the zone's newest key, while the parent publishes none of them. Publishing one of the two is enough.",
  }),
  instructions: z.array(instruction).meta({ description: "The steps that make the zone active, in order." }),
});

interface Prepared {
  readonly name: string;
  readonly organization: string;
  readonly language: string;
  readonly accept_language: string | null;
}

type Facts = SetupFacts & Pick<z.output<typeof setupAnswer>, "parent_ns" | "parent_ds">;

/**
 * Shows how a zone's owner makes it active. TypeScript asks the public DNS, and has the words.
 * A document of GraphQL asks it once: aliases of a query run at once, so one request could take all turns of its organization at the public DNS for five
 * seconds. checkDnsDelegation asks, too, and is a mutation: those run one after the other.
 */
export const readDnsSetup = operation({
  name: "readDnsSetup",
  command: "prepare_dns_setup",
  made: ["accept_language"],
  answers: { schema: "DnsSetup" },
  errors: ["not_found"],
  rest: {
    surface: dnsSurface,
    method: "GET",
    path: "/orgs/{org_id}/zones/{zone_id}/setup",
    status: 200,
    tag: "Zones",
    summary: "Show how to make a zone active",
    description:
      "Asks the public DNS and waits five seconds at most. The instructions are in English or Brazilian Portuguese, as `Accept-Language` asks. Without that header, they are in the language of the organization.",
  },
  graphql: {
    field: "dnsSetup",
    description:
      "How to make a zone active. Asks the public DNS and waits five seconds at most, so a document asks it once. The instructions are in English or Brazilian Portuguese, as `Accept-Language` asks. Without that header, they are in the language of the organization.",
    isOncePerDocument: true,
    payload: {
      name: "DnsSetup",
      description: "Where a zone is delegated, and the remaining steps.",
      members: setupAnswer,
    },
  },
  run: async ({ prepared, call, parts }, { zone_id }) =>
    prepared<Prepared>(
      "prepare_dns_setup",
      { zone_id },
      async ({ name, organization, language: ofOrganization, accept_language }) => {
        const answers = JSON.stringify(await unlessQueued(parts.delegations.observe(name, organization)));
        const { body, ...answer } = await call("read_dns_setup", { zone_id, answers });
        const facts = JSON.parse(body ?? "null") as Facts;
        const { assigned_ns, current_ns, delegated, parent_ns, parent_ds, ds_to_publish } = facts;
        const language = setupLanguage(accept_language, ofOrganization);
        const instructions = instructionsOf(facts, language);
        const shown = { assigned_ns, current_ns, delegated, parent_ns, parent_ds, ds_to_publish, instructions };
        return {
          ...answer,
          body: JSON.stringify(shown),
          headers: { "Content-Language": language },
        };
      },
    ),
});
