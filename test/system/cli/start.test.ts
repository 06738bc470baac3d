// `selo start`: from nothing to a sealed proof, a second start, and every way of ending.
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { masterKeyId } from "../../../src/adapters/crypto/sealed-secret.ts";
import { command } from "../../support/command.ts";
import { multipartBody } from "../../support/rest-client.ts";
import {
  dataFolder,
  endPrograms,
  freePort,
  postmasterPid,
  preparedDataFolder,
  processesIn,
  type SeloProcess,
  selo,
} from "../../support/selo-process.ts";

interface Demo {
  readonly base_url: string;
  readonly organization: { readonly id: string; readonly number: number };
  readonly tokens: { readonly live: string; readonly test: string };
}

const root = path.resolve(import.meta.dirname, "../../..");
const folder = dataFolder();
const READY = "Ctrl-C stops everything.";
let environment: Record<string, string>;
let base: string;
beforeAll(async () => {
  const port = await freePort();
  base = `http://127.0.0.1:${port}`;
  environment = { SELO_DATA_DIR: folder.path, PORT: String(port), SHUTDOWN_GRACE_SECONDS: "1" };
});
afterAll(async () => {
  // A test that timed out goes on, and may have started another one since.
  await endPrograms();
  const left = processesIn(folder.path);
  const postmaster = postmasterPid(folder.path);
  if (postmaster !== null && left.length > 0) process.kill(postmaster, "SIGINT");
  folder.remove();
  expect(left).toEqual([]);
});

async function start(more: Readonly<Record<string, string>> = {}): Promise<SeloProcess> {
  const started = selo(["start"], { ...environment, ...more });
  await started.until(READY);
  return started;
}
async function stop(started: SeloProcess, signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
  started.child.kill(signal);
  const { code, stdout, stderr } = await started.finished;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/\nstopped\n$/);
  await expectNothingLeft();
}

/** Nothing of it runs, and nothing listens any more. */
async function expectNothingLeft(): Promise<void> {
  expect(processesIn(folder.path)).toEqual([]);
  expect(postmasterPid(folder.path)).toBeNull();
  await expect(fetch(`${base}/healthz`)).rejects.toThrow();
}

const readDemo = () => JSON.parse(fs.readFileSync(path.join(folder.path, "demo.json"), "utf8")) as Demo;
const register = (token: string, sha256 = randomBytes(32).toString("hex")) =>
  fetch(`${base}/api/v1/proofs`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ sha256 }),
  });
const proof = (token: string, id: string) =>
  fetch(`${base}/api/v1/proofs/${id}`, { headers: { authorization: `Bearer ${token}` } });
/** What the public sees of the proof to which the home page links. */
async function sampleProof(): Promise<Readonly<Record<string, unknown>>> {
  const home = await (await fetch(base)).text();
  const [, code] = /href="\/verify\/([^"]+)"/.exec(home) ?? [];
  return (await (await fetch(`${base}/api/v1/public/proofs/${code}`)).json()) as Readonly<Record<string, unknown>>;
}

const registerWebhook = () =>
  fetch(`${base}/api/v1/webhooks`, {
    method: "POST",
    headers: { authorization: `Bearer ${first.tokens.test}`, "content-type": "application/json" },
    body: JSON.stringify({ url: "http://localhost:3000/hook", event_types: ["*"] }),
  });

/** A statement as the superuser of the embedded Postgres, while it runs. */
async function query<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
  const read = (name: string) => fs.readFileSync(path.join(folder.path, name), "utf8").trim();
  const client = new pg.Client({
    host: "127.0.0.1",
    port: Number(read("port")),
    user: "postgres",
    password: read("postgres-password"),
    database: "selo",
  });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

/** The issuers of invoices that a token sees. */
async function issuers(token: string, query = ""): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const answer = await fetch(`${base}/api/v1/issuers${query}`, { headers: { authorization: `Bearer ${token}` } });
  return ((await answer.json()) as { readonly items: readonly Readonly<Record<string, unknown>>[] }).items;
}

let first: Demo;
/** Of the first start, in live. */
let demoIssuers: Awaited<ReturnType<typeof issuers>>;
/** What several tests ask one after the other. */
let running: SeloProcess;

