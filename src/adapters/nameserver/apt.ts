import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { ProgramError } from "../programs/program-error.ts";
import { type UnsoundSource, unsoundOptions, unsoundSources } from "./apt-sources.ts";

const run = promisify(execFile);

/** A slow mirror may take minutes. */
const PATIENCE_MS = 10 * 60_000;
const MOST_OUTPUT = 16 * 1024 * 1024;

/** What apt takes from our environment: how programs are found, proxies, and a configuration of the machine's owner. */
const VARIABLES = ["PATH", "HOME", "APT_CONFIG", "http_proxy", "https_proxy", "no_proxy"].flatMap((name) => [
  name,
  name.toUpperCase(),
]);

/**
 * apt with lists and cache in its own folder, so that it needs no rights and changes nothing on the machine. It reads the machine's
 * sources, keys, proxies, and which packages the machine has.
 */
export class Apt {
  readonly #folder: string;
  readonly #env: Record<string, string>;
  readonly #settings: string;

  /** @param folder an empty folder */
  constructor(folder: string, environment: Readonly<Record<string, string | undefined>>) {
    this.#folder = folder;
    this.#env = { LC_ALL: "C", DEBIAN_FRONTEND: "noninteractive" };
    for (const name of VARIABLES) {
      const value = environment[name];
      if (value !== undefined) this.#env[name] = value;
    }
    this.#env["PATH"] = [environment["PATH"], "/usr/sbin", "/sbin", "/usr/bin", "/bin"].filter(Boolean).join(":");
    for (const each of ["state/lists/partial", "cache/archives/partial", "packages"])
      mkdirSync(path.join(folder, each), { recursive: true });
    this.#settings = path.join(folder, "apt.conf");
    writeFileSync(this.#settings, settingsFor(folder));
  }

  /**
   * Checks that apt checks signatures.
   * @throws ProgramError that names the sources and options that turn this off
   */
  async requireSignatures(): Promise<void> {
    const dump = await this.#run("apt-config", ["dump"]);
    const unsound = [...unsoundOptions(dump), ...(await this.#sourceFiles()).flatMap(unsoundIn)];
    if (unsound.length === 0) return;
    const list = unsound.map(({ file, says }) => `  ${file}: ${says}`).join("\n");
    throw new ProgramError(
      `apt would take packages whose signatures it cannot check:\n${list}\nRemove these options, or install PowerDNS yourself and set PDNS_SERVER.`,
    );
  }

  /** Reads the lists of packages anew. */
  async update(): Promise<void> {
    await this.#run("apt-get", ["update"]);
  }

  /**
   * Downloads packages and what they need that the machine lacks, or has in too old a version.
   * @returns the files
   */
  async download(names: readonly string[]): Promise<string[]> {
    const plan = await this.#run("apt-get", ["--simulate", "--no-install-recommends", "install", ...names]);
    const packages = [...plan.matchAll(/^Inst (\S+)(?: \[[^\]]*\])? \((\S+) .*?\[(\S+)\]\)/gm)].map(
      ([, name = "", version = "", architecture = ""]) =>
        `${name}${name.includes(":") || architecture === "all" ? "" : `:${architecture}`}=${version}`,
    );
    const folder = path.join(this.#folder, "packages");
    // Of a package that the machine has already, apt would plan nothing.
    const missing = names.filter((name) => !packages.some((each) => each.split(/[:=]/)[0] === name));
    // apt checks each file against the lists, and the lists against their signature.
    await this.#run("apt-get", ["download", ...packages, ...missing], folder);
    return readdirSync(folder)
      .filter((name) => name.endsWith(".deb"))
      .map((name) => path.join(folder, name));
  }

  /** Extracts a package into a folder. Runs none of the package's scripts. */
  async extract(file: string, folder: string): Promise<void> {
    await this.#run("dpkg", ["--extract", file, folder]);
  }

  async #sourceFiles(): Promise<string[]> {
    const shell = "LIST Dir::Etc::sourcelist/f PARTS Dir::Etc::sourceparts/d".split(" ");
    const answer = await this.#run("apt-config", ["shell", ...shell]);
    const [list = "", parts = ""] = ["LIST", "PARTS"].map(
      (name) => new RegExp(`^${name}='(.*)'$`, "m").exec(answer)?.[1] ?? "",
    );
    const inParts = existsSync(parts) ? readdirSync(parts).filter((name) => /\.(list|sources)$/.test(name)) : [];
    return [...(existsSync(list) ? [list] : []), ...inParts.map((name) => path.join(parts, name))];
  }

  async #run(program: string, args: readonly string[], cwd = this.#folder): Promise<string> {
    // The file of settings counts more than the machine's.
    const all = program === "dpkg" ? args : ["-c", this.#settings, ...args];
    try {
      const limits = { timeout: PATIENCE_MS, maxBuffer: MOST_OUTPUT };
      return (await run(program, all, { env: this.#env, cwd, ...limits })).stdout;
    } catch (error) {
      const said = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : "";
      throw new ProgramError(`${program} ${args[0]} failed: ${said || String(error)}`, { cause: error });
    }
  }
}

function unsoundIn(file: string): UnsoundSource[] {
  return unsoundSources(file, readFileSync(file, "utf8"));
}

/** The machine's hooks are not run: they change files of the machine. */
const HOOKS = ["Pre-Invoke", "Post-Invoke", "Post-Invoke-Success"].map((each) => `#clear APT::Update::${each};`);

function settingsFor(folder: string): string {
  const quoted = (...inner: string[]) => JSON.stringify(path.join(folder, ...inner));
  return [
    `Dir::State ${quoted("state")};`,
    `Dir::Cache ${quoted("cache")};`,
    'Acquire::Languages "none";',
    'Acquire::GzipIndexes "true";',
    'Acquire::Retries "3";',
    ...HOOKS,
    "",
  ].join("\n");
}
