import { type Command, Option } from "commander";
import { instant, uuid } from "../../../surfaces/cli/arguments.ts";
import { print, printList } from "../../../surfaces/cli/print.ts";
import type { CommandHouse } from "../../service.ts";

/** `selo token`: API tokens. */
export function addTokenCommands(program: Command, { withOperator }: CommandHouse): void {
  const token = program.command("token");
  token
    .command("create")
    .description("create an API token; it is shown only once")
    .requiredOption("--org <id or number>", "the organization that the token acts for")
    .addOption(new Option("--env <environment>", "live or test").choices(["live", "test"]).makeOptionMandatory())
    .requiredOption("--scopes <list>", "comma-separated, such as proofs:read,proofs:write, or all", (text) =>
      text
        .split(",")
        .map((scope) => scope.trim())
        .filter(Boolean),
    )
    .requiredOption("--name <name>", "a name for the token")
    .option("--expires <time>", "when the token expires: an ISO 8601 time, or a day (00:00 UTC)", instant)
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
    .command("list")
    .description("list the tokens of an organization, without their secrets")
    .requiredOption("--org <id or number>", "the organization")
    .option("--json", "print JSON")
    .action(async ({ org, json }: { org: string; json?: boolean }) => {
      const { tokens, scopes } = await withOperator(async (operator) => ({
        tokens: await operator.listTokens((await operator.findOrganization(org)).id),
        scopes: await operator.allScopes(),
      }));
      printList(json, tokens, "no tokens", {
        id: ({ id }) => id,
        prefix: ({ prefix }) => `${prefix}…`,
        environment: ({ environment }) => environment,
        "last used": ({ last_used_at }) => last_used_at,
        revoked: ({ revoked_at }) => revoked_at,
        expires: ({ expires_at }) => expires_at,
        name: ({ name }) => name,
        // The database allows only known scopes, each once.
        scopes: (token) => (token.scopes.length === scopes.length ? "all" : token.scopes.join(",")),
      });
    });
  token
    .command("revoke")
    .description("refuse a token from now on")
    .argument("<id>", "id of the token", uuid)
    .option("--json", "print JSON")
    .action(async (id: string, { json }: { json?: boolean }) => {
      const revokedAt = await withOperator((operator) => operator.revokeToken(id));
      print(json, { id, revoked_at: revokedAt }, () => `revoked at ${revokedAt.toISOString()}`);
    });
}
