import type { Command } from "commander";
import { installNameserver } from "../../../adapters/nameserver/install.ts";
import type { NameserverProgram } from "../../../adapters/nameserver/program.ts";
import type { CommandHouse } from "../../../service.ts";
import { print } from "../../../surfaces/cli/print.ts";
import { dnsSettings } from "../settings.ts";

/** `selo nameserver`: the PowerDNS that answers for the zones. */
export function addNameserverCommands(program: Command, house: CommandHouse): void {
  const nameserver = program.command("nameserver").description("the nameserver that answers for the zones (PowerDNS)");
  nameserver
    .command("install")
    .description("fetch PowerDNS into the data folder with apt, without root; starts nothing")
    .option("--upgrade", "fetch the newest version although one is installed")
    .option("--json", "print JSON")
    .action(async ({ upgrade = false, json }: { upgrade?: boolean; json?: boolean }) => {
      const config = house.config();
      const { program: found, isNew } = await installNameserver({
        dataDir: config.dataDir,
        given: config.of(dnsSettings).PDNS_SERVER ?? null,
        environment: config.environment,
        upgrade,
        log: (message) => json || console.log(message),
      });
      const shown = { program: found.program, version: found.version, module_dir: found.moduleDir };
      print(json, shown, () => installed(found, isNew));
    });
}

function installed({ kind, program, version }: NameserverProgram, isNew: boolean): string {
  if (isNew) return `installed PowerDNS ${version} (${program}); a running \`npm start\` takes it within seconds`;
  const where = {
    setting: "PDNS_SERVER names it",
    system: "this machine has it",
    installed: "it is installed already; --upgrade fetches the newest version",
  }[kind];
  return `uses PowerDNS ${version} (${program}): ${where}`;
}
