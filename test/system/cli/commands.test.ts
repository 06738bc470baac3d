// `selo org | token | credits | keys | migrate`, beside a running start and without one; and what they refuse.

import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { Command, CommanderError } from "commander";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { AppError } from "../../../src/app-error.ts";
import { ConfigError } from "../../../src/config.ts";
import { commandHouse } from "../../../src/main/commands/command-house.ts";
import { addProcessCommands } from "../../../src/main/commands/process-commands.ts";
import { readConfig } from "../../../src/main/config.ts";
import { addAnalystCommands } from "../../../src/services/platform/commands/analyst-commands.ts";
import { addCreditsCommands } from "../../../src/services/platform/commands/credits-commands.ts";
import { addKeysCommands } from "../../../src/services/platform/commands/keys-commands.ts";
import { addOrgCommands } from "../../../src/services/platform/commands/org-commands.ts";
import { addTokenCommands } from "../../../src/services/platform/commands/token-commands.ts";
import { services } from "../../../src/services/services.ts";
import {
  dataFolder,
  freePort,
  postmasterPid,
  processesIn,
  type SeloProcess,
  selo,
  seloJson,
} from "../../support/selo-process.ts";

const folder = dataFolder();
let environment: Record<string, string>;
let base: string;
let started: SeloProcess;
beforeAll(async () => {
  const port = await freePort();
  base = `http://127.0.0.1:${port}`;
  environment = { SELO_DATA_DIR: folder.path, PORT: String(port) };
  started = selo(["start", "--json"], environment);
  await started.until("\n");
});
afterAll(async () => {
  started.child.kill("SIGTERM");
  await started.finished;
  const left = processesIn(folder.path);
  folder.remove();
  expect(left).toEqual([]);
});

interface Organization {
  readonly id: string;
  readonly number: number;
}

