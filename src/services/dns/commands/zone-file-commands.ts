import fs from "node:fs";
import { type Command, CommanderError } from "commander";
import type { CommandContext } from "../../../surfaces/cli/command-group.ts";
import { failureMessage } from "../../../surfaces/cli/failure-message.ts";
import { inRed } from "../../../surfaces/cli/in-red.ts";
import { counted, print } from "../../../surfaces/cli/print.ts";
import { printable } from "../../../surfaces/cli/printable.ts";
import { FileWarnings } from "../zone-file/file-warnings.ts";
import { parseZoneFile } from "../zone-file/parse-zone-file.ts";
import { placed, ZoneFileError } from "../zone-file/zone-file-error.ts";
import { diffZone } from "./diff-zone.ts";
import { readZoneText } from "./read-zone-text.ts";
import type { ImportResult } from "./zone-client.ts";
import { type ClientOptions, clientOf, withClientOptions } from "./zone-options.ts";

/** The exit codes of `zone diff`, as those of diff(1). */
const EQUAL = 0;
const DIFFERENT = 1;
const TROUBLE = 2;

interface ImportFlags extends ClientOptions {
  readonly dryRun?: boolean;
  readonly replace?: boolean;
  readonly clampTtl?: boolean;
  readonly json?: boolean;
}

const CLAMP = "change a TTL outside 60 to 86400 seconds to the nearest allowed value, instead of skipping the record";

/** `selo zone import|scan|export|diff`. */
export function addZoneFileCommands(zone: Command, context: CommandContext): void {
  withClientOptions(zone.command("import"))
    .description("write the records of a zone file (RFC 1035) into a zone, in one change")
    .argument("<name>", "the zone")
    .argument("<file>", "the zone file; - reads standard input")
    .option("--dry-run", "only show what would change")
    .option("--replace", "delete the records that are not in the file")
    .option("--clamp-ttl", CLAMP)
    .option("--json", "print JSON")
    .action(async (name: string, file: string, { json, dryRun, replace, clampTtl, ...options }: ImportFlags) => {
      const text = await readZoneText(file);
      const client = clientOf(context, options);
      const flags = { dry_run: dryRun ?? false, replace: replace ?? false, clamp_ttl: clampTtl ?? false };
      const result = await client.import(await client.zone(name), text, flags);
      print(json, result, () => importText(result));
    });

  withClientOptions(zone.command("scan"))
    .description("ask the domain's present nameservers for common names, and write their records into a zone")
    .argument("<name>", "the zone")
    .option("--dry-run", "only show what would change")
    .option("--clamp-ttl", CLAMP)
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nA scan takes ten seconds at most and is never complete. A zone can be scanned once a minute.",
    )
    .action(async (name: string, { json, dryRun, clampTtl, ...options }: Omit<ImportFlags, "replace">) => {
      const client = clientOf(context, options);
      const flags = { dry_run: dryRun ?? false, clamp_ttl: clampTtl ?? false };
      const result = await client.scan(await client.zone(name), flags);
      print(json, result, () => importText(result));
    });

  withClientOptions(zone.command("export"))
    .description("write a zone as a zone file that `zone import` reads without loss")
    .argument("<name>", "the zone")
    .argument("[file]", "the file to write; standard output by default")
    .action(async (name: string, file: string | undefined, options: ClientOptions) => {
      const client = clientOf(context, options);
      const text = await client.export(await client.zone(name));
      if (file === undefined) process.stdout.write(text);
      else fs.writeFileSync(file, text);
    });

  endInTrouble(withClientOptions(zone.command("diff")))
    .description("show what `zone import --replace` of a zone file would change")
    .argument("<name>", "the zone")
    .argument("<file>", "the zone file; - reads standard input")
    .option("--clamp-ttl", CLAMP)
    .addHelpText(
      "after",
      [
        "",
        "+ marks a record that only the file has, - one that only the zone has, ~ one that changes. The command does",
        "not validate contents. `zone import --replace --dry-run` does.",
        `Exit codes: ${EQUAL} nothing would change; ${DIFFERENT} something would; ${TROUBLE} refused or failed, and stderr says why.`,
      ].join("\n"),
    )
    .action(async (name: string, file: string, { clampTtl, ...options }: ClientOptions & { clampTtl?: boolean }) => {
      try {
        const text = await readZoneText(file);
        const client = clientOf(context, options);
        const found = await client.zone(name);
        const warnings = new FileWarnings();
        const given = [...parseZoneFile(text, found.name, warnings)];
        const { changes, skipped } = diffZone(found.name, await client.records(found), given, clampTtl ?? false);
        for (const { line, reason } of skipped) console.error(printable(`skipped line ${line}: ${reason}`));
        for (const { message } of warnings.all()) console.error(`warning: ${message}`);
        for (const change of changes) console.log(printable(change));
        process.exitCode = changes.length === 0 ? EQUAL : DIFFERENT;
      } catch (error) {
        const message =
          error instanceof ZoneFileError
            ? placed(error).map(printable).join("\n")
            : failureMessage(error, () => context.config().dataDir);
        console.error(inRed(message));
        process.exitCode = TROUBLE;
      }
    });
}

/** An error about arguments must not end with the exit code of a difference. */
function endInTrouble(command: Command): Command {
  return command.exitOverride(({ exitCode, code, message }) => {
    throw new CommanderError(exitCode === 0 ? 0 : TROUBLE, code, message);
  });
}

function importText({ imported, deleted, skipped, skipped_records, warnings, dry_run }: ImportResult): string {
  const counts = `${counted(imported, "record")} imported, ${deleted} deleted, ${skipped} skipped`;
  return [
    dry_run ? `dry run, nothing written: ${counts}` : counts,
    ...skipped_records.map(
      ({ line, name, type, reason, detail }) =>
        `  ${line === null ? "" : `line ${line}: `}${name} ${type}: ${reason}: ${detail}`,
    ),
    ...warnings.map(({ message }) => `warning: ${message}`),
  ]
    .map(printable)
    .join("\n");
}
