import { type Command, InvalidArgumentError } from "commander";
import type { CommandHouse } from "../../../service.ts";
import { print } from "../../../surfaces/cli/print.ts";
import { printable } from "../../../surfaces/cli/printable.ts";
import { labelsOf, setupLanguage } from "../setup-words.ts";
import type { Setup, Zone, ZoneClient } from "./zone-client.ts";
import { type ClientOptions, clientOf, withClientOptions } from "./zone-options.ts";

interface Options extends ClientOptions {
  readonly language?: string;
  readonly json?: boolean;
}

/** `selo zone setup|check`: what a page would show, in English or Portuguese. */
export function addSetupCommands(zone: Command, house: CommandHouse): void {
  const command = (name: string, description: string, act: (client: ZoneClient, found: Zone) => Promise<Zone>) =>
    withClientOptions(zone.command(name).description(description))
      .argument("<name>", "the zone")
      .option("--language <tag>", "en or pt-BR (default: that of the organization)", knownLanguage)
      .option("--json", "print JSON")
      .action(async (name: string, { language, json, ...options }: Options) => {
        const client = clientOf(house, options);
        const found = await act(client, await client.zone(name));
        const setup = await client.setup(found, language ?? null);
        print(json, { zone: found, setup: setup.answer }, () => pageOf(found, setup.answer, setup.language));
      });

  command("setup", "say what is left to do until the domain points to its zone", async (_, found) => found);
  command("check", "check now whether the domain points to its zone", (client, found) => client.check(found));
}

function knownLanguage(tag: string): string {
  if (!/^(en|pt)(-[a-z]{2})?$/i.test(tag)) throw new InvalidArgumentError("must be en or pt-BR");
  return tag;
}

/** Both columns, and then the steps, each with a mark where it is done. */
function pageOf({ name, status, checked_at }: Zone, setup: Setup, tag: string): string {
  const labels = labelsOf(setupLanguage(tag, "en"));
  const list = (names: readonly string[] | null) =>
    names === null ? labels.nobody : names.length === 0 ? labels.none : names.join(", ");
  const facts = [
    [labels.zone, name],
    [labels.status, labels.statuses[status] ?? status],
    [labels.assigned, list(setup.assigned_ns)],
    [labels.current, list(setup.current_ns)],
    [labels.parent, list(setup.parent_ns)],
    ...setup.ds_to_publish.map((ds) => ["DS", ds] as const),
    [labels.checked, checked_at ?? labels.never],
  ] as const;
  const width = Math.max(...facts.map(([label]) => label.length));
  return [
    ...facts.map(([label, value]) => `${label.padEnd(width)}  ${value}`),
    ...setup.instructions.flatMap(({ step, title, text, done }) => [
      "",
      `${done ? "[x]" : "[ ]"} ${step}. ${title}`,
      `    ${text}`,
    ]),
  ]
    .map(printable)
    .join("\n");
}