async function everyCommand(): Promise<void> {
  const acme = await seloJson<Organization & Record<string, unknown>>(
    ["org", "create", "--name", "Açaí & Sons", "--plan", "growth", "--email", "ana@example.org"],
    environment,
  );
  expect(acme).toMatchObject({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    number: expect.any(Number),
    name: "Açaí & Sons",
    plan: "growth",
    jurisdiction: "intl",
    contact_email: "ana@example.org",
  });
  const organizations = await seloJson<Organization[]>(["org", "list"], environment);
  expect(organizations.filter(({ id }) => id === acme.id)).toEqual([acme]);

  const byNumber = await seloJson<{ id: string; token: string; prefix: string; scopes: string[] }>(
    ["token", "create", "--org", String(acme.number), "--env", "live", "--scopes", "all", "--name", "everything"],
    environment,
  );
  expect(byNumber).toMatchObject({ token: expect.stringMatching(/^svc_live_/), prefix: byNumber.token.slice(0, 15) });
  expect(byNumber.scopes).toHaveLength(18);
  const byId = await seloJson<{ id: string; token: string; scopes: string[] }>(
    ["token", "create", "--org", acme.id, "--env", "test", "--scopes", "proofs:read, proofs:write", "--name", "two"],
    environment,
  );
  expect(byId).toMatchObject({ token: expect.stringMatching(/^svc_test_/), scopes: ["proofs:read", "proofs:write"] });

  const grant = ["credits", "grant", "--org", String(acme.number), "--amount"];
  expect(await seloJson([...grant, "7"], environment)).toEqual({
    organization_id: acme.id,
    kind: "signature",
    amount: 7,
    balance: 7,
  });
  expect(await seloJson([...grant, "3"], environment)).toMatchObject({ balance: 10 });
  expect(await seloJson([...grant, "2", "--kind", "icp_brasil"], environment)).toMatchObject({ balance: 2 });

  expect(await seloJson(["credits", "show", "--org", acme.id], environment)).toEqual([
    { kind: "icp_brasil", balance: 2 },
    { kind: "signature", balance: 10 },
  ]);

  const revoked = await seloJson<{ id: string; revoked_at: string }>(["token", "revoke", byId.id], environment);
  expect(revoked).toEqual({ id: byId.id, revoked_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) });
  expect(await seloJson(["token", "revoke", byId.id], environment)).toEqual(revoked); // the first time counts

  const tokens = await seloJson<Record<string, unknown>[]>(["token", "list", "--org", acme.id], environment);
  expect(tokens).toEqual([
    expect.objectContaining({ id: byNumber.id, prefix: byNumber.prefix, name: "everything", revoked_at: null }),
    expect.objectContaining({ id: byId.id, environment: "test", scopes: byId.scopes, revoked_at: revoked.revoked_at }),
  ]);
  for (const { token } of [byNumber, byId]) expect(JSON.stringify(tokens)).not.toContain(token.slice(15));

  const key = await seloJson<{ id: number; secret: string; prefix: string; scopes: string[] }>(
    ["dns-key", "create", "--org", acme.id, "--name", "robot", "--scopes", "zone:read,record:read"],
    environment,
  );
  expect(key).toMatchObject({ secret: expect.stringMatching(/^dns_/), scopes: ["record:read", "zone:read"] });
  const { secret: _, ...shown } = key;
  expect(await seloJson(["dns-key", "list", "--org", acme.id], environment)).toEqual([shown]);
  const keyRevoked = await seloJson(["dns-key", "revoke", String(key.id)], environment);
  expect(keyRevoked).toEqual({ id: key.id, revoked_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) });
  expect(await seloJson(["dns-key", "revoke", String(key.id)], environment)).toEqual(keyRevoked);

  const analyst = await seloJson<{ login: string; url: string }>(
    ["analyst", "create", "--org", acme.id, "--env", "test"],
    environment,
  );
  expect(analyst.login).toMatch(/^selo_analyst_[0-9a-f]{12}$/);
  // Without a running start, Postgres is gone with the command.
  if (postmasterPid(folder.path) !== null) {
    const client = new pg.Client({ connectionString: analyst.url });
    await client.connect();
    expect((await client.query("select balance from credit_balances order by balance")).rows).toEqual([
      { balance: "2" },
      { balance: "10" },
    ]);
    await client.end();
  }
  expect(await seloJson(["analyst", "list"], environment)).toEqual([
    expect.objectContaining({ login: analyst.login, organization_id: acme.id, environment: "test" }),
  ]);
  expect(await seloJson(["analyst", "revoke", analyst.login], environment)).toMatchObject({ revoked: true });
  expect(await seloJson(["analyst", "list"], environment)).toEqual([]);

  const rotated = await seloJson<Record<string, string>[]>(["keys", "rotate", "--env", "test"], environment);
  expect(rotated).toEqual([
    {
      environment: "test",
      key_id: expect.stringMatching(/^ed25519-/),
      pq_key_id: expect.stringMatching(/^ml-dsa-87-/),
      certificate_id: expect.stringMatching(/^rsa-3072-/),
    },
  ]);
  const keys = await seloJson<Record<string, unknown>[]>(["keys", "list"], environment);
  const active = keys.filter(({ status }) => status === "active");
  expect(active.map(({ key_id }) => key_id)).toEqual(
    expect.arrayContaining([rotated[0]?.["key_id"], rotated[0]?.["pq_key_id"], rotated[0]?.["certificate_id"]]),
  );
  expect(active.map(({ environment, algorithm, status }) => `${environment} ${algorithm} ${status}`).sort()).toEqual([
    "live Ed25519 active",
    "live ML-DSA-87 active",
    "live RSA-3072 active",
    "test Ed25519 active",
    "test ML-DSA-87 active",
    "test RSA-3072 active",
  ]);
  expect(JSON.stringify(keys)).not.toMatch(/seed|secret|private/);
  expect(await seloJson(["keys", "reencrypt"], environment)).toEqual({
    master_key_id: expect.stringMatching(/^[0-9a-f]{8}$/),
    reencrypted: [
      { column: "dns.dnssec_keys.sealed_private_key", count: 0 },
      { column: "platform.platform_keys.sealed_seed", count: 0 },
      { column: "platform.seal_certificates.sealed_key", count: 0 },
      { column: "signature.data_keys.sealed_key", count: 0 },
      { column: "webhooks.endpoints.sealed_secret", count: 0 },
      { column: "webhooks.endpoints.sealed_previous_secret", count: 0 },
    ],
    left: [],
  });

  const { migrations } = await seloJson<{ migrations: { name: string; applied_at: string | null }[] }>(
    ["migrate", "--status"],
    environment,
  );
  const names = fs
    .readdirSync(path.resolve(import.meta.dirname, "../../../sql/migrations"))
    .map((name) => name.replace(/\.sql$/, ""));
  expect(migrations.map(({ name }) => name)).toEqual(names.sort());
  for (const { applied_at } of migrations) expect(applied_at).toMatch(/Z$/);
  expect(await seloJson(["migrate"], environment)).toEqual({ applied: [] });
}

