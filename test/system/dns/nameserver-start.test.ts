// The nameserver beside `selo start`: the install line, an install while it runs, kills, `selo dig`, `selo nameserver status`.
import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { RunFolder } from "../../../src/adapters/nameserver/run-folder.ts";
import { treeFolder } from "../../../src/adapters/nameserver/tree-folder.ts";
import { command, commandJson } from "../../support/command.ts";
import { addZone, nameserverStage, proxies, writeProgramFile } from "../../support/nameserver-stage.ts";
import { call } from "../../support/rest-client.ts";
import { endPrograms, freePort, preparedDataFolder, processesIn, selo, seloJson } from "../../support/selo-process.ts";

const folder = preparedDataFolder();
const READY = "Ctrl-C stops everything.";
let environment: Record<string, string>;
const keptPort = await freePort();
beforeAll(async () => {
  environment = { SELO_DATA_DIR: folder.path, PORT: String(await freePort()), SHUTDOWN_GRACE_SECONDS: "1" };
  // Kept from an earlier start, or a nameserver of another test might take the port between a kill and the next start.
  new RunFolder(folder.path).keepPort(keptPort);
});
afterEach(endPrograms);
afterAll(async () => {
  await endPrograms();
  const left = processesIn(folder.path);
  folder.remove();
  expect(left).toEqual([]);
});

const demo = () => JSON.parse(fs.readFileSync(path.join(folder.path, "demo.json"), "utf8")) as Record<string, unknown>;
/** Of the nameserver that runs on the data folder; null without one. */
function nameserverPid(): number | null {
  const [pid = ""] = fs.readFileSync(path.join(folder.path, "nameserver-run", "pdns.pid"), "utf8").split("\n");
  return fs.existsSync(`/proc/${pid}`) ? Number(pid) : null;
}

async function until(what: () => unknown, patience = 60_000): Promise<void> {
  for (const deadline = performance.now() + patience; !(await what()); await sleep(50))
    if (performance.now() > deadline) throw new Error("waited in vain");
}

/** Makes a zone with the printed key, before the nameserver is installed. */
async function makeZone(): Promise<void> {
  const selo = { baseUrl: `http://127.0.0.1:${environment["PORT"]}` };
  const request = { prefix: "/v1", token: String(demo()["dns_key"]) };
  const { org_id: org } = (await call(selo, "GET", "/me", request)).body;
  const zone = await call(selo, "POST", `/orgs/${org}/zones`, { ...request, body: { name: "example.com" } });
  expect(zone.status).toBe(201);
  const body = { name: "www", type: "A", content: "192.0.2.7" };
  const record = await call(selo, "POST", `/orgs/${org}/zones/${zone.body.id}/records`, { ...request, body });
  expect(record.status).toBe(201);
}

test("the install line, an install that is noticed, answers, kills, and a second start", {
  timeout: 400_000,
}, async () => {
  const started = selo(["start"], environment);
  expect(await started.until(READY)).toContain("nameserver not installed: npm run -s selo -- nameserver install\n");
  expect(demo()).toMatchObject({ nameserver: null, dns_key: expect.stringMatching(/^dns_/) });
  expect(await commandJson(["nameserver", "status"], environment)).toEqual({ program: null, control: [] });
  expect((await command(["dig", "www.example.com"], environment)).stderr).toContain("No nameserver");
  await makeZone();

  const installed = await seloJson<{ program: string }>(["nameserver", "install"], {
    ...environment,
    ...proxies(),
  });
  expect(installed.program).toContain(fs.realpathSync(treeFolder(folder.path)));
  await until(() => demo()["nameserver"] !== null);
  const address = demo()["nameserver"];
  expect(address).toBe(`127.0.0.1:${keptPort}`);
  const dig = async (...args: string[]) => (await command(["dig", ...args], environment)).stdout;
  expect(await dig("www.example.com")).toBe("192.0.2.7\n");
  expect(await dig("example.com", "soa")).toMatch(/^ns\d\.selo\.test\. \S+\. \d+ /);
  expect(await dig("nothing.example.com", "--server", String(address))).toBe("; NXDOMAIN, no answer\n");
  expect(await commandJson(["nameserver", "status"], environment)).toMatchObject({
    program: { program: installed.program },
    control: [{ state: "ok" }],
  });
  expect(fs.statSync(path.join(folder.path, "nameserver-control.json")).mode & 0o777).toBe(0o600);

  // kill -9 of everything's process: PowerDNS goes on, and the next start serves on the same port.
  const orphan = nameserverPid();
  started.child.kill("SIGKILL");
  await started.finished;
  expect(nameserverPid()).toBe(orphan);
  expect(await dig("www.example.com")).toBe("192.0.2.7\n");
  // A demo.json of an earlier version knows no nameserver.
  const { nameserver: _, ...older } = demo();
  fs.writeFileSync(path.join(folder.path, "demo.json"), JSON.stringify(older));
  const again = selo(["start"], environment);
  // No change that the gateway confirms is unknown to the nameserver of before, because that has ended.
  const answers = () => fetch(`http://127.0.0.1:${environment["PORT"]}/readyz`).catch(() => null);
  await until(async () => (await answers())?.status === 200);
  expect(nameserverPid()).not.toBe(orphan);
  expect(await again.until(READY)).toContain(`nameserver dns://${address}\n`);
  expect(demo()["nameserver"]).toBe(address);
  expect(await dig("www.example.com")).toBe("192.0.2.7\n");
  again.child.kill("SIGTERM");
  expect(await again.finished).toMatchObject({ code: 0, stderr: "" });
  expect(processesIn(folder.path)).toEqual([]);
});

