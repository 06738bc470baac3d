/** What benchmarks of DNS run beside a gateway: `selo nameserver` as a separate process, with PowerDNS, and a key of an organization. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import readline from "node:readline";
import { PowerDns } from "../../src/adapters/nameserver/power-dns.ts";
import type { DnsServer } from "../../src/adapters/resolver/exchange.ts";
import { Operator } from "../../src/postgres/operator/operator.ts";
import { issueKey } from "../../src/services/dns/store.ts";
import { newOrganization } from "../support/gateway.ts";
import { writeProgramFile } from "../support/nameserver-stage.ts";
import { type BenchGateway, PROGRAM, startBenchGateway } from "./bench-gateway.ts";
import { powerDnsProgram } from "./nameserver-programs.ts";

export interface DnsAnswer {
  readonly text: string;
  /** How many nameservers have confirmed a change: `1/1`. Null if the gateway knows no nameserver. */
  readonly confirmed: string | null;
}

export interface DnsBench {
  readonly gateway: BenchGateway;
  readonly nameserver: DnsServer;
  /** The process that answers questions. */
  readonly powerDnsPid: number;
  readonly powerDns: PowerDns;
  /** A request; `path` begins below the organization. Fails for an answer that is not 2xx. */
  ask(method: string, path: string, body?: object): Promise<DnsAnswer>;
  /** A zone with the records of a file; its id. */
  importZone(name: string, file: string): Promise<number>;
  /** Another nameserver on the same Postgres, and a gateway that tells both. */
  startSecond(): Promise<SecondNameserver>;
  /** While false, the gateway knows no nameserver. */
  tellNameserver(isTold: boolean): void;
  stop(): Promise<void>;
}

export interface SecondNameserver {
  readonly nameserver: DnsServer;
  readonly powerDnsPid: number;
  /** As {@link DnsBench.ask}, by the gateway that tells both. */
  ask(method: string, path: string, body?: object): Promise<DnsAnswer>;
}

/** @param more variables of the gateway, the nameserver and the worker */
export async function startDnsBench(more: Readonly<Record<string, string>> = {}): Promise<DnsBench> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-bench-dns-"));
  // As root: the nameserver's user passes through.
  fs.chmodSync(folder, 0o711);
  const ends: (() => Promise<void> | void)[] = [() => fs.rmSync(folder, { recursive: true, force: true })];
  const stop = async () => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  try {
    // Gateway and nameserver share the folder, so the gateway finds there where changes are told.
    const environment = { SELO_DATA_DIR: folder, NAMESERVER_NAMES: "ns1.selo.test,ns2.selo.test", ...more };
    const gateway = await startBenchGateway(environment);
    ends.push(() => gateway.stop());
    const { child, ...first } = await startNameserver(gateway, folder, environment);
    ends.push(() => ended(child));
    const operator = await Operator.connect(gateway.adminUrl);
    ends.push(() => operator.close());
    const organization = await newOrganization(operator, { plan: "business" });
    const { secret } = await issueKey(operator, organization.id, "bench");
    const askAt = async (url: string, method: string, pathBelow: string, body?: object): Promise<DnsAnswer> => {
      const response = await fetch(`${url}/v1/orgs/${organization.number}${pathBelow}`, {
        method,
        headers: { authorization: `Bearer ${secret}`, ...(body ? { "content-type": "application/json" } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${pathBelow}: ${response.status} ${text.slice(0, 300)}`);
      return { text, confirmed: response.headers.get("selo-nameservers") };
    };
    const ask = (method: string, pathBelow: string, body?: object) => askAt(gateway.url, method, pathBelow, body);
    const control = path.join(folder, "nameserver-control.json");
    const told = fs.readFileSync(control, "utf8");
    const untold = JSON.stringify({ ...JSON.parse(told), url: null });
    const run = path.join(folder, "nameserver-run");
    return {
      gateway,
      nameserver: first.nameserver,
      powerDnsPid: powerDnsPid(folder),
      powerDns: powerDnsOf(run),
      ask,
      importZone: async (name, file) => {
        const { id } = JSON.parse((await ask("POST", "/zones", { name })).text) as { readonly id: number };
        const { text } = await ask("POST", `/zones/${id}/import`, { bind_file: file });
        const { skipped } = JSON.parse(text) as { readonly skipped: number };
        if (skipped > 0) throw new Error(`the import into ${name} skipped ${skipped} records: ${text.slice(0, 300)}`);
        return id;
      },
      startSecond: async () => {
        const own = path.join(folder, "second");
        fs.mkdirSync(own, { mode: 0o711 });
        const key = { NAMESERVER_CONTROL_KEY: (JSON.parse(told) as { readonly key: string }).key };
        const second = await startNameserver(gateway, own, { ...environment, ...key, SELO_DATA_DIR: own });
        ends.push(() => ended(second.child));
        const urls = `${first.controlUrl},${second.controlUrl}`;
        const url = await gateway.startAnother({ ...key, NAMESERVER_CONTROL_URLS: urls });
        return {
          nameserver: second.nameserver,
          powerDnsPid: powerDnsPid(own),
          ask: (method, pathBelow, body) => askAt(url, method, pathBelow, body),
        };
      },
      tellNameserver: (isTold) => fs.writeFileSync(control, isTold ? told : untold),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startNameserver(
  gateway: BenchGateway,
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<{ readonly child: ChildProcess; readonly nameserver: DnsServer; readonly controlUrl: string }> {
  const child = spawn("node", [PROGRAM, "nameserver", "run", "--json"], {
    env: {
      ...process.env,
      ...environment,
      DATABASE_DNS_URL: gateway.loginUrl("selo_dns"),
      PDNS_SERVER: writeProgramFile(await powerDnsProgram(), folder),
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = readline.createInterface(child.stdout)[Symbol.asyncIterator]();
  const { value = "" } = await lines.next();
  if (value === "") throw new Error("the nameserver does not start");
  const { address, control_url: controlUrl } = JSON.parse(value) as { address: string; control_url: string };
  const { hostname: host, port } = new URL(`dns://${address}`);
  return { child, nameserver: { host, port: Number(port) }, controlUrl };
}

const powerDnsPid = (folder: string): number =>
  Number(fs.readFileSync(path.join(folder, "nameserver-run/pdns.pid"), "utf8").split("\n")[0]);

async function ended(child: ChildProcess): Promise<void> {
  child.kill("SIGTERM");
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}

/** The running PowerDNS, with the key from its settings. */
function powerDnsOf(runFolder: string): PowerDns {
  const settings = fs.readFileSync(path.join(runFolder, "config/pdns.conf"), "utf8");
  const settingOf = (name: string) => new RegExp(`^${name}=(.*)$`, "m").exec(settings)?.[1] ?? "";
  return new PowerDns(Number(settingOf("webserver-port")), settingOf("api-key"), settingOf("socket-dir"));
}
