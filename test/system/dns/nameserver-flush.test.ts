// Changes are seen from the first question after a flush on, while others ask for the same names; and who may ask for a flush.
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { flushZones, purgeZones } from "../../../src/adapters/nameserver/control-client.ts";
import { type ControlServer, startControl } from "../../../src/adapters/nameserver/control-server.ts";
import type { Nameserver } from "../../../src/adapters/nameserver/nameserver.ts";
import { RunFolder } from "../../../src/adapters/nameserver/run-folder.ts";
import { byLane } from "../../support/lane.ts";
import { addressesOf, addZone, type NameserverStage, nameserverStage } from "../../support/nameserver-stage.ts";

/** While others ask for what changes. */
const CHANGES = byLane({ lane: 100, full: 1_000 });
const KEY = "k".repeat(32);
let stage: NameserverStage;
let nameserver: Nameserver;
let control: ControlServer;
beforeAll(async () => {
  stage = await nameserverStage();
  nameserver = await stage.start();
  control = await startControl({
    address: "127.0.0.1",
    port: 0,
    key: KEY,
    tls: null,
    powerDns: () => nameserver.powerDns,
    log: stage.options.log,
  });
}, 400_000);
afterAll(async () => {
  await control?.close();
  await stage?.close();
});
beforeEach(async () => {
  await stage.database.admin.query("delete from pdns.domains");
  await addZone(stage.database.admin, 1, "example.com", "192.0.2.1");
  const headers = { authorization: `Bearer ${KEY}` };
  const forgotten = await fetch(`${control.url}/purge-all`, { method: "POST", headers, body: "{}" });
  expect(forgotten.status).toBe(204);
});

const at = (...urls: string[]) => ({ urls, key: KEY, ca: null });
const ask = (name: string) => addressesOf(nameserver.port, name);
/** However slow the machine is: what a caller waits for after a change is tested apart. */
const flush = (...zones: string[]) => flushZones(at(control.url), zones, AbortSignal.timeout(60_000));
const change = (address: string, names = "www.%") =>
  stage.database.admin.query("update pdns.records set content = $1 where type = 'A' and name like $2", [
    address,
    names,
  ]);

test("flushes and purges write nothing into the log of PowerDNS, which would grow with every change", async () => {
  const { log } = new RunFolder(stage.options.dataDir);
  // What it had to say before it served the zone.
  expect(await ask("www.example.com")).toEqual(["192.0.2.1"]);
  const before = fs.readFileSync(log, "utf8");
  for (let time = 0; time < 10; time++) {
    expect(await flush("example.com")).toEqual({ confirmed: 1, of: 1 });
    expect(await purgeZones(at(control.url), ["example.com"])).toEqual({ confirmed: 1, of: 1 });
  }
  expect(fs.readFileSync(log, "utf8")).toBe(before);
}, 400_000);