describe("the first start", () => {
  afterEach(endPrograms);

  test("prints addresses, tokens and one curl, writes demo.json for its owner alone, and is ready", async () => {
    const started = await start();
    first = readDemo();
    expect(first).toEqual({
      base_url: base.replace("127.0.0.1", "localhost"),
      organization: { id: expect.stringMatching(/^[0-9a-f-]{36}$/), number: expect.any(Number) },
      tokens: {
        live: expect.stringMatching(/^svc_live_[A-Za-z0-9_-]{43}$/),
        test: expect.stringMatching(/^svc_test_[A-Za-z0-9_-]{43}$/),
      },
      dns_key: expect.stringMatching(/^dns_[0-9a-f]{8}_[A-Za-z0-9_-]{43}$/),
      user_email: "owner@demo.example",
      user_password: expect.stringMatching(/^[\w-]{20}$/),
      invoice_certificate: expect.stringMatching(/demo-a1\.pfx$/),
      signer_p12: path.join(folder.path, "signer.p12"),
      signer_password: "selo-demo",
      signer_roots: path.join(folder.path, "icp-brasil-test-roots"),
      // Until it is installed: test/system/dns.
      nameserver: null,
    });
    expect(fs.statSync(path.join(folder.path, "demo.json")).mode & 0o777).toBe(0o600);
    for (const secret of ["master-key", "postgres-password"]) {
      expect(fs.statSync(path.join(folder.path, secret)).mode & 0o077).toBe(0);
    }
    const { stdout } = started.output;
    for (const text of [
      `${first.base_url}/api/v1`,
      `${first.base_url}/graphql`,
      first.tokens.live,
      first.tokens.test,
      `${first.base_url}/api/v1/proofs`,
    ]) {
      expect(stdout).toContain(text);
    }
    const [curl = "", ...others] = stdout.match(/^ *curl .*$/gm) ?? [];
    expect(others).toEqual([]);
    // Two lines of the 7 kB that are answered; of a refusal what is wrong.
    const inShell = (command: string) => spawnSync("sh", ["-c", command], { cwd: root, encoding: "utf8" }).stdout;
    expect(inShell(curl)).toMatch(
      new RegExp(`^"id":"[0-9a-f-]{36}"\n"verify_url":"${first.base_url}/verify/[0-9A-Z-]{14}"\n$`),
    );
    expect(inShell(curl.replace("svc_test_", "svc_test_x"))).toMatch(/^"code":"unauthenticated"\n"message":"[^"]+"\n$/);
    expect(stdout.match(/^.*npm run -s selo -- listen .*$/gm)).toHaveLength(1);
    expect((await fetch(`${base}/readyz`)).status).toBe(200);
    expect(await sampleProof()).toMatchObject({ organization: "Demo Organization", environment: "live" });
    // Both tokens do what their environment does.
    for (const token of [first.tokens.live, first.tokens.test]) {
      const response = await register(token, "1".repeat(64));
      expect(response.status).toBe(201);
    }
    // An issuer that can issue, in both; that of test is archived before the next start.
    const { live, test: ofTest } = first.tokens;
    demoIssuers = await issuers(live);
    const [archived, ...more] = await issuers(ofTest);
    for (const issuer of [...demoIssuers, archived])
      expect(issuer).toMatchObject({ cnpj: "12345678000195", is_default: true, ready: true, problems: [] });
    expect([demoIssuers.length, more.length]).toEqual([1, 0]);
    const archiving = await fetch(`${base}/api/v1/issuers/${archived?.["id"]}/archive`, {
      method: "POST",
      headers: { authorization: `Bearer ${ofTest}` },
    });
    expect(archiving.status).toBe(200);
    await stop(started, "SIGINT");
  });
});