/** What a command fails with, run in this process: starting a program for each would take a minute and a half. */
async function inProcess(args: readonly string[]): Promise<string> {
  let written = "";
  const program = new Command("selo").exitOverride().configureOutput({
    writeErr: (text) => {
      written += text;
    },
  });
  const house = commandHouse(services);
  addProcessCommands(program, house);
  addOrgCommands(program, house);
  addTokenCommands(program, house);
  addCreditsCommands(program, house);
  addAnalystCommands(program, house);
  addKeysCommands(program, house);
  for (const group of program.commands) {
    for (const command of [group, ...group.commands]) command.copyInheritedSettings(program);
  }
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) return written + error.message;
    if (error instanceof AppError) return `${error.code}: ${error.message} ${JSON.stringify(error.fields ?? [])}`;
    throw error;
  } finally {
    vi.unstubAllEnvs();
  }
  throw new Error("the command succeeded");
}

const list = (token: string) =>
  fetch(`${base}/api/v1/proofs`, { headers: { authorization: `Bearer ${token}` } }).then(({ status }) => status);

describe("every command with --json", () => {
  test("beside a running start, which it leaves alone", async () => {
    const postmaster = postmasterPid(folder.path);
    await everyCommand();
    expect(postmasterPid(folder.path)).toBe(postmaster);
    expect((await fetch(`${base}/readyz`)).status).toBe(200);
  }, 120_000);

  test("what it makes works at once, and what it revokes stops at once", async () => {
    const [demo] = await seloJson<Organization[]>(["org", "list"], environment);
    const create = [
      "token",
      "create",
      "--org",
      String(demo?.number),
      "--env",
      "live",
      "--scopes",
      "proofs:read",
      "--name",
      "x",
    ];
    const { id, token } = await seloJson<{ id: string; token: string }>(create, environment);
    expect(await list(token)).toBe(200);
    await seloJson(["token", "revoke", id], environment);
    expect(await list(token)).toBe(401);
  });

  test("zones, with the key of the demo organization", async () => {
    const zone = <Answer>(...words: string[]) => seloJson<Answer>(["zone", ...words], environment);
    const file = path.join(fs.mkdtempSync(path.join(folder.path, "zone-")), "file");
    fs.writeFileSync(file, "www 300 A 192.0.2.1\n");
    const made = await zone<{ id: number; name: string }>("create", "commands.test");
    // A worker checks its delegation meanwhile.
    const same = { ...made, checked_at: expect.toBeOneOf([null, expect.any(String)]) };
    expect(await zone("list")).toEqual([same]);
    expect(await zone("import", "commands.test", file)).toMatchObject({ imported: 1, skipped: 0 });
    expect(await zone("records", "commands.test")).toMatchObject([{ name: "www.commands.test", ttl: 300 }]);
    const exported = await selo(["zone", "export", "commands.test"], environment).finished;
    expect(exported).toMatchObject({ code: 0, stdout: expect.stringContaining("www 300 IN A 192.0.2.1\n") });
    expect((await selo(["zone", "diff", "commands.test", file], environment).finished).code).toBe(0);
    expect(await zone("delete", "commands.test")).toEqual(same);
    const [demo] = await seloJson<Organization[]>(["org", "list"], environment);
    expect(await zone("restore", "commands.test", "--org", String(demo?.number))).toMatchObject({ records: 1 });
  }, 60_000);

  test.each<[string[], RegExp]>([
    [["nothing"], /unknown command/],
    [["org"], /create/],
    [["org", "create"], /--name/],
    [["org", "create", "--name", ""], /name/],
    [["org", "create", "--name", "x".repeat(256)], /name/],
    [["org", "create", "--name", "x", "--plan", "gold"], /plan/],
    [["org", "create", "--name", "x", "--jurisdiction", "mars"], /jurisdiction/],
    [["org", "create", "--name", "x", "--email", "nobody"], /email/],
    [["org", "create", "--name", "x", "--time-zone", "Mars/Base"], /time.zone/],
    [["org", "create", "--name", "x", "--language", "!"], /language/],
    [["org", "create", "--name", "x", "--unknown"], /unknown option/],
    [["token", "create", "--org", "1", "--env", "prod", "--scopes", "all", "--name", "x"], /live, test/],
    [
      ["token", "create", "--org", "1", "--env", "live", "--scopes", "proofs:fly", "--name", "x"],
      /scopes.*all, or some of: .*proofs:read, proofs:write/,
    ],
    [["token", "create", "--org", "1", "--env", "live", "--scopes", "", "--name", "x"], /scopes/],
    [["token", "create", "--org", "1", "--env", "live", "--scopes", "all", "--name", ""], /name/],
    [["token", "create", "--org", "1", "--env", "live", "--scopes", "all"], /--name/],
    [
      ["token", "create", "--org", "1", "--env", "live", "--scopes", "all", "--name", "x", "--expires", "soon"],
      /ISO 8601/,
    ],
    [
      ["token", "create", "--org", "1", "--env", "live", "--scopes", "all", "--name", "x", "--expires", "1"],
      /ISO 8601/,
    ],
    [
      ["token", "create", "--org", "1", "--env", "live", "--scopes", "all", "--name", "x", "--expires", "2020-01-01"],
      /future/,
    ],
    [["token", "create", "--org", "999999", "--env", "live", "--scopes", "all", "--name", "x"], /not_found/],
    [["token", "create", "--org", "x'y", "--env", "live", "--scopes", "all", "--name", "x"], /not_found/],
    [["token", "revoke"], /id/],
    [["token", "revoke", "1"], /UUID/],
    [["token", "revoke", "0197a0c0-0000-7000-8000-000000000000"], /not_found/],
    [["token", "list"], /--org/],
    [["token", "list", "--org", "999999"], /not_found/],
    [["credits", "show", "--org", "999999"], /not_found/],
    [["analyst", "create"], /--org/],
    [["analyst", "create", "--org", "999999"], /not_found/],
    [["analyst", "create", "--org", "1", "--env", "prod"], /live, test/],
    [["analyst", "create", "--org", "1", "--name", "Ana"], /invalid_request.*name/],
    [["analyst", "create", "--org", "1", "--name", 'a"; drop role postgres; --'], /invalid_request.*name/],
    [["analyst", "create", "--org", "1", "--name", "x".repeat(51)], /invalid_request.*50/],
    [["analyst", "revoke"], /login/],
    [["analyst", "revoke", "selo_analyst_nobody"], /not_found/],
    [["analyst", "revoke", "postgres"], /not_found/],
    [["analyst", "revoke", "selo_app"], /not_found/],
    [["keys", "rotate", "--env", "prod"], /live, test, all/],
    [["credits", "grant", "--org", "1", "--amount", "0"], /amount/],
    [["credits", "grant", "--org", "1", "--amount", "-5"], /must be a whole number, 0 or more/],
    [["credits", "grant", "--org", "1", "--amount", "1.5"], /whole number/],
    [["credits", "grant", "--org", "1", "--amount", "9999999999999"], /amount/],
    [["credits", "grant", "--org", "1", "--amount", "5", "--kind", "gold"], /signature, icp_brasil/],
  ])("%j fails and says what is wrong", async (args, message) => {
    const failure = await inProcess(args);
    expect(failure).toMatch(message);
  });

  test.each<[string[], RegExp]>([
    [["token", "create", "--org", "1"], /--env/],
    [["org", "create", "--name", "x", "--plan", "gold"], /invalid_request: .*\n {2}plan/],
  ])("%j ends the program with a failure, on stderr and without a stack", async (args, message) => {
    const { code, stdout, stderr } = await selo(args, environment).finished;
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/^\s+at /m); // a stack is for faults of ours
    expect(stdout).toBe("");
  });

  test("without --json they speak to people, and a token is shown once", async () => {
    const { code, stdout } = await selo(
      ["token", "create", "--org", "1", "--env", "test", "--scopes", "all", "--name", "people"],
      environment,
    ).finished;
    expect(code).toBe(0);
    expect(stdout).toMatch(/^svc_test_[\w-]{43}\n/);
    expect((await selo(["org", "list"], environment).finished).stdout).toMatch(
      /^number {2}id {36}plan {6}name\n +\d+ {2}[0-9a-f-]{36} {2}\w+ +Demo Organization\n/,
    );
    expect((await selo(["token", "list", "--org", "1"], environment).finished).stdout).toMatch(/ {2}people +all$/m);
    expect((await selo(["analyst", "list"], environment).finished).stdout).toBe("no analysts\n");
    expect((await selo(["keys", "list"], environment).finished).stdout).toMatch(
      /^key +environment {2}algorithm +status +created +retired +expires\n(\S+ +(live|test) +\S+ +(active +\S+Z {2}- +|retired {2}\S+Z {2}\S+Z {2})(-|\S+Z)\n)+$/,
    );
    expect((await selo(["migrate", "--status"], environment).finished).stdout).toContain("0001-platform");
  }, 60_000);

  test("without a running start: Postgres comes up for the command and is gone after it", async () => {
    started.child.kill("SIGTERM");
    expect((await started.finished).code).toBe(0);
    expect(processesIn(folder.path)).toEqual([]);
    await everyCommand();
    expect(processesIn(folder.path)).toEqual([]);
    expect(postmasterPid(folder.path)).toBeNull();
  }, 120_000);
});

