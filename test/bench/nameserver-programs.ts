/** The programs of benchmarks of DNS. They come from Debian with apt in a separate folder, so nothing is installed on the machine, and no package starts a daemon. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Apt } from "../../src/adapters/nameserver/apt.ts";
import { installNameserver } from "../../src/adapters/nameserver/install.ts";
import type { NameserverProgram } from "../../src/adapters/nameserver/program.ts";
import { isOursAlone } from "../../src/adapters/nameserver/tree-folder.ts";
import { lockFolder } from "../../src/adapters/programs/folder-lock.ts";

/** Kept between runs: it comes from the network. */
const FOLDER = path.join(os.tmpdir(), "selo-bench-nameservers");

/** PowerDNS as `selo nameserver install` brings it. */
export async function powerDnsProgram(): Promise<NameserverProgram> {
  const dataDir = path.join(FOLDER, "powerdns");
  return (await installNameserver({ dataDir, given: null, environment: process.env, log: () => {} })).program;
}

/** In which programs of a tree find their libraries. */
type Environment = Readonly<Record<string, string | undefined>>;

/** NSD, Knot and dnsperf. */
export interface PeerPrograms {
  readonly nsd: string;
  readonly knotd: string;
  /** Knot's keys. */
  readonly keymgr: string;
  readonly dnsperf: string;
  readonly env: Environment;
}

export async function peerPrograms(): Promise<PeerPrograms> {
  const { file, env } = await extracted("peers", ["nsd", "knot", "dnsperf"]);
  return {
    nsd: file("sbin/nsd"),
    knotd: file("sbin/knotd"),
    keymgr: file("sbin/keymgr"),
    dnsperf: file("bin/dnsperf"),
    env,
  };
}

/** What signs zone files (ldns), and what validates answers (BIND's delv). */
export interface SigningPrograms {
  readonly keygen: string;
  readonly signzone: string;
  readonly delv: string;
  readonly env: Environment;
}

export async function signingPrograms(): Promise<SigningPrograms> {
  const { file, env } = await extracted("signing", ["ldnsutils", "bind9-dnsutils"]);
  return { keygen: file("bin/ldns-keygen"), signzone: file("bin/ldns-signzone"), delv: file("bin/delv"), env };
}

/** Packages, and what they need that the machine lacks, in their own folder below ours. */
async function extracted(
  name: string,
  packages: readonly string[],
): Promise<{ readonly file: (name: string) => string; readonly env: Environment }> {
  const tree = path.join(FOLDER, name);
  fs.mkdirSync(FOLDER, { recursive: true, mode: 0o755 });
  const lock = lockFolder(FOLDER);
  try {
    if (!fs.existsSync(tree)) {
      const fresh = path.join(FOLDER, `${name}.fresh`);
      fs.rmSync(fresh, { recursive: true, force: true });
      const apt = new Apt(path.join(fresh, "apt"), process.env);
      await apt.requireSignatures();
      await apt.update();
      for (const file of await apt.download(packages)) await apt.extract(file, fresh);
      fs.rmSync(path.join(fresh, "apt"), { recursive: true });
      fs.renameSync(fresh, tree);
    }
  } finally {
    lock.release();
  }
  isOursAlone(FOLDER);
  isOursAlone(tree);
  const libraries = path.join(tree, "usr/lib");
  const folders = fs.existsSync(libraries)
    ? fs.readdirSync(libraries).filter((name) => name.endsWith("-linux-gnu"))
    : [];
  const env = { ...process.env, LD_LIBRARY_PATH: folders.map((name) => path.join(libraries, name)).join(":") };
  return { file: (name) => path.join(tree, "usr", name), env };
}
