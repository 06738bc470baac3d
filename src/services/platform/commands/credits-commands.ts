import { type Command, Option } from "commander";
import { wholeNumber } from "../../../surfaces/cli/arguments.ts";
import { print, printList } from "../../../surfaces/cli/print.ts";
import type { CommandHouse } from "../../service.ts";

/** `selo credits`: credit balances. */
export function addCreditsCommands(program: Command, { withOperator }: CommandHouse): void {
  const credits = program.command("credits");
  credits
    .command("grant")
    .description("add credits to a balance and print the new balance")
    .requiredOption("--org <id or number>", "the organization")
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
      print(options.json, granted, () => `the ${granted.kind} balance is now ${granted.balance} credits`);
    });

  credits
    .command("show")
    .description("show the balance of each kind of credit")
    .requiredOption("--org <id or number>", "the organization")
    .option("--json", "print JSON")
    .action(async ({ org, json }: { org: string; json?: boolean }) => {
      const balances = await withOperator(async (operator) =>
        operator.creditBalances((await operator.findOrganization(org)).id),
      );
      printList(json, balances, "no balances", {
        kind: ({ kind }) => kind,
        balance: ({ balance }) => balance,
      });
    });
}