describe("the environment", () => {
  const secret = "s3cr3t-value";
  test.each<[string, Record<string, string>]>([
    ["PORT", { PORT: secret }],
    ["PORT", { PORT: "65536" }],
    ["PORT", { PORT: "-1" }],
    ["PUBLIC_URL", { PUBLIC_URL: secret }],
    ["PUBLIC_URL", { PUBLIC_URL: "ftp://example.org" }],
    ["NODE_ENV", { NODE_ENV: secret }],
    ["LOG_LEVEL", { LOG_LEVEL: secret }],
    ["SELO_MASTER_KEY", { SELO_MASTER_KEY: secret }],
    ["SELO_MASTER_KEY", { SELO_MASTER_KEY: `${"11".repeat(31)}zz` }],
    ["DATABASE_URL", { DATABASE_URL: `mysql://user:${secret}@localhost/x` }],
    ["DATABASE_ADMIN_URL", { DATABASE_ADMIN_URL: secret }],
    ["DATABASE_WORKER_URL", { DATABASE_WORKER_URL: secret }],
    ["DATABASE_POOL_SIZE", { DATABASE_POOL_SIZE: "0000" }],
    ["PROOF_MAX_FILE_BYTES", { PROOF_MAX_FILE_BYTES: "1.5" }],
    ["IDEMPOTENCY_RETENTION_DAYS", { IDEMPOTENCY_RETENTION_DAYS: "00" }],
    ["WORKER_CONCURRENCY", { WORKER_CONCURRENCY: secret }],
    ["SHUTDOWN_GRACE_SECONDS", { SHUTDOWN_GRACE_SECONDS: "-1" }],
  ])("a wrong %s is refused with a message naming it and never its value", (name, wrong) => {
    let message = "";
    try {
      readConfig(wrong);
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError);
      message = (error as Error).message;
    }
    expect(message).toMatch(new RegExp(`^${name}: `, "m"));
    expect(message).not.toContain(Object.values(wrong)[0]);
  });

  test("a wrong value stops the start before anything is begun", async () => {
    const other = dataFolder();
    try {
      const wrong = { SELO_DATA_DIR: other.path, PORT: secret, SELO_MASTER_KEY: secret };
      const { code, stdout, stderr } = await selo(["start"], wrong).finished;
      expect(code).toBe(1);
      expect(stderr).toMatch(/^PORT: /m);
      expect(stderr).toMatch(/^SELO_MASTER_KEY: /m);
      expect(stderr + stdout).not.toContain(secret);
      expect(stderr).not.toMatch(/^\s+at /m);
      expect(fs.existsSync(other.path)).toBe(false);
    } finally {
      other.remove();
    }
  });

  test("NODE_ENV=production refuses to start without SELO_MASTER_KEY, DATABASE_URL, PUBLIC_URL and STORAGE_FOLDER, naming each", async () => {
    const whole: Record<string, string> = {
      NODE_ENV: "production",
      SELO_MASTER_KEY: "44".repeat(32),
      DATABASE_URL: "postgres://selo@127.0.0.1:1/selo",
      PUBLIC_URL: "https://selo.example",
      STORAGE_FOLDER: "/objects",
    };
    expect(readConfig(whole).production).toBe(true);
    const names = Object.keys(whole).slice(1);
    for (const missing of names) {
      const others = names.filter((name) => name !== missing).join("|");
      expect(() => readConfig({ ...whole, [missing]: undefined })).toThrow(new RegExp(`^${missing}: must be set`));
      expect(() => readConfig({ ...whole, [missing]: "" })).not.toThrow(new RegExp(others));
    }
    const other = dataFolder();
    try {
      const { code, stderr } = await selo(["start"], { NODE_ENV: "production", SELO_DATA_DIR: other.path }).finished;
      expect(code).toBe(1);
      expect([...stderr.matchAll(/^([A-Z_]+): must be set/gm)].map(([, name]) => name)).toEqual(names);
      expect(fs.existsSync(other.path)).toBe(false);
    } finally {
      other.remove();
    }
  });

  test("a database that cannot be reached is a message and no stack, without its password", async () => {
    const { code, stderr } = await selo(["org", "list"], {
      DATABASE_URL: `postgres://selo:${secret}@127.0.0.1:1/selo`,
      SELO_DATA_DIR: path.join(folder.path, "unused"),
    }).finished;
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/unavailable/);
    expect(stderr).not.toContain(secret);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  test("a data folder that cannot be made is named, and no address of a database", async () => {
    const file = path.join(path.dirname(folder.path), "file");
    fs.writeFileSync(file, "");
    for (const wrong of [file, path.join(file, "below")]) {
      const { code, stderr } = await selo(["org", "list"], { SELO_DATA_DIR: wrong }).finished;
      expect(code).toBe(1);
      expect(stderr).toMatch(/^SELO_DATA_DIR: .*\n$/);
      expect(stderr).not.toContain("DATABASE_URL");
    }
  });
});

