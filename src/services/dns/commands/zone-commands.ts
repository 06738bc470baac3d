import type { Command } from "commander";
import type { CommandContext } from "../../../surfaces/cli/command-group.ts";
import { CommandRefused } from "../../../surfaces/cli/command-refused.ts";
import { counted, print, printList } from "../../../surfaces/cli/print.ts";
import { printable } from "../../../surfaces/cli/printable.ts";
import { restoreZone } from "../store.ts";
import { zoneName } from "../zones/ascii-name.ts";
import { addSetupCommands } from "./setup-commands.ts";
import type { Zone } from "./zone-client.ts";
import { addZoneFileCommands } from "./zone-file-commands.ts";
import { type ClientOptions, clientOf, withClientOptions } from "./zone-options.ts";

interface Options extends ClientOptions {
  readonly json?: boolean;
}

/** `selo zone`: zones and their records, over REST. */
export function addZoneCommands(program: Command, context: CommandContext): void {
  const zone = program.command("zone").description("DNS zones and their records");
  const calling = (name: string, description: string) =>
    withClientOptions(zone.command(name).description(description)).option("--json", "print JSON");

  calling("list", "list all zones of the key's organization").action(async ({ json, ...options }: Options) => {
    printList(json, await clientOf(context, options).zones(), "no zones", {
      id: ({ id }) => String(id),
      name: ({ name }) => name,
      status: ({ status }) => status,
      nameservers: ({ nameservers }) => nameservers?.join(" ") ?? null,
    });
  });

  calling("create", "create a zone, which is served immediately")
    .argument("<name>", "the domain, such as example.com")
    .action(async (name: string, { json, ...options }: Options) => {
      const made = await clientOf(context, options).create(name);
      print(json, made, () => whatToDo(made));
    });

  calling("delete", "delete a zone with its records; the operator can restore it for seven days")
    .argument("<name>", "the zone")
    .option("--yes", "confirm; only needed on a terminal")
    .action(async (name: string, { json, yes, ...options }: Options & { yes?: boolean }) => {
      if (process.stdout.isTTY && !yes)
        throw new CommandRefused(`error: this deletes ${printable(name)} and its records; add --yes to confirm`);
      const client = clientOf(context, options);
      const found = await client.zone(name);
      await client.delete(found);
      print(json, found, () => `Deleted ${printable(found.name)}.`);
    });

  calling("records", "list the records of a zone by name and type")
    .argument("<zone>", "the zone")
    .option("--name <name>", "only records of this name: www, @ for the apex, or the full name")
    .option("--type <type>", "only records of this type")
    .action(async (name: string, { json, key, url, ...filter }: Options & { name?: string; type?: string }) => {
      const client = clientOf(context, { ...(key && { key }), ...(url && { url }) });
      printList(json, await client.records(await client.zone(name), filter), "no records", {
        id: ({ id }) => String(id),
        name: ({ name }) => name,
        ttl: ({ ttl }) => ttl,
        type: ({ type }) => type,
        priority: ({ priority }) => priority,
        state: ({ disabled }) => (disabled ? "disabled" : "enabled"),
        content: ({ content, comment }) => (comment === null ? content : `${content} ; ${comment}`),
      });
    });

  addSetupCommands(zone, context);
  addZoneFileCommands(zone, context);

  zone
    .command("restore")
    .description("restore a zone that was deleted in the last seven days; for the operator")
    .argument("<name>", "the zone")
    .requiredOption("--org <id or number>", "the organization that deleted it")
    .option("--json", "print JSON")
    .action(async (name: string, { org, json }: { org: string; json?: boolean }) => {
      const restored = await context.withOperator(async (operator) =>
        restoreZone(operator, (await operator.findOrganization(org)).id, zoneName(name)),
      );
      print(json, restored, () => `Restored with ${counted(restored.records, "record")}. Its id is ${restored.id}.`);
    });
}

/** What the owner of a new zone does next. */
function whatToDo({ id, name, nameservers }: Zone): string {
  const made = `Created ${printable(name)} with the id ${id}.`;
  if (nameservers === null) return `${made}\n\nThe service names no nameservers. Ask its operator for them.`;
  return [
    made,
    "",
    "Its nameservers already answer for it. At the registrar of the domain, replace all nameservers with these:",
    "",
    ...nameservers.map((each) => `  ${printable(each)}`),
    "",
    "First add the records that the domain has now. Then nothing is missing after the change.",
    `Then \`selo zone setup ${printable(name)}\` shows the remaining steps.`,
  ].join("\n");
}