describe("the second start", () => {
  beforeAll(async () => {
    running = await start();
  });

  test("takes up the same data, tokens and keys", async () => {
    expect(readDemo()).toEqual(first);
    expect((await register(first.tokens.live, "1".repeat(64))).status).toBe(200);
    const keys = await query<{ keys: number; organizations: number }>(
      "select (select count(*)::int from platform.platform_keys) as keys, (select count(*)::int from platform.organizations) as organizations",
    );
    expect(keys).toEqual([{ keys: 4, organizations: 1 }]);
  });

  test("makes no other issuer of invoices, also where a developer has archived it", async () => {
    expect(await issuers(first.tokens.live)).toEqual(demoIssuers);
    expect(await issuers(first.tokens.test)).toEqual([]);
    expect(await issuers(first.tokens.test, "?archived=true")).toHaveLength(1);
  });

  test("shows the same sample proof", async () => {
    const { sha256, verification_code } = await sampleProof();
    expect(await query(`select verification_code from signature.proofs where sha256 = '\\x${sha256}'`)).toEqual([
      { verification_code },
    ]);
  });

  test("mail is caught: that of the demo organization's tokens is in the inbox, which the terminal names", async () => {
    expect(running.output.stdout).toContain(`${first.base_url}/dev/inbox`);
    const inbox = async () => (await fetch(`${base}/dev/inbox`)).text();
    await expect.poll(inbox).toContain("[test] New API token: demo test");
    expect(await inbox()).toContain("contact@demo.example");
  });

  test("SMS of live are caught, too: an envelope can be sent, and its code stands in the inbox", async () => {
    const ask = async (method: string, at: string, headers: Record<string, string>, body?: object | FormData) => {
      const isForm = body instanceof FormData;
      const response = await fetch(`${base}/api/v1${at}`, {
        method,
        headers: { ...headers, ...(body === undefined || isForm ? {} : { "content-type": "application/json" }) },
        ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      });
      expect([at, Math.floor(response.status / 100)]).toEqual([at, 2]);
      return (await response.json()) as { readonly id: string; readonly status: string; readonly sent_to: string };
    };
    const token = { authorization: `Bearer ${first.tokens.live}` };
    const form = new FormData();
    form.set("file", await (await fetch(`${base}/sample/contract.pdf`)).blob(), "contract.pdf");
    const document = await ask("POST", "/documents", token, form);
    const ready = async () => (await ask("GET", `/documents/${document.id}`, token)).status;
    await expect.poll(ready).toBe("ready");
    const { id } = await ask("POST", "/envelopes", token, { title: "By SMS" });
    await ask("POST", `/envelopes/${id}/documents`, token, { document_id: document.id });
    const phone = { auth_method: "otp_sms", phone: "+5511987654321" };
    const davi = { name: "Davi", email: "davi@example.com", ...phone };
    const participant = await ask("POST", `/envelopes/${id}/participants`, token, davi);
    expect((await ask("POST", `/envelopes/${id}/send`, token)).status).toBe("sent");
    const page = async (at = "") => (await fetch(`${base}/dev/inbox${at}`)).text();
    await expect.poll(() => page()).toContain("davi@example.com");
    const mails = [...(await page()).matchAll(/href="\/dev\/inbox(\/\d[\w-]+)"/g)].map(([, at]) => at);
    const texts = await Promise.all(mails.map((at) => page(at)));
    const secret = texts.join("").match(new RegExp(`/sign/${participant.id}#([A-Za-z0-9_-]{43})`))?.[1] ?? "";
    const sent = await ask("POST", `/signing/${participant.id}/code`, { "x-signing-link": secret });
    expect(sent.sent_to).toBe("+55*********21");
    await expect.poll(() => page()).toContain("+5511987654321 by SMS");
    const [, code = ""] = /(\d{6}) (?:is your code|é o seu codigo)/.exec(await page()) ?? [];
    await ask("POST", `/signing/${participant.id}/session`, { "x-signing-link": secret }, { code });
  });

  test("a webhook on this machine may be registered with the test token", async () => {
    expect((await registerWebhook()).status).toBe(201);
  });

  test("a production start on a database that holds the demo organization refuses, and changes nothing there", async () => {
    const read = (name: string) => fs.readFileSync(path.join(folder.path, name), "utf8").trim();
    const before = await query("select name, value from platform.settings order by name");
    const refused = await selo(["start"], {
      NODE_ENV: "production",
      SELO_DATA_DIR: path.join(path.dirname(folder.path), "production"),
      PORT: String(await freePort()),
      PUBLIC_URL: "https://production.example",
      STORAGE_FOLDER: path.join(path.dirname(folder.path), "objects"),
      SELO_MASTER_KEY: "33".repeat(32),
      DATABASE_URL: `postgres://postgres:${encodeURIComponent(read("postgres-password"))}@127.0.0.1:${read("port")}/selo`,
    }).finished;
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toMatch(/DATABASE_URL.*demo organization/s);
    expect(refused.stderr + refused.stdout).not.toContain(read("postgres-password"));
    expect(await query("select name, value from platform.settings order by name")).toEqual(before);
    expect((await fetch(`${base}/readyz`)).status).toBe(200);
  });

  test("a second program on the same folder says that it is in use, and harms nothing", async () => {
    const second = await selo(["start"], { ...environment, PORT: String(await freePort()) }).finished;
    expect(second.code).not.toBe(0);
    expect(second.stderr).toMatch(/in use|already/i);
    expect(second.stderr).not.toMatch(/^\s+at /m);
    expect((await register(first.tokens.test)).status).toBe(201);
  });

  test("a port that is taken ends it with a message, and leaves nothing", async () => {
    const other = preparedDataFolder();
    try {
      const taken = await selo(["start"], { ...environment, SELO_DATA_DIR: other.path }).finished;
      expect(taken.code).not.toBe(0);
      expect(taken.stderr).toMatch(/^PORT: /);
      expect(taken.stderr).toContain(new URL(base).port);
      expect(taken.stderr).not.toMatch(/^\s+at /m);
      expect(processesIn(other.path)).toEqual([]);
    } finally {
      other.remove();
    }
  });

  test("selo listen needs no token, and does not keep it from stopping", async () => {
    const listening = selo(["listen", "--json"], environment);
    await listening.until('"type":"endpoint"');
    const { id } = (await (await register(first.tokens.test)).json()) as { id: string };
    await listening.until(id);
    // Ctrl-C in the one terminal ends it at once, though the other still listens.
    await stop(running);
    listening.child.kill("SIGINT");
    expect((await listening.finished).code).toBe(0);
  });
});

