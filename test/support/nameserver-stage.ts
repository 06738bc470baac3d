// A PowerDNS as `selo nameserver install` brings it, on a database with the tables that it reads.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type pg from "pg";
import { askDns } from "../../src/adapters/nameserver/ask.ts";
import { connectionOf } from "../../src/adapters/nameserver/connection.ts";
import { installNameserver } from "../../src/adapters/nameserver/install.ts";
import { Nameserver, type NameserverOptions } from "../../src/adapters/nameserver/nameserver.ts";
import type { NameserverProgram } from "../../src/adapters/nameserver/program.ts";
import type { Reply } from "../../src/adapters/resolver/message.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";

/** Installed once for all tests of this machine, and kept: it comes from the network. */
const SHARED = path.join(os.tmpdir(), "selo-test-nameserver");

/** The program; fetched if it is not there yet. */
export async function nameserverProgram(): Promise<NameserverProgram> {
  for (;;) {
    try {
      const options = { dataDir: SHARED, given: null, environment: process.env, log: () => {} };
      return (await installNameserver(options)).program;
    } catch (error) {
      // Another test file fetches it.
      if (!/already in use/.test(String(error))) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

/**
 * Writes a file that runs it as a system's own does, with its libraries and modules: for PDNS_SERVER.
 * @param folder one that the nameserver's user passes through
 */
export function writeProgramFile({ program, options, env }: NameserverProgram, folder: string): string {
  const file = path.join(folder, "pdns_server");
  const libraries = env["LD_LIBRARY_PATH"] ?? "";
  fs.writeFileSync(file, `#!/bin/sh\nLD_LIBRARY_PATH=${libraries} exec ${program} ${options.join(" ")} "$@"\n`, {
    mode: 0o755,
  });
  return file;
}

/** The proxies of this machine: apt uses them. */
export function proxies(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      /^(http|https|no)_proxy$/i.test(name) && value !== undefined ? [[name, value]] : [],
    ),
  );
}

const TABLES = `
create schema pdns;
create table pdns.domains (id int primary key, name text not null unique, master text, last_check int, type text not null default 'NATIVE',
  notified_serial bigint, account text, options text, catalog text);
create table pdns.records (id int generated always as identity primary key, domain_id int not null references pdns.domains on delete cascade,
  name text not null, type text, content text, ttl int, prio int, disabled boolean not null default false, ordername text, auth boolean not null default true);
create index on pdns.records (name, type);
create index on pdns.records (domain_id, name);
create table pdns.cryptokeys (id int primary key, domain_id int not null references pdns.domains on delete cascade, flags int not null, active boolean,
  published boolean, content text);
create table pdns.domainmetadata (id int primary key, domain_id int not null references pdns.domains on delete cascade, kind text, content text);
`;

/** A zone with its SOA, and an address of `www`. */
export async function addZone(admin: pg.Pool, id: number, name: string, address: string): Promise<void> {
  await admin.query(
    `with d as (insert into pdns.domains (id, name) values ($1, $2))
     insert into pdns.records (domain_id, name, type, content, ttl, ordername) values
       ($1, $2, 'SOA', 'ns1.selo.test. hostmaster.selo.test. 1 10800 3600 604800 300', 300, ''),
       ($1, $2, 'NS', 'ns1.selo.test', 300, ''), ($1, 'www.' || $2, 'A', $3, 300, 'www')`,
    [id, name, address],
  );
}

export interface NameserverStage {
  readonly database: TestDatabase;
  readonly folder: string;
  /** Lines of the log. */
  readonly messages: string[];
  /** The address of the login, over the socket of Postgres or over TCP. */
  readonly url: (way: "socket" | "tcp") => string;
  readonly options: NameserverOptions;
  /** The process of the PowerDNS that runs, or ran last. */
  readonly pid: () => number;
  start(given?: Partial<NameserverOptions>): Promise<Nameserver>;
  close(): Promise<void>;
}

/** Prepares tables, a login and a data folder; starts nothing. */
export async function nameserverStage(): Promise<NameserverStage> {
  const program = await nameserverProgram();
  const database = await createTestDatabase({ empty: true });
  const login = `dns_${database.name}`;
  await database.admin.query(
    `${TABLES} create role ${login} login password 'it''s:secret'; grant usage on schema pdns to ${login};
     grant select on all tables in schema pdns to ${login}`,
  );
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-nameserver-"));
  // As root: the nameserver's user passes through.
  fs.chmodSync(folder, 0o711);
  const url = (way: "socket" | "tcp") => {
    const address = new URL(database.adminUrl);
    address.username = login;
    address.password = encodeURIComponent("it's:secret");
    if (way === "socket") return address.href;
    return address.href.replace(`@${address.host}`, `@127.0.0.1:${address.port}`);
  };
  const messages: string[] = [];
  const options = {
    dataDir: path.join(folder, "data"),
    program,
    connection: connectionOf(url("tcp")),
    addresses: ["127.0.0.1"],
    port: null,
    log: (message: string) => void messages.push(message),
  };
  const started: Nameserver[] = [];
  return {
    database,
    folder,
    messages,
    url,
    options,
    pid: () => Number(fs.readFileSync(path.join(options.dataDir, "nameserver-run/pdns.pid"), "utf8").split("\n")[0]),
    start: async (given = {}) => {
      const nameserver = await Nameserver.start({ ...options, ...given });
      started.push(nameserver);
      return nameserver;
    },
    close: async () => {
      for (const each of started) await each.stop();
      await database.admin.query(`drop owned by ${login}; drop role ${login}`);
      await database.drop();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The addresses of a name, or the status if there is none. */
export async function addressesOf(port: number, name: string): Promise<readonly string[] | string> {
  const reply: Reply = await askDns({ host: "127.0.0.1", port }, { name, type: "A" });
  return reply.status === "NOERROR" ? reply.answers.map(({ data }) => String(data)) : reply.status;
}
