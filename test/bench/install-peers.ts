/**
 * What the benchmarks load with and compare with is its own package, `test/bench/package.json`, so that `npm ci` leaves it out.
 * `npm run bench` runs this file first: what is imported must be there before `main.ts` is read.
 */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

/** Installs the peers of the benchmarks of a folder of this project, unless they are there in the versions of its lock file. */
export function installPeers(root: string): void {
  const folder = path.join(root, "test/bench");
  // Commits from before this package existed have the peers among their own packages.
  if (!fs.existsSync(path.join(folder, "package.json"))) return;
  // npm ci would empty the folder first, each time.
  if (spawnSync("npm", ["ls", "--all"], { cwd: folder, stdio: "ignore" }).status === 0) return;
  const { status } = spawnSync("npm", ["ci"], { cwd: folder, stdio: "inherit" });
  if (status !== 0) throw new Error(`npm ci in ${folder} failed`);
}

if (import.meta.main) installPeers(path.resolve(import.meta.dirname, "../.."));
