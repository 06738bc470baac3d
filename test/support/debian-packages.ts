import { execFileSync } from "node:child_process";
import fs from "node:fs";

/** Fetches Debian's packages with apt, and what they need and the machine lacks, into an empty folder: nothing is installed or started. */
export function unpackPackages(folder: string, ...names: string[]): void {
  const apt = (...words: string[]) => execFileSync("apt-get", words, { cwd: folder, encoding: "utf8", stdio: "pipe" });
  const planned = apt("-s", "install", "--no-install-recommends", ...names);
  const packages = [...planned.matchAll(/^Inst (\S+)/gm)].map(([, name = ""]) => name);
  if (packages.length > 0) apt("-qq", "download", ...packages);
  for (const file of fs.readdirSync(folder)) execFileSync("dpkg", ["-x", file, "."], { cwd: folder });
}