test("`selo nameserver` runs alone, with its own database, until a signal", { timeout: 120_000 }, async () => {
  const stage = await nameserverStage();
  const dataDir = path.join(stage.folder, "alone");
  try {
    await addZone(stage.database.admin, 1, "example.com", "192.0.2.8");
    const without = await command(["nameserver"], { SELO_DATA_DIR: dataDir });
    expect(without).toMatchObject({ code: 1, stderr: expect.stringContaining("The nameserver is not installed") });
    const wrapper = writeProgramFile(stage.options.program, stage.folder);
    const alone = { SELO_DATA_DIR: dataDir, PDNS_SERVER: wrapper };
    const production = {
      NODE_ENV: "production",
      PUBLIC_URL: "https://selo.example",
      SELO_MASTER_KEY: "11".repeat(32),
      STORAGE_FOLDER: dataDir,
    };
    const given = { ...alone, ...production, DATABASE_URL: stage.url("tcp"), DATABASE_DNS_URL: stage.url("tcp") };
    const refused = await Promise.all([alone, given].map((environment) => selo(["nameserver"], environment).finished));
    expect(refused[0]?.stderr).toContain("DATABASE_DNS_URL: must be set");
    expect(refused[1]?.stderr).toContain("NAMESERVER_CONTROL_KEY: must be set");
    const ports = { NAMESERVER_PORT: String(await freePort()), NAMESERVER_CONTROL_PORT: String(await freePort()) };
    const key = "k".repeat(32);
    const running = selo(["nameserver", "--json"], { ...given, ...ports, NAMESERVER_CONTROL_KEY: key });
    const { address, control_url: control } = JSON.parse(await running.until("\n")) as Record<string, string>;
    expect({ address, control }).toEqual({
      address: `127.0.0.1:${ports.NAMESERVER_PORT}`,
      control: `http://127.0.0.1:${ports.NAMESERVER_CONTROL_PORT}`,
    });
    expect((await command(["dig", "www.example.com", "--server", address ?? ""], alone)).stdout).toBe("192.0.2.8\n");
    const urls = { NAMESERVER_CONTROL_URLS: `${control},http://127.0.0.1:1`, NAMESERVER_CONTROL_KEY: key };
    const status = await command(["nameserver", "status", "--json"], { ...alone, ...urls });
    expect({ code: status.code, control: JSON.parse(status.stdout).control }).toMatchObject({
      code: 1,
      control: [
        { url: control, state: "ok", reason: null, zones: 1 },
        { url: "http://127.0.0.1:1", state: "unavailable", reason: "it cannot be reached (ECONNREFUSED)", zones: null },
      ],
    });
    running.child.kill("SIGTERM");
    expect(await running.finished).toMatchObject({ code: 0 });
    expect(processesIn(stage.folder)).toEqual([]);
  } finally {
    await stage.close();
  }
});
