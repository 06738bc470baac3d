import { type Command, Option } from "commander";
import type { NewAnalyst } from "../../../postgres/operator/analyst-logins.ts";
import { print, printList } from "../../../surfaces/cli/print.ts";
import type { CommandHouse } from "../../service.ts";

/** `selo analyst`: read-only Postgres logins, each bound to one organization and environment. */
export function addAnalystCommands(program: Command, { withOperator }: CommandHouse): void {
  const analyst = program.command("analyst");
  analyst
    .command("create")
    .description("create a login that reads one organization; its address is shown only once")
    .requiredOption("--org <id or number>", "the organization that the login reads")
    .addOption(new Option("--env <environment>", "live or test").choices(["live", "test"]).default("live"))
    .option(
      "--name <suffix>",
      "the end of the login's name, which every login of the server can read; random by default",
    )
    .option("--json", "print JSON")
    .action(async (options: { org: string; env: string; name?: string; json?: boolean }) => {
      const made = await withOperator(async (operator) => {
        const { id } = await operator.findOrganization(options.org);
        return operator.createAnalyst(id, options.env, options.name ?? null);
      });
      print(options.json, made, () => describe(made));
    });
  analyst
    .command("list")
    .description("list all logins: login, organization, environment, open sessions")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => {
      const analysts = await withOperator((operator) => operator.listAnalysts());
      printList(json, analysts, "no analysts", {
        login: ({ login }) => login,
        number: ({ organization_number }) => organization_number,
        organization: ({ organization_id }) => organization_id,
        environment: ({ environment }) => environment,
        created: ({ created_at }) => created_at,
        sessions: ({ sessions }) => sessions,
      });
    });
  analyst
    .command("revoke")
    .description("delete a login and end its access and its sessions")
    .argument("<login>", "the login, as printed by create and list")
    .option("--json", "print JSON")
    .action(async (login: string, { json }: { json?: boolean }) => {
      await withOperator((operator) => operator.revokeAnalyst(login));
      print(json, { login, revoked: true }, () => `${login} was deleted`);
    });
}

function describe({ url, login, environment, limits }: NewAnalyst): string {
  return [
    url,
    "",
    `This is the only time the address is shown. \`selo analyst revoke ${login}\` ends it.`,
    `It reads the ${environment} data of one organization, in the views of schemas analytics and api (psql: \\d+ api.*).`,
    `At most ${limits.connections} connections; ${limits.statement_seconds} s for a statement; ${limits.idle_in_transaction_seconds} s without a statement in a transaction;`,
    `${limits.lock_wait_seconds} s to wait for a lock. It can create no temporary tables and write nothing.`,
  ].join("\n");
}
