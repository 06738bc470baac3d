import type { Command } from "commander";
import type { Service } from "../../services/service.ts";
import type { CommandContext } from "../../surfaces/cli/command-group.ts";
import { print } from "../../surfaces/cli/print.ts";
import { printable } from "../../surfaces/cli/printable.ts";
import { readStatus, type Status } from "../status.ts";

/** `selo status`: what runs, where, in which versions, and what is missing. */
export function addStatusCommand(
  program: Command,
  { config }: CommandContext,
  services: readonly Service[],
  seloVersion: string,
): void {
  program
    .command("status")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => {
      const status = await readStatus(config(), services, seloVersion);
      print(json, status, () => describe(status).map(printable).join("\n"));
      if (status.missing.length > 0) process.exitCode = 1;
    });
}

function describe({ version, node, data_dir, database, migrations, gateway, worker, demo, missing }: Status): string[] {
  const facts: readonly (readonly [string, string])[] = [
    ["version", `Selo ${version}, Node ${node}`],
    ["data folder", data_dir],
    ["database", stated(database)],
    ["migrations", migrations === null ? "-" : `${migrations.applied} applied, ${migrations.pending.length} pending`],
    ["gateway", `${gateway.url}: ${[gateway.state, ...gateway.failed].join(", ")}`],
    ["worker", worker === null ? "-" : worker ? "connected" : "not connected"],
    ["demo", demo === null ? "-" : `organization ${demo.organization}, tokens in ${demo.file}`],
  ];
  const width = Math.max(...facts.map(([name]) => name.length));
  return [
    ...facts.map(([name, fact]) => `${name.padEnd(width)}  ${fact}`),
    ...(missing.length === 0 ? [] : ["", "missing:", ...missing.map(({ what, run }) => `  ${what}: ${run}`)]),
  ];
}

function stated({ kind, place, state, version }: Status["database"]): string {
  const server = kind === "embedded" ? "embedded Postgres" : "Postgres";
  return `${server}${version === null ? "" : ` ${version}`}${place === null ? "" : ` at ${place}`}: ${state}`;
}
