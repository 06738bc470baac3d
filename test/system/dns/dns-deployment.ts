// Everything that `selo start` runs, with a data folder of its own, and a key of DNS.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { RecordType } from "dns-packet";
import pg from "pg";
import { expect } from "vitest";
import { askDns } from "../../../src/adapters/nameserver/ask.ts";
import { recordText } from "../../../src/adapters/nameserver/record-text.ts";
import type { Reply } from "../../../src/adapters/resolver/message.ts";
import { urlsOf } from "../../../src/postgres/databases.ts";
import type { RecordBody, ZoneBody } from "../../services/dns/dns-stage.ts";
import { command } from "../../support/command.ts";
import { nameserverProgram, writeProgramFile } from "../../support/nameserver-stage.ts";
import { call, type RestResponse } from "../../support/rest-client.ts";
import {
  dataFolder,
  endPrograms,
  freePort,
  preparedDataFolder,
  processesIn,
  type SeloProcess,
  selo,
} from "../../support/selo-process.ts";

const READY = "Ctrl-C stops everything.";

export interface DeploymentOptions {
  /** Without it, there is no PowerDNS. */
  readonly hasNameserver?: boolean;
  /** Variables beyond the deployment's own. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Runs before it starts, with all variables: its data folder is still empty. */
  readonly prepare?: (environment: Readonly<Record<string, string>>) => Promise<void>;
}

export class DnsDeployment {
  /** The data folder. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly baseUrl: string;
  /** The one that runs, or ran last. */
  process: SeloProcess;
  /** Where PowerDNS answers; null without one. */
  #nameserver: { readonly host: string; readonly port: number } | null = null;
  #key = "";
  #org = 0;
  #isKilled = false;
  #began = new Date();
  readonly #remove: () => void;

  private constructor(environment: Readonly<Record<string, string>>, remove: () => void) {
    this.environment = environment;
    this.folder = environment["SELO_DATA_DIR"] ?? "";
    this.baseUrl = `http://127.0.0.1:${environment["PORT"]}`;
    this.#remove = remove;
    this.process = selo(["start"], environment);
  }

  /** Starts it. Resolves when it is ready. */
  static async open({
    hasNameserver = true,
    environment = {},
    prepare,
  }: DeploymentOptions = {}): Promise<DnsDeployment> {
    const folder = prepare === undefined ? preparedDataFolder() : dataFolder();
    const programs = fs.mkdtempSync(path.join(os.tmpdir(), "selo-program-"));
    // As root: the nameserver's user passes through.
    fs.chmodSync(programs, 0o711);
    const program = hasNameserver ? { PDNS_SERVER: writeProgramFile(await nameserverProgram(), programs) } : {};
    const given = {
      SELO_DATA_DIR: folder.path,
      PORT: String(await freePort()),
      SHUTDOWN_GRACE_SECONDS: "1",
      TOKEN_REQUESTS_PER_MINUTE: "10000000",
      ...program,
      ...environment,
    };
    await prepare?.(given);
    const deployment = new DnsDeployment(given, () => {
      folder.remove();
      fs.rmSync(programs, { recursive: true, force: true });
    });
    await deployment.#untilReady();
    return deployment;
  }

  /** kill -9 of everything but Postgres and PowerDNS, which are processes of their own. */
  async kill(): Promise<void> {
    this.process.child.kill("SIGKILL");
    await this.process.finished;
    this.#isKilled = true;
  }

  /** Starts it again, after a kill. */
  async start(): Promise<void> {
    this.#began = new Date();
    this.process = selo(["start"], this.environment);
    await this.#untilReady();
    this.#isKilled = false;
  }