test(`0 of ${CHANGES} changes are stale after their flush, while the same ten names are asked 2,000 times a second`, async () => {
  await stage.database.admin.query(
    `insert into pdns.records (domain_id, name, type, content, ttl)
     select 1, 'h' || n || '.example.com', 'A', '192.0.2.1', 300 from generate_series(0, 9) n`,
  );
  const names = Array.from({ length: 10 }, (_, n) => `h${n}.example.com`);
  const program = path.resolve(import.meta.dirname, "../../support/dns-load.ts");
  const load = spawn(process.execPath, [program, String(nameserver.port), "2000", ...names], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface(load.stdout)[Symbol.asyncIterator]();
  await lines.next();
  const stale: string[] = [];
  const look = async (when: string, address: string) => {
    const found = await Promise.all(names.map(ask));
    if (found.some((each) => each[0] !== address)) stale.push(`${address} ${when}`);
  };
  for (let number = 1; number <= CHANGES; number++) {
    const address = `10.0.${number >> 8}.${number & 255}`;
    await change(address, "h%");
    expect(await flush("example.com")).toEqual({ confirmed: 1, of: 1 });
    await look("at once", address);
    // An old answer that came into a cache later would stay there for a minute.
    await sleep(5);
    await look("later", address);
  }
  load.stdin.end();
  const { answers } = JSON.parse((await lines.next()).value ?? "{}") as { answers: number };
  expect(stale).toEqual([]);
  // Others asked between each change and the next, however fast the machine is.
  expect(answers).toBeGreaterThan(2 * CHANGES);
}, 400_000);

test("without a flush the old answer stays: the caches are on", async () => {
  expect(await ask("www.example.com")).toEqual(["192.0.2.1"]);
  await change("192.0.2.2");
  expect(await ask("www.example.com")).toEqual(["192.0.2.1"]);
  expect(await flush("example.com")).toEqual({ confirmed: 1, of: 1 });
  expect(await ask("www.example.com")).toEqual(["192.0.2.2"]);
});

test("a new zone is known after its flush, and a deleted one unknown", async () => {
  expect(await ask("www.example.net")).toBe("REFUSED");
  await addZone(stage.database.admin, 2, "example.net", "192.0.2.9");
  expect(await ask("www.example.net")).toBe("REFUSED");
  await flush("example.net");
  expect(await ask("www.example.net")).toEqual(["192.0.2.9"]);
  await stage.database.admin.query("delete from pdns.domains where id = 2");
  await flush("example.net");
  expect(await ask("www.example.net")).toBe("REFUSED");
});

test("nameservers that start at the same moment choose the same port, and then another: all answer", async () => {
  const others = [await nameserverStage(), await nameserverStage()];
  try {
    for (const other of others) await addZone(other.database.admin, 1, "example.com", "192.0.2.1");
    const started = await Promise.all(others.map((other) => other.start()));
    expect(new Set([nameserver, ...started].map(({ port }) => port)).size).toBe(3);
    for (const { port } of started) expect(await addressesOf(port, "www.example.com")).toEqual(["192.0.2.1"]);
  } finally {
    for (const other of others) await other.close();
  }
}, 400_000);

test("a purge forgets, too", async () => {
  expect(await ask("www.example.com")).toEqual(["192.0.2.1"]);
  await change("192.0.2.2");
  expect(await purgeZones(at(control.url), ["example.com"])).toEqual({ confirmed: 1, of: 1 });
  expect(await ask("www.example.com")).toEqual(["192.0.2.2"]);
});

test("many zones in one request, and many requests for one zone at once", async () => {
  for (let id = 2; id <= 60; id++) await addZone(stage.database.admin, id, `z${id}.test`, "192.0.2.1");
  const added = Array.from({ length: 59 }, (_, n) => `z${n + 2}.test`);
  expect(await flush(...added)).toEqual({ confirmed: 1, of: 1 });
  for (let id = 2; id <= 60; id++) expect(await ask(`www.z${id}.test`)).toEqual(["192.0.2.1"]);
  const both = await Promise.all(
    Array.from({ length: 50 }, async (_, n) => {
      await change(`10.1.0.${n}`, "www.z2.test");
      return flush("z2.test");
    }),
  );
  expect(both.every(({ confirmed }) => confirmed === 1)).toBe(true);
  const stored = await stage.database.admin.query<{ content: string }>(
    "select content from pdns.records where name = 'www.z2.test'",
  );
  expect(await ask("www.z2.test")).toEqual([stored.rows[0]?.content]);
});

describe("who does not confirm", () => {
  test("a nameserver that is away, one that hangs, and one with another key", async () => {
    const urls = [control.url, "http://127.0.0.1:1"];
    expect(await flushZones(at(...urls), ["example.com"])).toEqual({ confirmed: 1, of: 2 });
    expect(await flushZones({ ...at(control.url), key: "x".repeat(32) }, ["example.com"])).toEqual({
      confirmed: 0,
      of: 1,
    });
  });

  test("a PowerDNS that was stopped: the caller goes on after the deadline, and the next flush works", async () => {
    const pid = stage.pid();
    process.kill(pid, "SIGSTOP");
    try {
      expect(await flushZones(at(control.url), ["example.com"], AbortSignal.timeout(500))).toEqual({
        confirmed: 0,
        of: 1,
      });
    } finally {
      process.kill(pid, "SIGCONT");
    }
    expect(await flush("example.com")).toEqual({ confirmed: 1, of: 1 });
  });
});

describe("the control server", () => {
  const post = (body: unknown, given: RequestInit & { path?: string } = {}) =>
    fetch(`${control.url}${given.path ?? "/flush"}`, {
      method: "POST",
      headers: { authorization: `Bearer ${KEY}` },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      ...given,
    }).then(({ status }) => status);

  test.each([
    ["no key", 401, { zones: ["a.test"] }, { headers: {} }],
    ["another key", 401, { zones: ["a.test"] }, { headers: { authorization: `Bearer ${KEY}x` } }],
    ["an unknown path", 404, { zones: ["a.test"] }, { path: "/api/v1/servers" }],
    ["another method", 405, { zones: ["a.test"] }, { method: "PUT" }],
    ["no JSON", 400, "{", {}],
    ["no zone", 400, { zones: [] }, {}],
    ["an unknown member", 400, { zones: ["a.test"], all: true }, {}],
    ["a name that says more to PowerDNS", 400, { zones: ["a.test$\nQUIT"] }, {}],
    ["more than 1,000 zones", 400, { zones: Array.from({ length: 1_001 }, (_, n) => `z${n}.test`) }, {}],
    ["a huge body", 413, { zones: ["a".repeat(400_000)] }, {}],
    ["a purge of everything without the key", 401, {}, { path: "/purge-all", headers: {} }],
    ["a purge of everything by another method", 405, {}, { path: "/purge-all", method: "PUT" }],
    ["a purge of everything", 204, {}, { path: "/purge-all" }],
    ["its state without the key", 401, undefined, { path: "/state", method: "GET", headers: {} }],
    ["its state", 200, undefined, { path: "/state", method: "GET" }],
    ["1,000 zones", 204, { zones: Array.from({ length: 1_000 }, () => "example.com") }, {}],
  ])("%s: %d", async (_, status, body, given) => {
    expect(await post(body, given)).toBe(status);
  });

  test("beyond loopback it needs TLS", async () => {
    const options = { port: 0, key: KEY, tls: null, powerDns: () => null, log: () => {} };
    await expect(startControl({ ...options, address: "0.0.0.0" })).rejects.toThrow(
      "NAMESERVER_CONTROL_ADDRESS: 0.0.0.0 is beyond loopback",
    );
  });
});
