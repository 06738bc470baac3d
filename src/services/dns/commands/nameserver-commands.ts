import type { Command } from "commander";
import { installNameserver } from "../../../adapters/nameserver/install.ts";
import type { NameserverProgram } from "../../../adapters/nameserver/program.ts";
import type { Config } from "../../../config/config.ts";
import type { CommandContext } from "../../../surfaces/cli/command-group.ts";
import { CommandRefused } from "../../../surfaces/cli/command-refused.ts";
import { print } from "../../../surfaces/cli/print.ts";
import { stopOnSignal } from "../../../surfaces/cli/stop-on-signal.ts";
import { dnsMetrics } from "../metrics.ts";
import { type NameserverStatus, nameserverStatus } from "../nameserver/nameserver-status.ts";
import { rebuildServed } from "../nameserver/rebuild-served.ts";
import {
  findNameserver,
  INSTALL_LINE,
  NAMESERVER_LOGIN,
  type RunningNameserver,
  runNameserver,
} from "../nameserver/run-nameserver.ts";
import { dnsSettings } from "../settings.ts";

/** `selo nameserver`: the PowerDNS that answers for the zones. */
export function addNameserverCommands(program: Command, context: CommandContext): void {
  const nameserver = program.command("nameserver").description("the nameserver that answers for the zones (PowerDNS)");
  nameserver
    .command("install")
    .description("download PowerDNS into the data folder with apt, without root; does not start it")
    .option("--upgrade", "fetch the newest version even if one is installed")
    .option("--json", "print JSON")
    .action(async ({ upgrade = false, json }: { upgrade?: boolean; json?: boolean }) => {
      const config = context.configApart();
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
  nameserver
    .command("run", { isDefault: true })
    .description("run PowerDNS and its control server until a signal; `npm start` does this by itself")
    .option("--json", "print one line of JSON when ready")
    .action(async ({ json }: { json?: boolean }) => {
      const config = context.configApart();
      const found = await findNameserver(config);
      if (found === null) throw new CommandRefused(`The nameserver is ${INSTALL_LINE}`);
      const starting = startNameserver(context, config, found);
      stopOnSignal(config, async () => (await starting).stop());
      const running = await starting;
      const shown = { address: running.address, control_url: running.controlUrl, version: found.version };
      print(json, shown, () => `nameserver dns://${running.address}, control ${running.controlUrl}`);
    });
  nameserver
    .command("rebuild")
    .description("rebuild the tables that nameservers read from the zones; nameservers keep answering meanwhile")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => {
      const missing = await context.withOperator((operator) => rebuildServed(operator, context.masterKeys));
      print(json, { rebuilt: true, missing }, () =>
        ["Rebuilt the tables of the nameservers.", ...missing.map((line) => `MISSING: ${line}`)].join("\n"),
      );
      if (missing.length > 0) process.exitCode = 1;
    });
  nameserver
    .command("status")
    .description("show which PowerDNS is used and which nameservers answer; exit code 1 if one does not answer")
    .option("--json", "print JSON")
    .action(async ({ json }: { json?: boolean }) => {
      const status = await nameserverStatus(context.configApart());
      print(json, status, () => statusText(status));
      if (status.control.some(({ state }) => state !== "ok")) process.exitCode = 1;
    });
}

/** The nameserver, with its metrics on METRICS_PORT. */
async function startNameserver(
  context: CommandContext,
  config: Config,
  program: NameserverProgram,
): Promise<RunningNameserver> {
  // A nameserver of production reads another machine's Postgres.
  const loginUrl = config.production ? null : await context.loginUrl(NAMESERVER_LOGIN);
  const { metrics, close } = await context.serveMetrics(config);
  try {
    const log = (line: string) => console.error(line);
    const running = await runNameserver(config, program, loginUrl, log, metrics.of(dnsMetrics));
    return { ...running, stop: () => running.stop().finally(close) };
  } catch (error) {
    await close();
    throw error;
  }
}

function statusText({ program, control }: NameserverStatus): string {
  const first = program === null ? INSTALL_LINE : `PowerDNS ${program.version} (${program.program})`;
  const rest = control.map((each) => `${each.url}  ${each.state}  ${each.reason ?? foundText(each)}`);
  return [first, ...(rest.length === 0 ? ["no nameserver is running"] : rest)].join("\n");
}

function foundText({
  answer_ms,
  version,
  zones,
  uptime_seconds,
  purged_at,
}: NameserverStatus["control"][number]): string {
  const said = [
    `answered in ${answer_ms} ms`,
    `PowerDNS ${version ?? "of unknown version"}, for ${uptime_seconds} s`,
    `zones: ${zones}`,
    ...(purged_at === null ? [] : [`forgot everything at ${purged_at}`]),
  ];
  return said.join("; ");
}

function installed({ kind, program, version }: NameserverProgram, isNew: boolean): string {
  if (isNew) return `installed PowerDNS ${version} (${program}); a running \`npm start\` starts it within seconds`;
  const where = {
    setting: "PDNS_SERVER names it",
    system: "this machine has it",
    installed: "it is already installed; --upgrade fetches the newest version",
  }[kind];
  return `uses PowerDNS ${version} (${program}): ${where}`;
}
