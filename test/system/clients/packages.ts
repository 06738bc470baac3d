import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

const root = path.resolve(import.meta.dirname, "../../..");
/** Its own package, so that those who install Selo install none of it. */
const CLIENTS = path.join(root, "test/clients");
/** In node_modules: the digest of the lock file that it was installed from. */
const INSTALLED = ".installed-from";
const INSTALL_TIMEOUT_MS = 300_000;

const run = promisify(execFile);

/**
 * The folder test/clients with what its lock file names, installed where it is missing or from another lock file.
 * @throws Error with what npm says where the packages cannot be had; nothing that needs them is skipped
 */
export async function installedClients(): Promise<string> {
  const lock = fs.readFileSync(path.join(CLIENTS, "package-lock.json"), "utf8");
  const digest = createHash("sha256").update(lock).digest("hex");
  const modules = path.join(CLIENTS, "node_modules");
  if (installedFrom(modules) === digest) return CLIENTS;
  // Beside the folder and then moved: test files run side by side, and one that breaks off leaves nothing half installed.
  fs.mkdirSync(path.join(root, "test-output"), { recursive: true });
  const fresh = fs.mkdtempSync(path.join(root, "test-output/clients-"));
  try {
    for (const name of ["package.json", "package-lock.json"])
      fs.copyFileSync(path.join(CLIENTS, name), path.join(fresh, name));
    await install(fresh);
    fs.writeFileSync(path.join(fresh, "node_modules", INSTALLED), digest);
    if (installedFrom(modules) !== digest) {
      fs.rmSync(modules, { recursive: true, force: true });
      fs.renameSync(path.join(fresh, "node_modules"), modules);
    }
  } finally {
    fs.rmSync(fresh, { recursive: true, force: true });
  }
  return CLIENTS;
}

function installedFrom(modules: string): string | null {
  const file = path.join(modules, INSTALLED);
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8") : null;
}

async function install(folder: string): Promise<void> {
  try {
    await run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], {
      cwd: folder,
      timeout: INSTALL_TIMEOUT_MS,
    });
  } catch (error) {
    const said = error instanceof Error && "stderr" in error ? String(error.stderr).slice(-2_000) : String(error);
    throw new Error(`The clients of test/clients cannot be installed; npm ci says: ${said}`, { cause: error });
  }
}
