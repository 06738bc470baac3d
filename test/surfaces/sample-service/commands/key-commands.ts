import { type Command, Option } from "commander";
import { uuid } from "../../../../src/surfaces/cli/arguments.ts";
import type { CommandContext } from "../../../../src/surfaces/cli/command-group.ts";
import { print } from "../../../../src/surfaces/cli/print.ts";
import { revokeKey } from "../store.ts";
import { issueKey } from "../surface.ts";

interface Whose {
  readonly org: string;
  readonly env: "live" | "test";
  readonly json?: boolean;
}

/** `selo note key`: keys of the service's own surface. */
export function addKeyCommands(note: Command, { withOperator }: CommandContext): void {
  const key = note.command("key").description("keys that read notes");
  const ofWhom = (name: string) =>
    key
      .command(name)
      .requiredOption("--org <id or number>", "whose it is")
      .addOption(new Option("--env <environment>", "live or test").choices(["live", "test"]).makeOptionMandatory())
      .option("--json", "print JSON");
  ofWhom("create")
    .description("make a key; it is shown this once")
    .requiredOption("--name <name>", "what its owner calls it")
    .action(async ({ org, env, name, json }: Whose & { readonly name: string }) => {
      const made = await withOperator(async (operator) => {
        const { id } = await operator.findOrganization(org);
        return issueKey(operator, { tenantId: id, environment: env, scopes: ["notes:read"] }, name);
      });
      print(json, made, () => `${made.key}\n\nThis is the only time the key is shown. Its id is ${made.id}.`);
    });
  ofWhom("revoke")
    .description("refuse a key from now on")
    .argument("<id>", "id of the key", uuid)
    .action(async (id: string, { org, env, json }: Whose) => {
      await withOperator(async (operator) => {
        const { id: tenantId } = await operator.findOrganization(org);
        await revokeKey(operator, { tenantId, environment: env }, id);
      });
      print(json, { id }, () => "The key is refused from now on.");
    });
}
