import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";

/** The user (outside of any user namespace) who owns a program's files. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** How a program runs: as ourselves, or, if we are root, without the rights of root. */
export interface Identity {
  /** Set if we are root: files for the program are given to this user. */
  readonly owner: Owner | undefined;
  command(file: string, args: readonly string[]): Command;
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

export interface IdentityOptions {
  /** Whether it ends with 0 shows whether a user can run the program: `["/usr/bin/postgres", "--version"]`. */
  readonly probe: readonly [file: string, ...args: string[]];
  /** The folder that the program must reach. */
  readonly folder: string;
  /** A file or folder whose owner is preferred, if it exists. */
  readonly likeOwnerOf: string;
  /** The program's environment; see {@link programEnvironment}. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Finds a user without the rights of root. As root we try, in this order: the owner of `likeOwnerOf`, `postgres`, `nobody`; the
 * first that can reach program and folder is used. Otherwise a user namespace maps root to another number, so that the
 * process keeps its access to a folder such as /root (mode 0700) and sees itself as an ordinary user. Undefined if neither is possible.
 */
export function chooseIdentity({ probe, folder, likeOwnerOf, env }: IdentityOptions): Identity | undefined {
  const identity = (owner: Owner | undefined, before: readonly string[], runsAs: Owner | undefined): Identity => ({
    owner,
    command: (program, args) => {
      const [file = "", ...rest] = [...before, program, ...args];
      return { file, args: rest, options: { cwd: "/", env: { ...env }, ...runsAs } };
    },
  });
  if (process.getuid?.() !== 0) return identity(undefined, [], undefined);

  const preferred = existsSync(likeOwnerOf) ? statSync(likeOwnerOf) : undefined;
  // Looked up only when needed, because each look-up starts two programs.
  const users = [() => preferred, () => lookUpUser("postgres"), () => lookUpUser("nobody")];
  const findUser = (): Owner | undefined => {
    for (const user of users) {
      const found = user();
      if (found !== undefined && found.uid !== 0 && canReach(found, probe, folder, env)) return found;
    }
    return undefined;
  };
  const findNamespace = (): string[] | undefined => {
    if (process.platform !== "linux") return undefined;
    const other = lookUpUser("nobody")?.uid ?? 65534; // initdb needs an id that has a name
    const namespace = ["unshare", "--user", `--map-user=${other}`, `--map-group=${other}`];
    const [file = "", ...rest] = [...namespace, ...probe];
    return spawnSync(file, rest, { cwd: "/", env, timeout: 30_000 }).status === 0 ? namespace : undefined;
  };
  const asRoot = { uid: 0, gid: 0 };

  // What root owns was made in a namespace. It stays there, so that its files do not change owners again and again.
  const itsNamespace = preferred?.uid === 0 ? findNamespace() : undefined;
  if (itsNamespace !== undefined) return identity(asRoot, itsNamespace, undefined);
  const user = findUser();
  if (user !== undefined) {
    const owner = { uid: user.uid, gid: user.gid };
    return identity(owner, [], owner);
  }
  const namespace = findNamespace();
  return namespace === undefined ? undefined : identity(asRoot, namespace, undefined);
}

/**
 * Only variables that programs need to be found and loaded. So no PG* variable (PGDATA, PGPORT, PGOPTIONS, …) and no locale
 * changes the program, and its environment contains no secrets of Selo.
 */
export function programEnvironment(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
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

function canReach(
  { uid, gid }: Owner,
  [file, ...args]: IdentityOptions["probe"],
  folder: string,
  env: IdentityOptions["env"],
): boolean {
  const as = { uid, gid, cwd: "/", env, timeout: 30_000 };
  return spawnSync("/bin/sh", ["-c", 'cd "$0"', folder], as).status === 0 && spawnSync(file, args, as).status === 0;
}
