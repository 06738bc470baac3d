// Which PowerDNS is found, and as whom it runs when it is asked for its version.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findProgram, MANIFEST } from "../../../src/adapters/nameserver/program.ts";

const isRoot = process.getuid?.() === 0;
let folder: string;
let users: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-program-"));
  fs.chmodSync(folder, 0o711);
  users = path.join(folder, "users");
  fs.writeFileSync(users, "", { mode: 0o666 });
  fs.chmodSync(users, 0o666);
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

/** A program that speaks as PowerDNS does, and writes down who runs it; without a module for Postgres it does not start with it. */
function writeProgram(file: string, mode = 0o755, hasModule = true): string {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(
    file,
    `#!/bin/sh
stat -Lc %u /proc/$$ >> ${users}
case "$*" in
  *--version*) echo "PowerDNS Authoritative Server 4.9.1 (C) PowerDNS.COM BV" >&2; exit 99 ;;
  *--config=check*) ${hasModule ? "" : "exit 1 "};;
  *--config=default*) echo "# module-dir=/usr/lib/pdns" ;;
esac
`,
    { mode },
  );
  return file;
}

/** In place of the system's folders of programs, which may or may not hold a PowerDNS. */
const find = (given: string | null, dataDir = "/nowhere") =>
  findProgram({ dataDir, given, environment: { PATH: "/usr/bin:/bin" }, morePaths: [path.join(folder, "sbin")] });
const ranAs = () => [...new Set(fs.readFileSync(users, "utf8").trim().split("\n"))];

/** What the installer leaves. */
function writeTree(): string {
  const tree = path.join(folder, "data/nameserver");
  writeProgram(path.join(tree, "usr/sbin/pdns_server"));
  const manifest = { program: "usr/sbin/pdns_server", module_dir: "usr/lib/pdns", library_dirs: ["usr/lib"] };
  fs.writeFileSync(path.join(tree, MANIFEST), JSON.stringify(manifest));
  return path.join(folder, "data");
}

describe("as root", () => {
  beforeEach(({ skip }) => skip(!isRoot, "another user runs these tests"));

  test("the program of PDNS_SERVER is run as another user, at every question", async () => {
    const program = writeProgram(path.join(folder, "pdns_server"));
    expect(await find(program)).toMatchObject({ kind: "setting", version: "4.9.1" });
    expect(ranAs()).toHaveLength(1);
    expect(ranAs()).not.toContain("0");
  });

  test("so is the installed one", async () => {
    expect(await find(null, writeTree())).toMatchObject({ kind: "installed", version: "4.9.1" });
    expect(ranAs()).not.toContain("0");
  });

  test("one that nobody but root can run is not run with root's rights", async () => {
    const program = writeProgram(path.join(folder, "pdns_server"), 0o700);
    // Where user namespaces exist it runs in one, in which root has no rights; elsewhere it is refused.
    const found = await find(program).catch((error: unknown) => String(error));
    if (typeof found === "string") {
      expect(found).toContain(`${program} is not run as root`);
      expect(fs.readFileSync(users, "utf8")).toBe("");
    } else expect(found?.version).toBe("4.9.1");
  });
});

test("as another user, the program is run as that user", async (context) => {
  if (isRoot) context.skip("this is root");
  expect(await find(writeProgram(path.join(folder, "pdns_server")))).toMatchObject({ version: "4.9.1" });
  expect(ranAs()).toEqual([String(process.getuid?.())]);
});

test("that of the system is found outside PATH, before the installed one", async () => {
  const program = writeProgram(path.join(folder, "sbin/pdns_server"));
  expect(await find(null, writeTree())).toMatchObject({ kind: "system", program, version: "4.9.1" });
});

test("a system's PowerDNS without its module for Postgres does not count: the installed one is taken, or none is found", async () => {
  writeProgram(path.join(folder, "sbin/pdns_server"), 0o755, false);
  expect(await find(null, writeTree())).toMatchObject({ kind: "installed" });
  expect(await find(null)).toBeNull();
});

test("no PowerDNS is found where none is", async () => {
  expect(await find(null)).toBeNull();
});

test("a PDNS_SERVER that does not exist is named", async () => {
  await expect(find(path.join(folder, "missing"))).rejects.toThrow(/missing \(PDNS_SERVER\) does not run: /);
});
