import type { Command } from "commander";
import type { Organization } from "../../../postgres/operator/operator.ts";
import { print, printList } from "../../../surfaces/cli/print.ts";
import type { CommandHouse } from "../../service.ts";

/** `selo org`: organizations. */
export function addOrgCommands(program: Command, { withOperator }: CommandHouse): void {
  const org = program.command("org");
  org
    .command("create")
    .description("create an organization")
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
    .description("list all organizations: number, id, plan, name")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => {
      const organizations = await withOperator((operator) => operator.listOrganizations());
      printList(json, organizations, "no organizations", {
        number: ({ number }) => number,
        id: ({ id }) => id,
        plan: ({ plan }) => plan,
        name: ({ name }) => name,
      });
    });
}

function describe(organization: Organization): string {
  return `${organization.number}  ${organization.id}  ${organization.plan}  ${organization.name}`;
}
