import { execFile } from "node:child_process";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { errorCode, ProgramError } from "../programs/program-error.ts";
import { chooseIdentity, programEnvironment } from "../programs/unprivileged.ts";
import { isOursAlone, treeFolder } from "./tree-folder.ts";

const run = promisify(execFile);

/** The version that has all settings that we write. */
export const LEAST_VERSION = [4, 7] as const;
/** Service managers start processes without /usr/sbin in PATH. */
const MORE_PATHS = ["/usr/local/sbin", "/usr/sbin", "/opt/homebrew/sbin"];

/** A PowerDNS that runs on this machine. */
export interface NameserverProgram {
  /** `setting`: PDNS_SERVER names it; `system`: it stands in PATH; `installed`: it is ours, in the data folder. */
  readonly kind: "setting" | "system" | "installed";
  /** The file of `pdns_server`. */
  readonly program: string;
  /** Such as `4.7.3`. */
  readonly version: string;
  /** The folder of the modules, with that for Postgres. */
  readonly moduleDir: string;
  /** Options that every start needs. */
  readonly options: readonly string[];
  /** The environment in which the program finds its libraries. */
  readonly env: Readonly<Record<string, string>>;
}

export interface FindOptions {
  readonly dataDir: string;
  /** The path of `pdns_server`, if the deployment names one. */
  readonly given: string | null;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** For tests: folders that are searched after those of PATH. */
  readonly morePaths?: readonly string[];
}

/** What the installer writes into its folder: where in it everything stands. */
const treeManifest = z.object({
  program: z.string(),
  module_dir: z.string(),
  library_dirs: z.array(z.string()),
});
/** Its owner, mostly root, is not preferred: programs of root need no rights of root. */
const NO_FILE = "";
export const MANIFEST = "selo-nameserver.json";

/**
 * Finds PowerDNS with its module for Postgres: the given one, that of the system, or the installed one. Null if none is there.
 * @throws ProgramError if a program is there and cannot be used
 */
export async function findProgram({
  dataDir,
  given,
  environment,
  morePaths = MORE_PATHS,
}: FindOptions): Promise<NameserverProgram | null> {
  const env = programEnvironment(environment);
  if (given !== null) return checked("setting", given, env);
  const file = inPath(environment, morePaths);
  if (file !== null) {
    // Without the module for Postgres, ours is used.
    const found = await checked("system", file, env).catch(() => null);
    if (found !== null) return found;
  }
  return findInstalled(dataDir, env);
}

/** The program that `selo nameserver install` put into the data folder; null without it. */
async function findInstalled(dataDir: string, env: Record<string, string>): Promise<NameserverProgram | null> {
  const folder = treeFolder(dataDir);
  if (!existsSync(folder)) return null;
  isOursAlone(folder);
  return programIn(folder, env);
}

/** The program of an extracted folder. */
export async function programIn(folder: string, env: Record<string, string>): Promise<NameserverProgram> {
  const real = realpathSync(folder);
  const manifest = treeManifest.parse(JSON.parse(readFileSync(path.join(real, MANIFEST), "utf8")));
  const libraries = manifest.library_dirs.map((each) => path.join(real, each));
  const own = { ...env, LD_LIBRARY_PATH: [...libraries, env["LD_LIBRARY_PATH"]].filter(Boolean).join(":") };
  return checked("installed", path.join(real, manifest.program), own, path.join(real, manifest.module_dir));
}

/** Runs it: it says its version, and it loads its module for Postgres. Root does not run it, but lets another user do so. */
async function checked(
  kind: NameserverProgram["kind"],
  program: string,
  env: Record<string, string>,
  moduleDir: string | null = null,
): Promise<NameserverProgram> {
  const identity = chooseIdentity({
    probe: ["/bin/sh", "-c", 'test -x "$0"', program],
    folder: "/",
    likeOwnerOf: NO_FILE,
    env,
  });
  if (identity === undefined)
    throw new ProgramError(
      existsSync(program)
        ? `${program} is not run as root, and neither the user "postgres" nor "nobody" can run it. Make its folders passable for others, or start Selo as another user.`
        : `${program} ${kind === "setting" ? "(PDNS_SERVER) " : ""}does not run: ENOENT`,
    );
  const ask = async (...args: string[]) => {
    try {
      const { file, args: all, options } = identity.command(program, ["--no-config", ...args]);
      const { stdout, stderr } = await run(file, all, { ...options, timeout: 30_000 });
      return `${stdout}\n${stderr}`;
    } catch (error) {
      // It says its version with exit code 99.
      if (args[0] === "--version" && error instanceof Error && "code" in error && error.code === 99)
        return "stderr" in error ? String(error.stderr) : "";
      throw new ProgramError(`${program} ${kind === "setting" ? "(PDNS_SERVER) " : ""}does not run: ${reason(error)}`, {
        cause: error,
      });
    }
  };
  const [, version = ""] = /PowerDNS Authoritative Server (\d+\.\d+[\w.+~-]*)/.exec(await ask("--version")) ?? [];
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major < LEAST_VERSION[0] || (major === LEAST_VERSION[0] && minor < LEAST_VERSION[1]))
    throw new ProgramError(
      `${program} is ${version === "" ? "no PowerDNS" : `PowerDNS ${version}`}; version ${LEAST_VERSION.join(".")} or later is needed`,
    );
  const options = moduleDir === null ? [] : [`--module-dir=${moduleDir}`];
  await ask(...options, "--launch=gpgsql", "--config=check");
  const modules = moduleDir ?? /^#? ?module-dir=(.+)$/m.exec(await ask("--config=default"))?.[1] ?? "";
  return { kind, program, version, moduleDir: modules, options, env };
}

/** What a program said last, or why it did not start. */
function reason(error: unknown): string {
  const said = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : "";
  return said.split("\n").slice(-3).join("; ") || (errorCode(error) ?? String(error));
}

function inPath(
  environment: Readonly<Record<string, string | undefined>>,
  morePaths: readonly string[],
): string | null {
  const folders = [...(environment["PATH"] ?? "").split(":").filter(Boolean), ...morePaths];
  return folders.map((folder) => path.join(folder, "pdns_server")).find((file) => existsSync(file)) ?? null;
}
