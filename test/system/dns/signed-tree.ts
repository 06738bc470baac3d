// A root and a TLD that NSD serves and ldns-signzone signed, and an unbound that trusts this root alone. All on loopback.
import { execFile, execFileSync, spawn } from "node:child_process";
import { createSocket, type Socket } from "node:dgram";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { decode, encode, type RecordType } from "dns-packet";
import { expect, vi } from "vitest";
import { freePort } from "../../support/selo-process.ts";

const run = promisify(execFile);

/** The TLD that the tree has. */
const TLD = "example";
/** Resolvers keep nothing for longer, in seconds. */
const TTL = 1;
const ANSWER_MS = 30_000;

export interface Server {
  readonly host: string;
  readonly port: number;
}

/** What a validating resolver says. */
export interface Verdict {
  readonly status: string;
  /** Whether it validated all of the answer (RFC 4035 §3.2.3). */
  readonly isSecure: boolean;
  readonly answers: readonly string[];
}

export class SignedTree {
  readonly #folder: string;
  readonly #nsdPort: number;
  readonly #resolverPort: number;
  readonly #programs: { readonly name: string; stop(): Promise<void>; reload(): void; output(): string }[] = [];
  readonly #keys: Readonly<Record<"root" | "tld", string>>;
  readonly #questions = new Map<number, (answer: Verdict) => void>();
  #socket: Socket | null = null;
  #id = 0;
  /** DS records in the TLD, by zone. */
  readonly #ds = new Map<string, readonly string[]>();

  private constructor(folder: string, nsdPort: number, resolverPort: number) {
    this.#folder = folder;
    this.#nsdPort = nsdPort;
    this.#resolverPort = resolverPort;
    this.#keys = { root: this.#newKey("."), tld: this.#newKey(`${TLD}.`) };
  }

  /**
   * Starts it.
   * @param zones apexes below the TLD, and where they are served; also zones below them
   * @param plain zones that NSD serves unsigned, by their apexes: lines of their zone files
   */
  static async open(
    zones: Readonly<Record<string, Server>>,
    plain: Readonly<Record<string, readonly string[]>> = {},
  ): Promise<SignedTree> {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-tree-"));
    const tree = new SignedTree(folder, await freePort(), await freePort());
    try {
      await tree.#begin(zones, plain);
      return tree;
    } catch (error) {
      await tree.close();
      throw error;
    }
  }