test("help says which options are required", () => {
  const { stdout } = spawnSync(process.execPath, ["src/main/cli.ts", "token", "create", "--help"], {
    cwd: path.resolve(import.meta.dirname, "../../.."),
    encoding: "utf8",
    env: { PATH: "", COLUMNS: "200" },
  });
  const required = [...stdout.matchAll(/^ +(--\w+)/gm)].map(([, option]) => option);
  expect(required).toContain("--json");
  for (const option of required) {
    const [, described = ""] = new RegExp(`^ +${option} (.*(?:\\n {10,}.*)*)`, "m").exec(stdout) ?? [];
    const isRequired = ["--org", "--env", "--scopes", "--name"].includes(option ?? "");
    expect([option, described.includes("(required)")]).toEqual([option, isRequired]);
  }
});

test("--help lists every command and needs nothing", () => {
  const { status, stdout } = spawnSync(process.execPath, ["src/main/cli.ts", "--help"], {
    cwd: path.resolve(import.meta.dirname, "../../.."),
    encoding: "utf8",
    env: { PATH: "" },
  });
  expect(status).toBe(0);
  for (const command of [
    "start",
    "status",
    "gateway",
    "worker",
    "migrate",
    "org",
    "token",
    "credits",
    "keys",
    "analyst",
  ]) {
    expect(stdout).toMatch(new RegExp(`^ +${command}\\b`, "m"));
  }
});

