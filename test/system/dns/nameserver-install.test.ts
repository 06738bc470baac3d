// `selo nameserver install`: apt without rights, what is refused, and kills. Each install downloads about 3 MB or more.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { command } from "../../support/command.ts";
import { byLane } from "../../support/lane.ts";
import { nameserverProgram, proxies, writeProgramFile } from "../../support/nameserver-stage.ts";

const root = path.resolve(import.meta.dirname, "../../..");
const isRoot = process.getuid?.() === 0;
/** A user without a name of ours, a home or a right. */
const NOBODY = 65_534;
const PATIENCE = 180_000;

let parent: string;
let dataDir: string;
beforeEach(() => {
  parent = fs.mkdtempSync(path.join(os.tmpdir(), "selo-nameserver-"));
  fs.chmodSync(parent, 0o755);
  dataDir = path.join(parent, "data");
});
afterEach(() => fs.rmSync(parent, { recursive: true, force: true, maxRetries: 5 }));

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function install(
  args: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
  uid = process.getuid?.() ?? 0,
  folder = root,
): { readonly child: ChildProcess; readonly ended: Promise<Ended> } {
  // Node may be a package of the checkout, or that of the machine.
  const own = path.relative(root, process.execPath);
  const node = own.startsWith("..") ? process.execPath : path.join(folder, own);
  const child = spawn(node, ["src/main/cli.ts", "nameserver", "install", ...args], {
    cwd: folder,
    // The proxies of this machine, as a user has them.
    env: { ...process.env, HOME: parent, SELO_DATA_DIR: dataDir, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    ...(isRoot ? { uid, gid: uid } : {}),
  });
  const said = { stdout: "", stderr: "" };
  child.stdout?.on("data", (chunk: Buffer) => {
    said.stdout += chunk;
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    said.stderr += chunk;
  });
  const ended = new Promise<Ended>((done, failed) => {
    child.once("error", failed);
    child.once("close", (code) => done({ code, ...said }));
  });
  return { child, ended };
}

/** The program in a folder that every user may enter: the checkout may lie in a folder of root's alone. Null if that is not possible here. */
function shownToAll(): string | null {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-program-"));
  fs.chmodSync(folder, 0o755);
  const isShown = spawnSync("mount", ["--bind", "-o", "ro", root, folder]).status === 0;
  onTestFinished(() => {
    if (isShown) spawnSync("umount", ["-l", folder]);
    // Never with its content: a folder that is still shown is not empty, and stays.
    fs.rmdirSync(folder);
  });
  return isShown ? folder : null;
}

/** The same without its own process: for what ends soon. */
const installHere = (environment: Readonly<Record<string, string>> = {}) =>
  command(["nameserver", "install"], { ...proxies(), HOME: parent, SELO_DATA_DIR: dataDir, ...environment });

const tree = () => path.join(dataDir, "nameserver");
const modeOf = (file: string) => fs.statSync(file).mode & 0o777;

describe.each(isRoot ? ["root", "another user"] : ["this user"])("as %s", (who) => {
  const uid = who === "another user" ? NOBODY : (process.getuid?.() ?? 0);

  test(
    "before any start, PowerDNS stands in the data folder, runs, and a second install leaves it; an upgrade brings it anew, with libraries that the machine lacks",
    async (context) => {
      const folder = who === "another user" ? shownToAll() : root;
      if (folder === null) return context.skip("bind mounts are not allowed here");
      if (who === "another user") fs.chownSync(parent, NOBODY, NOBODY);
      const { code, stdout, stderr } = await install(["--json"], {}, uid, folder).ended;
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      const found = JSON.parse(stdout) as { program: string; version: string; module_dir: string };
      expect(found.program).toBe(path.join(fs.realpathSync(tree()), "usr/sbin/pdns_server"));
      expect(found.version).toMatch(/^\d+\.\d+\.\d+/);
      expect(fs.existsSync(path.join(found.module_dir, "libgpgsqlbackend.so"))).toBe(true);
      // Nothing of apt stays: no lists, no packages.
      expect(fs.readdirSync(dataDir)).toEqual(["nameserver"]);
      // Only its owner may write. As root the nameserver runs as another user, who reads it.
      expect(modeOf(tree())).toBe(who === "root" ? 0o755 : 0o700);
      expect(fs.statSync(tree()).uid).toBe(uid);

      const before = fs.statSync(tree()).ino;
      const again = await install([], {}, uid, folder).ended;
      expect(again).toMatchObject({ code: 0, stderr: "" });
      expect(again.stdout).toMatch(/^uses PowerDNS [\d.]+ \(.*\): it is already installed/);
      expect(fs.statSync(tree()).ino).toBe(before);
      // By the first user; in `npm run test:full` by each.
      if (byLane({ lane: who === "another user", full: false })) return;
      const upgraded = await install(["--upgrade"], bareMachine(), uid, folder).ended;
      expect(upgraded.stdout).toMatch(/\ninstalled PowerDNS/);
      expectLibraries(upgraded);
      expect(fs.statSync(tree()).ino).not.toBe(before);
      expect(fs.readdirSync(dataDir)).toEqual(["nameserver"]);
    },
    PATIENCE,
  );
});

/** For apt: a machine that has the C library and nothing that PowerDNS needs beyond it. */
function bareMachine(): Readonly<Record<string, string>> {
  const status = fs.readFileSync("/var/lib/dpkg/status", "utf8").split("\n\n");
  const kept = status.filter((each) => /^Package: (libc6|libgcc-s1|gcc-12-base|libstdc\+\+6|debconf)$/m.test(each));
  fs.writeFileSync(path.join(parent, "status"), `${kept.join("\n\n")}\n`);
  const conf = path.join(parent, "apt.conf");
  fs.writeFileSync(conf, `Dir::State::status "${parent}/status";\n`);
  return { APT_CONFIG: conf };
}

/** What the bare machine lacks was fetched: libraries, too. */
function expectLibraries({ code, stdout, stderr }: Ended): void {
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/fetched .*\blibpq5\b/);
  const libraries = fs.readdirSync(tree(), { recursive: true, encoding: "utf8" });
  expect(libraries.some((name) => /\/libpq\.so\.5/.test(name))).toBe(true);
}