  async #begin(zones: Readonly<Record<string, Server>>, plain: Readonly<Record<string, readonly string[]>>) {
    this.#writeRoot();
    for (const zone of Object.keys(zones)) this.#ds.set(zone, []);
    this.#writeTld();
    for (const [zone, lines] of Object.entries(plain)) {
      const head = [`$TTL ${TTL}`, `${zone}. IN SOA ns.${zone}. h.${zone}. 1 3600 600 86400 ${TTL}`];
      fs.writeFileSync(this.#file(`${zone}.zone`), [...head, `${zone}. IN NS ns.${zone}.`, ...lines, ""].join("\n"));
    }
    this.#runNsd([".", `${TLD}.`], Object.keys(plain));
    const byNsd = Object.keys(plain).map((zone) => [zone, { host: "127.0.0.1", port: this.#nsdPort }] as const);
    this.#runUnbound({ ...zones, ...Object.fromEntries(byNsd) });
    await this.#connect();
    await vi.waitFor(async () => expect((await this.ask(`${TLD}.`, "SOA", 500)).isSecure).toBe(true), {
      timeout: 30_000,
      interval: 50,
    });
  }

  /** Publishes these DS records for a zone in the TLD, and waits until the TLD's server has them. */
  async publish(zone: string, ds: readonly string[]): Promise<void> {
    this.#ds.set(zone, ds);
    this.#writeTld();
    this.#programs.find(({ name }) => name === "nsd")?.reload();
    const server = { host: "127.0.0.1", port: this.#nsdPort };
    await vi.waitFor(async () => expect(await dig(server, zone, "DS")).toEqual([...ds].sort()), {
      timeout: 30_000,
      interval: 50,
    });
  }

  /** Resolves when no resolver remembers anything of before. */
  caughtUp(): Promise<void> {
    // Caches end by the clock, and tell nobody.
    return new Promise((resolve) => setTimeout(resolve, (2 * TTL + 0.2) * 1000));
  }

  /** What the validating resolver says to a question. */
  ask(name: string, type: RecordType, timeoutMs = ANSWER_MS): Promise<Verdict> {
    this.#id = (this.#id + 1) & 0xffff;
    const id = this.#id;
    // Recursion desired, and AD: tell whether it was validated (RFC 6840 §5.7).
    const packet = encode({ type: "query", id, flags: 0x0120, questions: [{ name: name.replace(/\.$/, ""), type }] });
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        this.#questions.delete(id);
        reject(new Error(`unbound did not answer ${name} ${type} in ${timeoutMs} ms`));
      }, timeoutMs);
      this.#questions.set(id, (answer) => {
        clearTimeout(late);
        resolve(answer);
      });
      this.#socket?.send(packet);
    });
  }

  /** What delv says first, which asks our resolver and trusts our root alone: "fully validated", "negative response, fully validated", "unsigned answer". */
  async delv(name: string, type: string): Promise<string> {
    const anchor = this.#file("anchor.conf");
    const [, , , , flags, protocol, algorithm, key] = this.#dnskey("root").split(/\s+/);
    fs.writeFileSync(anchor, `trust-anchors { . static-key ${flags} ${protocol} ${algorithm} "${key}"; };\n`);
    const words = ["@127.0.0.1", "-p", String(this.#resolverPort), "-a", anchor, "+root=.", name, type];
    const { stdout, stderr } = await run("delv", words).catch((error: { stdout: string; stderr: string }) => error);
    return /^; (.*)$/m.exec(stdout)?.[1] ?? (stderr.trim() || stdout.trim());
  }

  /** Where its resolver answers. */
  get resolver(): Server {
    return { host: "127.0.0.1", port: this.#resolverPort };
  }

  /** The lines of the resolver's log about validation. */
  failures(): readonly string[] {
    const log = this.#programs.find(({ name }) => name === "unbound")?.output() ?? "";
    return log.split("\n").filter((line) => line.includes("validation failure"));
  }

  async close(): Promise<void> {
    this.#socket?.close();
    for (const program of this.#programs) await program.stop();
    fs.rmSync(this.#folder, { recursive: true, force: true });
  }

  #file(name: string): string {
    return path.join(this.#folder, name);
  }

  #newKey(zone: string): string {
    return execFileSync("ldns-keygen", ["-a", "ECDSAP256SHA256", "-k", zone], {
      cwd: this.#folder,
      encoding: "utf8",
    }).trim();
  }

  #dnskey(of: "root" | "tld"): string {
    const [line = ""] = fs.readFileSync(this.#file(`${this.#keys[of]}.key`), "utf8").split(" ;");
    return line.replace(/^(\S+)\s+IN/, `$1 ${TTL} IN`);
  }

  #writeRoot(): void {
    const ds = fs.readFileSync(this.#file(`${this.#keys.tld}.ds`), "utf8").trim();
    this.#sign(".", "root", ["ns.root. IN A 127.0.0.1", `${TLD}. IN NS ns.${TLD}.`, `ns.${TLD}. IN A 127.0.0.1`, ds]);
  }

  #writeTld(): void {
    const zones = [...this.#ds].flatMap(([zone, ds]) => [
      `${zone}. IN NS ns.${zone}.`,
      `ns.${zone}. IN A 127.0.0.1`,
      ...ds.map((each) => `${zone}. IN DS ${each}`),
    ]);
    this.#sign(`${TLD}.`, "tld", [`ns.${TLD}. IN A 127.0.0.1`, ...zones]);
  }

  #sign(zone: string, name: "root" | "tld", lines: readonly string[]): void {
    const apex = zone === "." ? "root." : zone;
    const head = [
      `$TTL ${TTL}`,
      `${zone} IN SOA ns.${apex} h.${apex} ${Math.floor(Date.now() / 1000)} 3600 600 86400 ${TTL}`,
      `${zone} IN NS ns.${apex}`,
    ];
    fs.writeFileSync(this.#file(`${name}.zone`), [...head, ...lines, ""].join("\n"));
    execFileSync("ldns-signzone", ["-f", `${name}.new`, "-o", zone, `${name}.zone`, this.#keys[name]], {
      cwd: this.#folder,
      stdio: "pipe",
    });
    // Moved into its place: NSD never reads half of it.
    fs.renameSync(this.#file(`${name}.new`), this.#file(`${name}.signed`));
  }

  #runNsd(signed: readonly string[], plain: readonly string[]): void {
    const files = ["root.signed", "tld.signed"];
    const zones = [
      ...signed.map((zone, place) => ({ zone, file: files[place] })),
      ...plain.map((zone) => ({ zone: `${zone}.`, file: `${zone}.zone` })),
    ];
    const config = [
      "server:",
      '  username: ""',
      '  chroot: ""',
      `  zonesdir: "${this.#folder}"`,
      '  database: ""',
      `  pidfile: "${this.#file("nsd.pid")}"`,
      `  zonelistfile: "${this.#file("nsd.list")}"`,
      `  xfrdfile: "${this.#file("nsd.xfrd")}"`,
      `  xfrdir: "${this.#folder}"`,
      "  ip-address: 127.0.0.1",
      `  port: ${this.#nsdPort}`,
      "  server-count: 1",
      "  rrl-ratelimit: 0",
      "remote-control:",
      "  control-enable: no",
      ...zones.flatMap(({ zone, file }) => ["zone:", `  name: "${zone}"`, `  zonefile: "${file}"`]),
    ];
    fs.writeFileSync(this.#file("nsd.conf"), `${config.join("\n")}\n`);
    this.#run("nsd", "/usr/sbin/nsd", ["-d", "-c", this.#file("nsd.conf")]);
  }

  #runUnbound(zones: Readonly<Record<string, Server>>): void {
    const nsd = { host: "127.0.0.1", port: this.#nsdPort };
    const stubs = Object.entries({ "": nsd, [TLD]: nsd, ...zones });
    const config = [
      "server:",
      '  username: ""',
      '  chroot: ""',
      `  directory: "${this.#folder}"`,
      '  pidfile: ""',
      "  use-syslog: no",
      "  verbosity: 1",
      "  val-log-level: 2",
      "  interface: 127.0.0.1",
      `  port: ${this.#resolverPort}`,
      "  outgoing-interface: 127.0.0.1",
      "  do-ip6: no",
      "  do-not-query-localhost: no",
      '  module-config: "validator iterator"',
      `  trust-anchor: "${this.#dnskey("root")}"`,
      `  cache-max-ttl: ${TTL}`,
      `  cache-max-negative-ttl: ${TTL}`,
      `  val-bogus-ttl: ${TTL}`,
      "  num-threads: 1",
      "remote-control:",
      "  control-enable: no",
      ...stubs.flatMap(([zone, { host, port }]) => [
        "stub-zone:",
        `  name: "${zone}."`,
        `  stub-addr: ${host}@${port}`,
        "  stub-prime: no",
      ]),
    ];
    fs.writeFileSync(this.#file("unbound.conf"), `${config.join("\n")}\n`);
    this.#run("unbound", "/usr/sbin/unbound", ["-d", "-c", this.#file("unbound.conf")]);
  }

  #run(name: string, file: string, words: readonly string[]): void {
    const child = spawn(file, words, { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
    this.#programs.push({
      name,
      output: () => output,
      reload: () => void child.kill("SIGHUP"),
      stop: async () => {
        child.kill("SIGTERM");
        const late = setTimeout(() => child.kill("SIGKILL"), 5_000);
        await exited;
        clearTimeout(late);
      },
    });
  }

  async #connect(): Promise<void> {
    const socket = createSocket("udp4");
    // Before unbound listens, a question is refused.
    socket.on("error", () => {});
    socket.on("message", (bytes) => {
      const packet = decode(bytes);
      const known = this.#questions.get(packet.id ?? -1);
      this.#questions.delete(packet.id ?? -1);
      known?.({
        status: (packet as unknown as { rcode: string }).rcode,
        isSecure: packet.flag_ad,
        answers: (packet.answers ?? []).flatMap((answer) => ("data" in answer ? [String(answer.data)] : [])).sort(),
      });
    });
    await new Promise<void>((resolve) => socket.connect(this.#resolverPort, "127.0.0.1", resolve));
    this.#socket = socket;
  }
}

/** Data of the records that a server has of a name and type, by dig, in the order of bytes. */
export async function dig(
  { host, port }: Server,
  name: string,
  type: string,
  ...options: readonly string[]
): Promise<readonly string[]> {
  const words = [`@${host}`, "-p", String(port), "+short", "+norecurse", "+tries=1", "+time=2", "+nosplit", ...options];
  // It may not answer yet.
  const { stdout } = await run("dig", [...words, `${name}.`, type]).catch(() => ({ stdout: "no answer" }));
  return stdout.split("\n").filter(Boolean).sort();
}