  async #untilReady(): Promise<void> {
    await this.process.until(READY);
    const demo = JSON.parse(fs.readFileSync(path.join(this.folder, "demo.json"), "utf8"));
    this.#key = demo.dns_key;
    if (demo.nameserver !== null) {
      const { hostname: host, port } = new URL(`dns://${demo.nameserver}`);
      this.#nameserver = { host, port: Number(port) };
    }
    this.#org = (await call(this, "GET", "/me", { prefix: "/v1", token: this.#key })).body.org_id;
  }

  /** The demo organization's key of DNS. */
  get key(): string {
    return this.#key;
  }

  /** Makes a key of the organization with options of the command line, and answers its secret. */
  async newKey(...options: readonly string[]): Promise<string> {
    const words = ["dns-key", "create", "--org", String(this.#org), "--name", "test", ...options, "--json"];
    const { code, stdout, stderr } = await command(words, this.environment);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    return JSON.parse(stdout).secret;
  }

  /** A request; `path` begins below the organization. */
  ask(method: string, path: string, body?: object): Promise<RestResponse> {
    return call(this, method, `/orgs/${this.#org}${path}`, { prefix: "/v1", token: this.#key, body });
  }

  /** A change that is made, and that so many nameservers confirm. */
  async change(method: string, path: string, body?: object, confirmed: string | null = "1/1"): Promise<RestResponse> {
    const answer = await this.ask(method, path, body);
    expect({ status: answer.status, body: answer.body, confirmed: confirmedBy(answer) }).toEqual({
      status: expect.toSatisfy((status: number) => status >= 200 && status < 300),
      body: answer.body,
      confirmed,
    });
    return answer;
  }

  async zone(name: string, confirmed: string | null = "1/1"): Promise<ZoneBody> {
    return (await this.change("POST", "/zones", { name }, confirmed)).body;
  }

  async record(zone: ZoneBody, record: object, confirmed: string | null = "1/1"): Promise<RecordBody> {
    return (await this.change("POST", `/zones/${zone.id}/records`, record, confirmed)).body;
  }

  get nameserver(): { readonly host: string; readonly port: number } {
    if (this.#nameserver === null) throw new Error("the deployment has no nameserver");
    return this.#nameserver;
  }

  /** A question, sent once. */
  question(name: string, type: RecordType): Promise<Reply> {
    return askDns(this.nameserver, { name, type }, { attempts: 1 });
  }

  /** What the nameserver answers: contents in the order of bytes, or the status if it has none. */
  async dig(name: string, type: RecordType): Promise<readonly string[] | string> {
    return shown(await this.question(name, type));
  }

  /** What it answers when it does: null while it does not answer. */
  tryDig(name: string, type: RecordType): Promise<readonly string[] | string | null> {
    return this.dig(name, type).catch(() => null);
  }

  /** Addresses of its Postgres. */
  get urls(): ReturnType<typeof urlsOf> {
    const kept = (name: string) => fs.readFileSync(path.join(this.folder, name), "utf8").trim();
    return urlsOf({ host: "127.0.0.1", port: Number(kept("port")) }, kept("postgres-password"));
  }

  /** A statement as superuser; its rows. */
  async database(statement: string, values: readonly unknown[] = []): Promise<pg.QueryResult["rows"]> {
    const client = new pg.Client({ connectionString: this.urls.adminUrl });
    await client.connect();
    try {
      return (await client.query(statement, [...values])).rows;
    } finally {
      await client.end();
    }
  }

  /** Resolves when no job is under way or waits. */
  async untilIdle(): Promise<void> {
    // What a killed worker had taken stays locked for a while.
    const jobs = `select from graphile_worker.jobs where run_at <= now() + interval '1 minute' and (locked_at is null or locked_at >= $1)`;
    await expect.poll(async () => (await this.database(jobs, [this.#began])).length, { interval: 50 }).toBe(0);
  }

  /** The process of the PowerDNS that runs, or ran last. */
  powerDnsPid(): number {
    return Number(fs.readFileSync(path.join(this.folder, "nameserver-run/pdns.pid"), "utf8").split("\n")[0]);
  }

  /** Ends it and removes its data. Fails if a process is left. */
  async close(): Promise<void> {
    // What a kill has left is ended by those who started it.
    if (this.#isKilled) await this.start();
    await endPrograms();
    const left = processesIn(this.folder);
    this.#remove();
    expect(left).toEqual([]);
  }
}

/** How many nameservers have confirmed a change; null where the answer does not say so. */
export const confirmedBy = (answer: RestResponse): string | null => answer.headers.get("selo-nameservers");

/** An answer as `selo dig` shows it. */
function shown({ status, answers }: Reply): readonly string[] | string {
  return answers.length === 0 ? status : answers.map(recordText).sort();
}
