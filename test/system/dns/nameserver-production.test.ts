// `selo nameserver` as production runs it: a process with few secrets, its control over TLS, and its metrics.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { flushZones } from "../../../src/adapters/nameserver/control-client.ts";
import { parseExposition, type Scrape } from "../../support/exposition.ts";
import {
  addressesOf,
  addZone,
  type NameserverStage,
  nameserverProgram,
  nameserverStage,
  writeProgramFile,
} from "../../support/nameserver-stage.ts";
import { endPrograms, freePort, processesIn, selo } from "../../support/selo-process.ts";

const KEY = "k".repeat(32);
const TOKEN = "metrics-token-of-the-test";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-nameserver-production-"));
let stage: NameserverStage;
let environment: Readonly<Record<string, string>>;
beforeAll(async () => {
  // As root: the nameserver's user passes through.
  fs.chmodSync(folder, 0o711);
  stage = await nameserverStage();
  await addZone(stage.database.admin, 1, "example.com", "192.0.2.1");
  const [cert, key] = ["control.pem", "control.key"].map((name) => path.join(folder, name)) as [string, string];
  execFileSync(
    "openssl",
    [
      "req",
      "-x509",
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:P-256",
      "-noenc",
      "-days",
      "2",
      "-subj",
      "/CN=ns",
    ].concat(["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", cert]),
    { stdio: "pipe" },
  );
  // Neither a master key nor another login: it stands where the world reaches it.
  environment = {
    NODE_ENV: "production",
    SELO_DATA_DIR: path.join(folder, "data"),
    PDNS_SERVER: writeProgramFile(await nameserverProgram(), folder),
    DATABASE_DNS_URL: stage.url("tcp"),
    NAMESERVER_PORT: String(await freePort()),
    NAMESERVER_CONTROL_PORT: String(await freePort()),
    NAMESERVER_CONTROL_KEY: KEY,
    NAMESERVER_CONTROL_TLS_CERT: cert,
    NAMESERVER_CONTROL_TLS_KEY: key,
    METRICS_PORT: String(await freePort()),
    METRICS_TOKEN: TOKEN,
  };
}, 400_000);
afterEach(endPrograms);
afterAll(async () => {
  await stage?.close();
  const left = processesIn(folder);
  fs.rmSync(folder, { recursive: true, force: true });
  expect(left).toEqual([]);
});

const metrics = (token: string | null) =>
  fetch(`http://127.0.0.1:${environment["METRICS_PORT"]}/metrics`, {
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
  });
async function scrape(): Promise<Scrape> {
  const answer = await metrics(TOKEN);
  expect(answer.status).toBe(200);
  return parseExposition(await answer.text());
}

test("it runs without the master key and the gateway's login, with its control over TLS, and shows metrics to those with the token", async () => {
  const started = selo(["nameserver", "--json"], environment);
  const { address, control_url: url } = JSON.parse(await started.until("\n"));
  expect(url).toBe(`https://127.0.0.1:${environment["NAMESERVER_CONTROL_PORT"]}`);
  const port = Number(new URL(`dns://${address}`).port);
  const at = { urls: [url], key: KEY, ca: fs.readFileSync(environment["NAMESERVER_CONTROL_TLS_CERT"] ?? "", "utf8") };

  expect((await metrics(null)).status).toBe(401);
  expect((await metrics(`${TOKEN}x`)).status).toBe(401);
  expect((await fetch(`http://127.0.0.1:${environment["METRICS_PORT"]}/healthz`)).status).toBe(200);

  const before = await scrape();
  expect(before.value("selo_dns_zones")).toBe(1);
  expect(before.value("selo_dns_zones_told_total", { outcome: "forgotten" })).toBe(0);
  for (let time = 0; time < 10; time++) expect(await addressesOf(port, "www.example.com")).toEqual(["192.0.2.1"]);
  expect(await flushZones(at, ["example.com", "example.net"])).toEqual({ confirmed: 1, of: 1 });
  expect(await addressesOf(port, "www.example.com")).toEqual(["192.0.2.1"]);
  const after = await scrape();
  const grew = (name: string, labels: Readonly<Record<string, string>> = {}) =>
    (after.value(name, labels) ?? 0) - (before.value(name, labels) ?? 0);
  expect(grew("selo_dns_queries")).toBe(11);
  expect(grew("selo_dns_cache_lookups", { cache: "packet", outcome: "hit" })).toBe(9);
  expect(grew("selo_dns_cache_lookups", { cache: "packet", outcome: "miss" })).toBe(2);
  expect(grew("selo_dns_cache_lookups", { cache: "query", outcome: "miss" })).toBeGreaterThan(0);
  expect(after.value("selo_dns_cache_entries", { cache: "packet" })).toBe(1);
  expect(after.value("selo_dns_failures")).toBe(0);
  expect(after.value("selo_dns_answer_seconds")).toBeLessThan(1);
  expect(after.value("selo_dns_zones_told_total", { outcome: "forgotten" })).toBe(2);
  expect(after.value("process_cpu_seconds_total")).toBeGreaterThan(0);

  // What PowerDNS does not say is absent, or counted as failed: no old figure and no zero.
  const stopped = Number(fs.readFileSync(path.join(folder, "data/nameserver-run/pdns.pid"), "utf8").split("\n")[0]);
  process.kill(stopped, "SIGSTOP");
  try {
    expect(await flushZones(at, ["example.com"], AbortSignal.timeout(500))).toEqual({ confirmed: 0, of: 1 });
    const away = await scrape();
    for (const name of ["selo_dns_queries", "selo_dns_zones", "selo_dns_cache_entries", "selo_dns_cache_lookups"])
      expect([name, away.has(name)]).toEqual([name, false]);
    // The control server has given up by then.
    const failed = async () => (await scrape()).value("selo_dns_zones_told_total", { outcome: "failed" });
    await expect.poll(failed, { interval: 100 }).toBe(1);
  } finally {
    process.kill(stopped, "SIGCONT");
  }

  started.child.kill("SIGTERM");
  expect(await started.finished).toMatchObject({ code: 0 });
  await expect(metrics(TOKEN)).rejects.toThrow();
}, 400_000);

test("production demands its login, its key and both files of TLS, and says so", async () => {
  const refused = async (changed: Readonly<Record<string, string>>) => {
    const { code, stderr } = await selo(["nameserver", "--json"], { ...environment, ...changed }).finished;
    expect(code).toBe(1);
    return stderr;
  };
  expect(await refused({ DATABASE_DNS_URL: "" })).toContain("DATABASE_DNS_URL: must be set for the nameserver");
  expect(await refused({ NAMESERVER_CONTROL_KEY: "" })).toContain("NAMESERVER_CONTROL_KEY: must be set");
  expect(await refused({ NAMESERVER_CONTROL_TLS_KEY: "" })).toContain("NAMESERVER_CONTROL_TLS_KEY: must be set");
  expect(
    await refused({
      NAMESERVER_CONTROL_ADDRESS: "0.0.0.0",
      NAMESERVER_CONTROL_TLS_CERT: "",
      NAMESERVER_CONTROL_TLS_KEY: "",
    }),
  ).toContain("NAMESERVER_CONTROL_ADDRESS: 0.0.0.0 is beyond loopback");
  expect(processesIn(path.join(folder, "data"))).toEqual([]);
}, 400_000);