test("--help says what exit codes mean, and commands end with them", async () => {
  const help = await selo(["--help"], {}).finished;
  const codes = help.stdout.slice(help.stdout.indexOf("Exit codes:"));
  expect([...codes.matchAll(/^ {2}(\d) {2}(\S+)/gm)].map(([, code, word]) => [code, word])).toEqual([
    ["0", "done;"],
    ["1", "refused"],
    ["2", "proof"], // verify.test.ts ends with it
    ["3", "proof"],
  ]);
  expect(help.code).toBe(0);
  const nowhere = { SELO_DATA_DIR: path.join(folder.path, "unused") };
  for (const [args, code] of [
    [["--version"], 0],
    [["nothing"], 1],
    [["org", "list"], 1],
    [["status"], 1],
    [["proof", "verify"], 3],
  ] as const)
    expect([args, (await selo(args, nowhere).finished).code]).toEqual([args, code]);
});

describe("errors on a terminal", () => {
  const [RED, PLAIN] = ["\u001b[31m", "\u001b[39m"];
  const nowhere = path.join(folder.path, "unused");
  /** What a terminal is sent by a command. */
  const shown = (words: string, variables: Readonly<Record<string, string>> = {}) =>
    spawnSync("script", ["-qec", `${process.execPath} src/main/cli.ts ${words}`, "/dev/null"], {
      cwd: path.resolve(import.meta.dirname, "../../.."),
      encoding: "utf8",
      env: { PATH: process.env["PATH"] ?? "", TERM: "xterm", SHELL: "/bin/sh", SELO_DATA_DIR: nowhere, ...variables },
    }).stdout.replaceAll("\r", "");

  test.each([
    ["a refusal", "org list", "error: There is no database"],
    ["a wrong argument", "token create", "error: required option"],
    ["a proof that cannot be read", "proof verify /nowhere --evidence /nowhere", "/nowhere: the file cannot be read"],
  ])("%s is red", (_, words, said) => {
    const text = shown(words);
    expect(text).toContain(`${RED}${said}`);
    expect(text).toContain(PLAIN);
    expect(shown(words, { NO_COLOR: "1" })).toMatch(new RegExp(`^${said}`));
  });

  test("what is no error is not, and nothing is in a pipe", async () => {
    expect(shown("status")).not.toContain("\u001b");
    for (const args of [
      ["org", "list"],
      ["token", "create"],
    ]) {
      const { stdout, stderr } = await selo(args, { SELO_DATA_DIR: nowhere }).finished;
      expect(stderr).not.toBe("");
      expect(stdout + stderr).not.toContain("\u001b");
    }
  });
});
