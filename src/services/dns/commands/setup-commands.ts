import { type Command, InvalidArgumentError } from "commander";
import type { CommandContext } from "../../../surfaces/cli/command-group.ts";
import { print } from "../../../surfaces/cli/print.ts";
import { labelsOf, type SetupLanguage, setupLanguage } from "../delegation/setup-words.ts";
import { chainIn, dnssecWordsOf } from "../dnssec/dnssec-words.ts";
import { dnssecPage, dnssecReport } from "./dnssec-page.ts";
import type { Dnssec, Setup, Zone, ZoneClient } from "./zone-client.ts";
import { type ClientOptions, clientOf, withClientOptions } from "./zone-options.ts";
import { factLines, pageOf, stepLines } from "./zone-page.ts";

interface Options extends ClientOptions {
  readonly language?: string;
  readonly json?: boolean;
}

/** What the commands print: for programs, and for people. */
interface Shown {
  readonly value: object;
  readonly text: () => string;
}

/** `selo zone setup|check|dnssec`: what a page would show, in English or Portuguese. */
export function addSetupCommands(zone: Command, context: CommandContext): void {
  const command = (
    name: string,
    description: string,
    act: (client: ZoneClient, found: Zone, language: string | null) => Promise<Shown>,
  ) =>
    withClientOptions(zone.command(name).description(description))
      .argument("<name>", "the zone")
      .option("--language <tag>", "en or pt-BR (default: the language of the organization)", knownLanguage)
      .option("--json", "print JSON")
      .action(async (name: string, { language, json, ...options }: Options) => {
        const client = clientOf(context, options);
        const { value, text } = await act(client, await client.zone(name), language ?? null);
        print(json, value, text);
      });

  command("setup", "show the steps that remain until the domain points to its zone", showSetup);
  command("check", "check now whether the domain points to its zone", async (client, found, language) =>
    showSetup(client, await client.check(found), language),
  );
  command(
    "dnssec",
    "show the keys, DS records and chain of a zone, and the steps to sign it or rotate its key",
    async (client, found, language) => {
      const [dnssec, setup] = await Promise.all([client.dnssec(found), client.setup(found, language)]);
      const report = dnssecReport(found, dnssec, setup.answer, languageOf(setup));
      return { value: report, text: () => dnssecPage(report, languageOf(setup)) };
    },
  );
}

function knownLanguage(tag: string): string {
  if (!/^(en|pt)(-[a-z]{2})?$/i.test(tag)) throw new InvalidArgumentError("must be en or pt-BR");
  return tag;
}

const languageOf = ({ language }: { readonly language: string }): SetupLanguage => setupLanguage(language, "en");

async function showSetup(client: ZoneClient, found: Zone, language: string | null): Promise<Shown> {
  const [setup, dnssec] = await Promise.all([
    client.setup(found, language),
    found.dnssec_enabled ? client.dnssec(found) : null,
  ]);
  return {
    value: { zone: found, setup: setup.answer },
    text: () => setupPage(found, setup.answer, dnssec, languageOf(setup)),
  };
}

/** Both columns, the DS records to copy, and then the steps. */
function setupPage(
  { name, status, checked_at }: Zone,
  setup: Setup,
  dnssec: Dnssec | null,
  language: SetupLanguage,
): string {
  const labels = labelsOf(language);
  const { chain } = dnssecWordsOf(language).labels;
  const list = (names: readonly string[] | null) =>
    names === null ? labels.nobody : names.length === 0 ? labels.none : names.join(", ");
  return pageOf([
    ...factLines([
      [labels.zone, name],
      [labels.status, labels.statuses[status] ?? status],
      [labels.assigned, list(setup.assigned_ns)],
      [labels.current, list(setup.current_ns)],
      [labels.parent, list(setup.parent_ns)],
      ...(dnssec === null ? [] : [[chain, chainIn(language, dnssec.chain, status)] as const]),
      [labels.checked, checked_at ?? labels.never],
    ]),
    ...(setup.ds_to_publish.length === 0 ? [] : ["", labels.dsToPublish, ...setup.ds_to_publish]),
    ...stepLines(setup.instructions),
    ...(dnssec === null ? [] : ["", labels.dnssec(name)]),
  ]);
}
