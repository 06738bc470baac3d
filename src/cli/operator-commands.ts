import { type Command, Option } from "commander";
import type { Organization } from "../db/operator.ts";
import { instant, uuid, wholeNumber } from "./arguments.ts";
import { print } from "./print.ts";
import { withOperator } from "./with-operator.ts";

/** `selo org | token | credits | keys`: what whoever runs the deployment does. */
export function addOperatorCommands(program: Command): void {
  const org = program.command("org").description("organizations");
  org
    .command("create")
    .description("make an organization")
    .requiredOption("--name <name>", "1-255 characters")
    .option("--plan <plan>", "free, growth, business or enterprise", "free")
    .option("--email <address>", "contact e-mail")
    .option("--jurisdiction <name>", "br, us or intl", "intl")
    .option("--language <tag>", "such as pt-BR or en", "en")
    .option("--time-zone <name>", "IANA time zone", "UTC")
    .option("--json", "print JSON")
    .action(
      async (options: {
        name: string;
        plan: string;
        email?: string;
        jurisdiction: string;
        language: string;
        timeZone: string;
        json?: boolean;
      }) => {
        const organization = await withOperator((operator) => operator.createOrganization(options));
        print(options.json, organization, () => describe(organization));
      },
    );
  org
    .command("list")
    .description("all organizations: number, id, plan, name")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => {
      const organizations = await withOperator((operator) => operator.listOrganizations());
      print(json, organizations, () => organizations.map(describe).join("\n"));
    });

  const token = program.command("token").description("API tokens");
  token
    .command("create")
    .description("make an API token; it is shown this once")
    .requiredOption("--org <id or number>", "whose it is")
    .addOption(new Option("--env <environment>", "live or test").choices(["live", "test"]).makeOptionMandatory())
    .requiredOption("--scopes <list>", "comma-separated, or all", (text) =>
      text
        .split(",")
        .map((scope) => scope.trim())
        .filter(Boolean),
    )
    .requiredOption("--name <name>", "what its owner calls it")
    .option("--expires <time>", "ISO 8601 time from which it is refused", instant)
    .option("--json", "print JSON")
    .action(
      async (options: { org: string; env: string; scopes: string[]; name: string; expires?: Date; json?: boolean }) => {
        const made = await withOperator(async (operator) => {
          const { id } = await operator.findOrganization(options.org);
          const scopes =
            options.scopes.length === 1 && options.scopes[0] === "all" ? await operator.allScopes() : options.scopes;
          return operator.createToken(id, options.env, options.name, scopes, options.expires ?? null);
        });
        print(
          options.json,
          made,
          () => `${made.token}\n\nThis is the only time the token is shown. Its id is ${made.id}.`,
        );
      },
    );
  token
    .command("revoke")
    .description("refuse a token from now on")
    .argument("<id>", "id of the token", uuid)
    .option("--json", "print JSON")
    .action(async (id: string, { json }: { json?: boolean }) => {
      const revokedAt = await withOperator((operator) => operator.revokeToken(id));
      print(json, { id, revoked_at: revokedAt }, () => `revoked at ${revokedAt.toISOString()}`);
    });

  const credits = program.command("credits").description("credit balances");
  credits
    .command("grant")
    .description("add to a balance; answers the new balance")
    .requiredOption("--org <id or number>", "whose balance")
    .addOption(new Option("--kind <kind>", "which balance").choices(["signature", "icp_brasil"]).default("signature"))
    .requiredOption("--amount <number>", "how many credits", wholeNumber)
    .option("--json", "print JSON")
    .action(async (options: { org: string; kind: string; amount: number; json?: boolean }) => {
      const granted = await withOperator(async (operator) => {
        const { id } = await operator.findOrganization(options.org);
        return {
          organization_id: id,
          kind: options.kind,
          amount: options.amount,
          balance: await operator.grantCredits(id, options.kind, options.amount),
        };
      });
      print(options.json, granted, () => `the ${granted.kind} balance is ${granted.balance} credits now`);
    });

  const keys = program.command("keys").description("platform keys");
  keys
    .command("list")
    .description("the keys that seal evidence, active and retired")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => {
      const known = await withOperator((operator) => operator.listPlatformKeys());
      print(json, known, () =>
        known.map((key) => `${key.key_id}  ${key.environment}  ${key.algorithm}  ${key.status}`).join("\n"),
      );
    });
}

function describe(organization: Organization): string {
  return `${organization.number}  ${organization.id}  ${organization.plan}  ${organization.name}`;
}
