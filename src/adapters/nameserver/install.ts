import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { syncFolder } from "../programs/durable-file.ts";
import { type FolderLock, lockFolder } from "../programs/folder-lock.ts";
import { errorCode, ProgramError } from "../programs/program-error.ts";
import { programEnvironment } from "../programs/unprivileged.ts";
import { Apt } from "./apt.ts";
import { type FindOptions, findProgram, MANIFEST, type NameserverProgram, programIn } from "./program.ts";
import { isOursAlone, treeFolder } from "./tree-folder.ts";

/** Debian's names. */
export const PACKAGES = ["pdns-server", "pdns-backend-pgsql"];

export interface InstallOptions extends FindOptions {
  /** Installs the newest version in place of an installed one. */
  readonly upgrade?: boolean;
  readonly log: (message: string) => void;
}

export interface Installed {
  readonly program: NameserverProgram;
  /** False if the program was there already. */
  readonly isNew: boolean;
}

/**
 * Puts PowerDNS into the data folder, unless the machine has one. Needs no rights beyond that folder, and starts nothing.
 * A killed install leaves no program, or the whole one.
 * @throws ProgramError with a message for people: no Debian, a source without signatures, an unsafe folder, another install under way
 */
export async function installNameserver(options: InstallOptions): Promise<Installed> {
  const { dataDir, environment, upgrade = false, log } = options;
  const found = await findProgram(options);
  if (found !== null && (found.kind !== "installed" || !upgrade)) return { program: found, isNew: false };
  requireDebian(environment);
  // As root, others may pass through it, as in a folder that Postgres makes.
  makeFolder(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700);
  const workshop = path.join(dataDir, "nameserver.install");
  const lock = lockWorkshop(workshop);
  try {
    removeContents(workshop, ["selo.pid"]);
    // A separate folder: the apt of an install that was killed a moment ago may go on in the one before.
    const own = path.join(workshop, String(process.pid));
    makeFolder(own);
    const tree = path.join(own, "tree");
    await fetchInto(tree, path.join(own, "apt"), environment, log);
    await programIn(tree, programEnvironment(environment));
    putInPlace(tree, dataDir);
  } finally {
    removeContents(workshop, ["selo.pid"]);
    lock.release();
    rmSync(workshop, { recursive: true, force: true, maxRetries: 5 });
  }
  const program = await findProgram(options);
  if (program === null) throw new Error("unreachable: installed above");
  return { program, isNew: true };
}

/** Another install may begin or end at the same time: it removes all but the lock, and at last the folder. */
function lockWorkshop(workshop: string): FolderLock {
  for (let attempt = 1; ; attempt++) {
    makeFolder(workshop);
    isOursAlone(workshop);
    try {
      return lockFolder(workshop);
    } catch (error) {
      if (errorCode(error) !== "ENOENT" || attempt === 20) throw error;
    }
  }
}

async function fetchInto(
  tree: string,
  aptFolder: string,
  environment: InstallOptions["environment"],
  log: InstallOptions["log"],
): Promise<void> {
  makeFolder(tree);
  makeFolder(aptFolder);
  const apt = new Apt(aptFolder, environment);
  await apt.requireSignatures();
  log("apt reads its lists of packages");
  await apt.update();
  const packages = await apt.download(PACKAGES);
  log(`fetched ${packages.map((file) => path.basename(file).split("_")[0]).join(", ")}`);
  for (const file of packages) await apt.extract(file, tree);
  // dpkg gives the folder the mode that it has in the package: 0755.
  chmodSync(tree, folderMode());
  writeFileSync(path.join(tree, MANIFEST), `${JSON.stringify(manifestOf(tree), null, 2)}\n`);
}

/** Where program, modules and libraries stand; Debian has a folder of libraries for each architecture. */
function manifestOf(tree: string): { program: string; module_dir: string; library_dirs: string[] } {
  const libraries = ["usr/lib", "lib"].flatMap((folder) =>
    [folder, ...foldersIn(tree, folder).map((name) => `${folder}/${name}`)].filter(
      (each) => each === folder || /-linux-gnu\w*$/.test(each),
    ),
  );
  const modules = libraries.map((folder) => `${folder}/pdns`).find((folder) => existsSync(path.join(tree, folder)));
  if (modules === undefined) throw new ProgramError("The packages of PowerDNS do not hold what they should hold.");
  return { program: "usr/sbin/pdns_server", module_dir: modules, library_dirs: libraries };
}

function foldersIn(tree: string, folder: string): string[] {
  const inner = path.join(tree, folder);
  if (!existsSync(inner)) return [];
  return readdirSync(inner, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}

/** A rename is all or nothing. A program that runs from the earlier folder keeps its files. */
function putInPlace(tree: string, dataDir: string): void {
  const place = treeFolder(dataDir);
  if (existsSync(place)) renameSync(place, `${tree}.earlier`);
  renameSync(tree, place);
  syncFolder(dataDir);
}

/** As root, others may read it: the nameserver runs as one of them. */
const folderMode = () => (process.getuid?.() === 0 ? 0o755 : 0o700);

function makeFolder(folder: string, mode = folderMode()): void {
  if (mkdirSync(folder, { recursive: true, mode }) !== undefined) chmodSync(folder, mode); // whatever the umask
}

function removeContents(folder: string, kept: readonly string[]): void {
  for (const name of readdirSync(folder))
    if (!kept.includes(name)) rmSync(path.join(folder, name), { recursive: true, force: true, maxRetries: 5 });
}

function requireDebian(environment: InstallOptions["environment"]): void {
  const env = programEnvironment(environment);
  const isThere = (program: string) => spawnSync(program, ["--version"], { env, cwd: "/" }).status === 0;
  if (process.platform === "linux" && isThere("apt-get") && isThere("dpkg")) return;
  throw new ProgramError(
    "This is not Debian, so Selo cannot install the nameserver. Install PowerDNS 4.7 or later with its module for Postgres " +
      "(Fedora: pdns and pdns-backend-postgresql; Alpine: pdns and pdns-backend-pgsql; macOS: pdns), or set PDNS_SERVER to its pdns_server.",
  );
}