describe("each ending", () => {
  // What a failed test left running would fail the next ones as well.
  afterEach(endPrograms);

  test("a signal while it is still starting leaves nothing behind", async () => {
    const started = selo(["start"], environment);
    await expect.poll(() => postmasterPid(folder.path), { interval: 5 }).not.toBeNull();
    started.child.kill("SIGINT");
    const { code, stdout, stderr } = await started.finished;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    // Nothing went wrong on the way: no error is logged, with or without its stack (in a JSON line its breaks are escaped).
    expect(stdout).not.toMatch(/"level":[56]0|(\n|\\n)\s+at |uncaught|unhandled/i);
    await expectNothingLeft();
  });

  test("without leave for webhooks on this machine none is registered; an upload that never ends does not keep it from stopping", async () => {
    const started = await start({ WEBHOOK_ALLOW_LOOPBACK: "0" });
    expect((await registerWebhook()).status).toBe(422);
    const { bytes, headers } = multipartBody([
      { headers: ['Content-Disposition: form-data; name="file"; filename="a"'], content: "x" },
    ]);
    const controller = new AbortController();
    const uploading = fetch(`${base}/api/v1/proofs`, {
      method: "POST",
      headers: { ...headers, authorization: `Bearer ${first.tokens.test}` },
      body: new ReadableStream({ start: (stream) => stream.enqueue(bytes.subarray(0, -10)) }),
      duplex: "half",
      signal: controller.signal,
    } as RequestInit).catch(() => null);
    // Under way: the request after it on another connection is answered.
    expect((await proof(first.tokens.test, "0197a0c0-0000-7000-8000-000000000000")).status).toBe(404);
    started.child.kill("SIGTERM");
    const { code } = await started.finished;
    controller.abort();
    await uploading;
    expect(code).toBe(0);
    await expectNothingLeft();
  });
});

