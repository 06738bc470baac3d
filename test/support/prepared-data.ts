// A data folder with a migrated database, made once a run: programs that start on a copy make no cluster, apply no migration, and make no
// keys for the simulators of the tax authority.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { inject } from "vitest";
import { readConfig } from "../../src/main/config.ts";
import { createLogger } from "../../src/main/log.ts";
import { SIMULATOR } from "../../src/services/invoicing/settings.ts";
import { simulatorBeside } from "../../src/services/invoicing/simulator-beside.ts";
import { SIMULATOR_FILE, simulatorFolder } from "../../src/services/invoicing/tax-route.ts";

/** The files that make a data folder the same installation. Its port is not among them: copies run at the same time. */
const KEPT = /^(pg\d+|postgres-password)$/;

/** Copies a data folder whose Postgres has ended; the copy has the master key in a file, as `selo migrate` leaves it. */
export function keepPrepared(dataDir: string, target: string, masterKey: string): string {
  fs.mkdirSync(target, { mode: 0o711 });
  const names = fs.readdirSync(dataDir).filter((name) => KEPT.test(name));
  copy(
    names.map((name) => path.join(dataDir, name)),
    target,
  );
  fs.writeFileSync(path.join(target, "master-key"), `${masterKey}\n`, { mode: 0o600 });
  return target;
}

/** Gives the folder what `selo start` makes for its simulators: seven keys of RSA, and certificates, take more than a second of CPU. */
export async function keepSimulators(dataDir: string): Promise<void> {
  const config = readConfig({ SELO_DATA_DIR: dataDir, NFSE_URL_LIVE: SIMULATOR, NFSE_URL_TEST: SIMULATOR });
  const made: string[] = [];
  const simulators = await simulatorBeside({
    config,
    log: createLogger("warn"),
    tellDemo: (_member, file) => void made.push(file ?? ""),
  });
  await simulators.stop();
  if (!made.every((file) => fs.existsSync(file)) || made.length === 0) throw new Error(simulators.line.join(" "));
  // Where they listened.
  for (const environment of ["live", "test"] as const)
    fs.rmSync(path.join(simulatorFolder(dataDir, environment), SIMULATOR_FILE));
}

/** Fills a folder that does not exist yet, or the one of an empty deployment. */
export function copyPrepared(target: string): void {
  const prepared = inject("preparedData");
  fs.mkdirSync(target, { recursive: true, mode: 0o711 });
  copy(
    fs.readdirSync(prepared).map((name) => path.join(prepared, name)),
    target,
  );
}

/** With owners and modes: Postgres refuses a cluster that others may read. */
function copy(sources: readonly string[], target: string): void {
  execFileSync("cp", ["-a", ...sources, target]);
}
