import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import {
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { syncFolder, writeDurably } from "../../adapters/programs/durable-file.ts";
import { isFree } from "../../adapters/programs/free-port.ts";
import { errorCode } from "../../adapters/programs/program-error.ts";
import type { Binaries, Runner } from "./binaries.ts";
import { EmbeddedPostgresError } from "./errors.ts";

/** `<dataDir>/pg<major>` */
export function clusterFolder(dataDir: string, binaries: Binaries): string {
  return join(dataDir, `pg${binaries.major}`);
}

/** Whether a data folder contains a cluster of any version. A folder that does not exist contains none. */
export function holdsCluster(dataDir: string): boolean {
  try {
    return readdirSync(dataDir).some((name) => /^pg\d+$/.test(name) && versionOf(join(dataDir, name)) !== undefined);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw error;
  }
}

/**
 * The superuser's password, from `<dataDir>/postgres-password` (mode 0600). If there is no cluster yet, a new password (256 random bits, base64url)
 * is written before initdb runs, so that no cluster exists whose password is lost.
 */
export function superuserPassword(dataDir: string, cluster: string): string {
  const path = join(dataDir, "postgres-password");
  const kept = existsSync(path) ? readFileSync(path, "utf8").trim() : "";
  if (kept !== "") return kept;
  if (existsSync(cluster)) {
    throw new EmbeddedPostgresError(
      `${path} is missing, and with it the password of the cluster in ${cluster}. Put it back, or move the cluster away to begin with an empty one.`,
    );
  }
  const password = randomBytes(32).toString("base64url");
  writeDurably(path, `${password}\n`);
  return password;
}

/**
 * Makes the cluster if the folder has none, and checks that it has this version. initdb works under a temporary
 * name, so a half-made cluster never has the real name, even after a kill.
 */
export async function ensureCluster(setup: {
  dataDir: string;
  cluster: string;
  binaries: Binaries;
  runner: Runner;
  password: string;
  fsync: boolean;
}): Promise<void> {
  const { dataDir, cluster, binaries, runner } = setup;
  await removeDrafts(dataDir);
  if (!existsSync(cluster)) {
    refuseToForgetOtherClusters(dataDir, binaries);
    await initialise(setup);
  }
  const found = versionOf(cluster);
  if (found !== String(binaries.major)) {
    throw new EmbeddedPostgresError(
      `${cluster} holds ${found === undefined ? "no Postgres cluster (PG_VERSION is missing)" : `a cluster of Postgres ${found}`}, and these programs are Postgres ${binaries.major}. Move it away, or use the programs it was made with.`,
    );
  }
  if (runner.owner !== undefined && statSync(cluster).uid !== runner.owner.uid) {
    // The cluster was last started by another user. Links (tablespaces) change their own owner and are never followed.
    const { uid, gid } = runner.owner;
    for (const name of readdirSync(cluster, { recursive: true, encoding: "utf8" }))
      lchownSync(join(cluster, name), uid, gid);
    lchownSync(cluster, uid, gid);
  }
}

/** Removes what a killed process left half done, possibly with a password file. We hold the lock, so nobody starts new drafts. */
async function removeDrafts(dataDir: string): Promise<void> {
  const drafts = /^(pg\d+\.init-[0-9a-f]{12}(\.password)?|(port|postgres-password)\.[0-9a-f]{12})$/;
  const paths = readdirSync(dataDir)
    .filter((name) => drafts.test(name))
    .map((name) => join(dataDir, name));
  // An initdb that outlived its parent may still be writing, and fails because its files are missing. Node's rm may leave a
  // folder that is being written to without an error, so the folder is checked. The next start removes what then remains.
  const deadline = performance.now() + 10_000;
  for (const path of paths) {
    rmSync(path, { recursive: true, force: true, maxRetries: 5 });
    while (existsSync(path) && performance.now() < deadline) {
      await sleep(50);
      rmSync(path, { recursive: true, force: true, maxRetries: 5 });
    }
  }
}

function versionOf(cluster: string): string | undefined {
  const path = join(cluster, "PG_VERSION");
  return existsSync(path) ? readFileSync(path, "utf8").trim() : undefined;
}

/** After an upgrade to a new major version, an empty cluster beside the old cluster would look like lost data. */
function refuseToForgetOtherClusters(dataDir: string, binaries: Binaries): void {
  const other = readdirSync(dataDir).find(
    (name) => /^pg\d+$/.test(name) && versionOf(join(dataDir, name)) !== undefined,
  );
  if (other === undefined) return;
  throw new EmbeddedPostgresError(
    `${join(dataDir, other)} holds a cluster of Postgres ${versionOf(join(dataDir, other))}, and these programs are Postgres ${binaries.major}. Dump it with its own version and restore it, then move that folder away.`,
  );
}

async function initialise(setup: Parameters<typeof ensureCluster>[0]): Promise<void> {
  const { dataDir, cluster, binaries, runner, password } = setup;
  const draft = `${cluster}.init-${randomBytes(6).toString("hex")}`;
  const passwordFile = `${draft}.password`; // initdb's user can read it
  try {
    mkdirSync(draft, { mode: 0o700 });
    writeFileSync(passwordFile, `${password}\n`, { mode: 0o600, flag: "wx" });
    if (runner.owner !== undefined) {
      chownSync(draft, runner.owner.uid, runner.owner.gid);
      chownSync(passwordFile, runner.owner.uid, runner.owner.gid);
    }
    const options = [
      "-D",
      draft,
      "-U",
      "postgres",
      "-A",
      "scram-sha-256",
      `--pwfile=${passwordFile}`,
      "-E",
      "UTF8",
      "--data-checksums",
    ];
    // The same order and case rules on every machine: the built-in provider, if available, needs no library.
    options.push(
      ...(binaries.major >= 17
        ? ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
        : ["--locale=C.UTF-8"]),
    );
    if (!setup.fsync) options.push("--no-sync");
    await runInitdb(runner, options);
    renameSync(draft, cluster);
    syncFolder(dataDir);
  } finally {
    rmSync(passwordFile, { force: true });
    rmSync(draft, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function runInitdb(runner: Runner, args: string[]): Promise<void> {
  const command = runner.command("initdb", args);
  await new Promise<void>((resolve, reject) => {
    const child = spawn(command.file, command.args, {
      ...command.options,
      stdio: ["ignore", "ignore", "pipe"],
      timeout: 300_000,
    });
    let complaint = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      complaint = (complaint + text).slice(-4_000);
    });
    child.on("error", (error) => reject(new EmbeddedPostgresError(`initdb does not run: ${error.message}`)));
    child.on("close", (code, signal) => {
      if (code === 0) resolve();
      else reject(new EmbeddedPostgresError(`initdb failed (${signal ?? `exit code ${code}`}):\n${complaint.trim()}`));
    });
  });
}

/**
 * The TCP port on 127.0.0.1: the requested port, or the port kept in `<dataDir>/port`, or, if that port is missing or in
 * use, the next free port from a start derived from the folder's name. (Two checkouts get different ports, and 20000–31999
 * lies below the ports that systems give to outgoing connections.) The port is kept for the next start.
 */
export async function choosePort(dataDir: string, wanted: number | undefined): Promise<number> {
  if (wanted !== undefined) {
    if (!(await isFree(wanted))) {
      throw new EmbeddedPostgresError(
        `Port ${wanted} on 127.0.0.1, requested for the embedded Postgres, is in use by another program.`,
      );
    }
    writeDurably(join(dataDir, "port"), `${wanted}\n`);
    return wanted;
  }
  const kept = keptPort(dataDir);
  if (kept !== undefined && (await isFree(kept))) return kept;
  const first = createHash("sha256").update(dataDir).digest().readUInt32BE() % 12_000;
  for (let step = 0; step < 200; step++) {
    const port = 20_000 + ((first + step) % 12_000);
    if (!(await isFree(port))) continue;
    writeDurably(join(dataDir, "port"), `${port}\n`);
    return port;
  }
  throw new EmbeddedPostgresError("No free port on 127.0.0.1 for the embedded Postgres.");
}

function keptPort(dataDir: string): number | undefined {
  const path = join(dataDir, "port");
  const port = existsSync(path) ? Number(readFileSync(path, "utf8")) : Number.NaN;
  return Number.isInteger(port) && port >= 1_024 && port <= 65_535 ? port : undefined;
}