describe("starts after something went wrong", () => {
  test("without the master key of its data it says which one is missing, generates none, and starts again with it", async () => {
    const [file, aside] = ["master-key", "kept-elsewhere"].map((name) => path.join(folder.path, name)) as [
      string,
      string,
    ];
    const key = fs.readFileSync(file, "utf8").trim();
    fs.renameSync(file, aside);
    try {
      const refusals = [
        await selo(["start"], environment).finished,
        await command(["migrate"], environment),
        await command(["keys", "rotate"], environment),
      ];
      for (const refused of refusals) {
        expect(refused.code).toBe(1);
        expect(refused.stderr).toMatch(/^SELO_MASTER_KEY: .*\n$/);
        expect(refused.stderr).toContain(file);
      }
      expect(refusals[0]?.stderr).toContain(`under the master key with id ${masterKeyId(Buffer.from(key, "hex"))}`);
      expect(fs.existsSync(file)).toBe(false);
    } finally {
      fs.renameSync(aside, file);
    }
    await expectNothingLeft();
    running = await start(); // it stays for the next test
  });

  test("kill -9 of everything, under load: every answered proof is there, and credits spent equal live proofs", async () => {
    // Tests before this one sent an envelope of live.
    const count = async () => {
      const [sums] = await query<{ spent: number; ledger: number; codes: number; proofs: number }>(
        `select 1000000 - (select sum(balance)::int from platform.credit_balances where kind = 'signature') as spent,
           -(select coalesce(sum(amount), 0)::int from platform.credit_ledger where kind = 'signature' and amount < 0) as ledger,
           (select count(*)::int from platform.public_codes where environment = 'live') as codes,
           (select count(*)::int from signature.proofs where environment = 'live') as proofs`,
      );
      if (sums === undefined) throw new Error("the counts have no row");
      return sums;
    };
    const before = await count();
    const answered: { id: string; sha256: string }[] = [];
    let loading = true;
    const load = Array.from({ length: 16 }, async () => {
      while (loading) {
        try {
          const sha256 = randomBytes(32).toString("hex");
          const response = await register(first.tokens.live, sha256);
          if (response.status !== 201) return;
          answered.push({ id: ((await response.json()) as { id: string }).id, sha256 });
        } catch {
          return; // it was killed
        }
      }
    });
    await expect.poll(() => answered.length).toBeGreaterThan(200);
    const postmaster = postmasterPid(folder.path);
    running.child.kill("SIGKILL");
    if (postmaster !== null) process.kill(postmaster, "SIGKILL");
    loading = false;
    await Promise.all(load);
    expect((await running.finished).signal).toBe("SIGKILL");

    running = await start();
    expect(readDemo()).toEqual(first);
    const rows = await query<{ id: string; sha256: string }>(
      "select id, encode(sha256, 'hex') as sha256 from signature.proofs where environment = 'live'",
    );
    const kept = new Map(rows.map(({ id, sha256 }) => [id, sha256]));
    expect(answered.filter(({ id, sha256 }) => kept.get(id) !== sha256)).toEqual([]);
    const after = await count();
    const added = after.proofs - before.proofs;
    expect(added).toBeGreaterThanOrEqual(answered.length);
    expect(after).toEqual({
      spent: before.spent + added,
      ledger: before.ledger + added,
      codes: before.codes + added,
      proofs: before.proofs + added,
    });
    const last = answered.at(-1);
    expect((await proof(first.tokens.live, last?.id ?? "")).status).toBe(200);
  });

  test("kill -9 of the program alone: the next start takes over the Postgres it left", async () => {
    running.child.kill("SIGKILL");
    await running.finished;
    const orphan = postmasterPid(folder.path);
    expect(orphan).not.toBeNull();
    running = await start();
    expect(postmasterPid(folder.path)).toBe(orphan);
    expect((await register(first.tokens.live, "1".repeat(64))).status).toBe(200);
  });

  test("a signal sent twice, as Ctrl-C under npm is, stops everything cleanly, that Postgres too", async () => {
    running.child.kill("SIGINT");
    setTimeout(() => running.child.kill("SIGINT"), 20);
    setTimeout(() => running.child.kill("SIGTERM"), 60);
    expect((await running.finished).code).toBe(0);
    await expectNothingLeft();
  });
});