// Otherwise it is an upgrade, above, that meets such a machine.
if (byLane({ lane: false, full: true }))
  test("what the machine lacks is fetched: libraries, too", { timeout: PATIENCE }, async () => {
    expectLibraries(await install([], bareMachine()).ended);
  });

describe("refused", () => {
  const conf = (...lines: string[]) => {
    const file = path.join(parent, "apt.conf");
    fs.mkdirSync(path.join(parent, "parts"), { recursive: true });
    fs.writeFileSync(file, [`Dir::Etc::sourceparts "${parent}/parts";`, ...lines, ""].join("\n"));
    return { APT_CONFIG: file };
  };

  test.each([
    ["more.list", "deb [trusted=yes] http://deb.example/debian bookworm main\n", "trusted=yes"],
    [
      "more.sources",
      "Types: deb\nURIs: http://deb.example\nSuites: bookworm\nComponents: main\nTrusted: yes\n",
      "Trusted=yes",
    ],
    ["more.list", "deb [allow-insecure=yes] http://deb.example/debian bookworm main\n", "allow-insecure=yes"],
  ])(
    "a source whose signature is not checked (%s: %s)",
    async (name, text, says) => {
      const environment = conf();
      fs.writeFileSync(path.join(parent, "parts", name), text);
      const { code, stderr } = await installHere(environment);
      expect(code).toBe(1);
      expect(stderr).toContain(`${parent}/parts/${name}: ${says}`);
      expect(fs.readdirSync(dataDir)).toEqual([]);
    },
    PATIENCE,
  );

  test(
    "an apt that takes unsigned packages",
    async () => {
      const { code, stderr } = await installHere(conf('APT::Get::AllowUnauthenticated "true";'));
      expect(code).toBe(1);
      expect(stderr).toContain('apt.conf: APT::Get::AllowUnauthenticated "true"');
    },
    PATIENCE,
  );

  test(
    "a source without a signature",
    async () => {
      const environment = conf();
      const repository = path.join(parent, "repository");
      fs.mkdirSync(repository);
      fs.writeFileSync(path.join(repository, "Packages"), "");
      fs.writeFileSync(path.join(parent, "parts/more.list"), `deb file:${repository} ./\n`);
      const { code, stderr } = await installHere(environment);
      expect(code).toBe(1);
      expect(stderr).toContain("apt-get update failed");
      expect(fs.readdirSync(dataDir)).toEqual([]);
    },
    PATIENCE,
  );

  test("a folder that others may write to, and one of another user", async () => {
    fs.mkdirSync(tree(), { recursive: true });
    fs.chmodSync(tree(), 0o775);
    expect((await installHere()).stderr).toContain(`${tree()} can be written by others`);
    if (!isRoot) return;
    fs.chmodSync(tree(), 0o755);
    fs.chownSync(tree(), NOBODY, NOBODY);
    expect((await installHere()).stderr).toContain(`${tree()} belongs to another user`);
  });

  test("a PDNS_SERVER that is something else", async () => {
    const { code, stderr } = await installHere({ PDNS_SERVER: "/bin/true" });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining("/bin/true is no PowerDNS; version 4.7 or later is needed"),
    });
  });

  test("a machine that is no Debian is told what to install", async () => {
    const { code, stderr } = await installHere({ PATH: parent });
    expect(code).toBe(1);
    expect(stderr).toMatch(/This is not Debian.* PowerDNS 4\.7 or later.*PDNS_SERVER/);
  });
});

test(
  "what the machine has is used as it is: PDNS_SERVER, and PATH",
  async () => {
    const own = path.join(parent, "bin");
    fs.mkdirSync(own);
    const program = writeProgramFile(await nameserverProgram(), own);
    const named = await installHere({ PDNS_SERVER: program });
    expect(named.stdout).toMatch(/^uses PowerDNS .*: PDNS_SERVER names it\n$/);
    const inPath = await installHere({ PATH: `${own}:${process.env["PATH"]}` });
    expect(inPath.stdout).toMatch(/^uses PowerDNS .*: this machine has it\n$/);
    expect(fs.existsSync(dataDir)).toBe(false);
  },
  PATIENCE,
);

test(
  "a killed install leaves nothing or everything; the second of two installs at once refuses and says why",
  async () => {
    for (const wait of byLane({ lane: [1_500], full: [300, 700, 1_200, 1_700, 2_200, 2_600] })) {
      const { child, ended } = install();
      const killing = setTimeout(() => child.kill("SIGKILL"), wait);
      await ended;
      clearTimeout(killing);
      // All of it, or no folder: then no program would be found in it.
      if (fs.existsSync(tree())) {
        expect((await install().ended).stdout).toMatch(/^uses PowerDNS/);
        fs.rmSync(tree(), { recursive: true });
      }
    }
    const both = await Promise.all([install().ended, install().ended]);
    const failed = both.filter(({ code }) => code !== 0);
    for (const { stderr } of failed) expect(stderr).toMatch(/already in use by process \d+/);
    expect(failed.length).toBeLessThan(2);
    expect(await install().ended).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/already installed/),
      stderr: "",
    });
    expect(fs.readdirSync(dataDir)).toEqual(["nameserver"]);
  },
  PATIENCE,
);
