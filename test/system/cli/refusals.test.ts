// What commands refuse and how they say it: wrong arguments, a wrong environment, a database that is away; and their help.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ConfigError } from "../../../src/config/config.ts";
import { readConfig } from "../../../src/main/config.ts";
import { Operator } from "../../../src/postgres/operator/operator.ts";
import { command } from "../../support/command.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { newOrganization } from "../../support/gateway.ts";
import { dataFolder, selo } from "../../support/selo-process.ts";

const root = path.resolve(import.meta.dirname, "../../..");
const folder = dataFolder();
const nowhere = path.join(folder.path, "unused");
let database: TestDatabase;
let environment: Record<string, string>;
beforeAll(async () => {
  database = await createTestDatabase();
  environment = { DATABASE_URL: database.appUrl, DATABASE_ADMIN_URL: database.adminUrl };
  const operator = await Operator.connect(database.adminUrl);
  await newOrganization(operator); // number 1
  await operator.close();
});
afterAll(async () => {
  await database.drop();
  folder.remove();
});

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
  [["token", "create", "--org", "1", "--env", "live", "--scopes", "all", "--name", "x", "--expires", "1"], /ISO 8601/],
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
  [["analyst", "create", "--org", "1", "--name", "Ana"], /invalid_request.*\n {2}name must/s],
  [["analyst", "create", "--org", "1", "--name", 'a"; drop role postgres; --'], /invalid_request.*\n {2}name must/s],
  [["analyst", "create", "--org", "1", "--name", "x".repeat(51)], /invalid_request.*1 to 50/s],
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
  const { code, stdout, stderr } = await command(args, environment);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(message);
  expect(stderr).not.toMatch(/^\s+at /m); // a stack is for faults of ours
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
      const { code, stderr } = await command(["start"], { NODE_ENV: "production", SELO_DATA_DIR: other.path });
      expect(code).toBe(1);
      expect([...stderr.matchAll(/^([A-Z_]+): must be set/gm)].map(([, name]) => name)).toEqual(names);
      expect(fs.existsSync(other.path)).toBe(false);
    } finally {
      other.remove();
    }
  });

  test("a database that cannot be reached is a message and no stack, without its password", async () => {
    const { code, stderr } = await command(["org", "list"], {
      DATABASE_URL: `postgres://selo:${secret}@127.0.0.1:1/selo`,
      SELO_DATA_DIR: nowhere,
    });
    expect(code).not.toBe(0);
    expect(stderr).toMatch(/unavailable/);
    expect(stderr).not.toContain(secret);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  test("a data folder that cannot be made is named, and no address of a database", async () => {
    const file = path.join(path.dirname(folder.path), "file");
    fs.writeFileSync(file, "");
    for (const wrong of [file, path.join(file, "below")]) {
      const { code, stderr } = await command(["org", "list"], { SELO_DATA_DIR: wrong });
      expect(code).toBe(1);
      expect(stderr).toMatch(/^SELO_DATA_DIR: .*\n$/);
      expect(stderr).not.toContain("DATABASE_URL");
    }
  });
});

test("refusals end a whole program with a failure, on stderr and without a stack", async () => {
  const args = ["org", "create", "--name", "x", "--plan", "gold"];
  const { code, stdout, stderr } = await selo(args, environment).finished;
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/^invalid_request: .*\n {2}plan/);
  expect(stderr).not.toMatch(/^\s+at /m);
});

test("help says which options are required", async () => {
  const { stdout } = await command(["token", "create", "--help"], {});
  const required = [...stdout.matchAll(/^ +(--\w+)/gm)].map(([, option]) => option);
  expect(required).toContain("--json");
  for (const option of required) {
    const [, described = ""] = new RegExp(`^ +${option} (.*(?:\\n {10,}.*)*)`, "m").exec(stdout) ?? [];
    const isRequired = ["--org", "--env", "--scopes", "--name"].includes(option ?? "");
    expect([option, described.includes("(required)")]).toEqual([option, isRequired]);
  }
});

test("--help needs nothing, lists every command and says what exit codes mean, and commands end with them", async () => {
  const { status, stdout } = spawnSync(process.execPath, ["src/main/cli.ts", "--help"], {
    cwd: root,
    encoding: "utf8",
    env: { PATH: "" },
  });
  expect(status).toBe(0);
  for (const name of [
    ...["start", "status", "gateway", "worker", "migrate", "org", "token", "credits", "keys", "analyst"],
  ]) {
    expect(stdout).toMatch(new RegExp(`^ +${name}\\b`, "m"));
  }
  const codes = stdout.slice(stdout.indexOf("Exit codes:"));
  expect([...codes.matchAll(/^ {2}(\d) {2}(\S+)/gm)].map(([, code, word]) => [code, word])).toEqual([
    ["0", "done;"],
    ["1", "refused"],
    ["2", "proof"], // verify.test.ts ends with it
    ["3", "proof"],
  ]);
  for (const [args, code] of [
    [["--version"], 0],
    [["nothing"], 1],
    [["org", "list"], 1],
    [["status"], 1],
    [["proof", "verify"], 3],
  ] as const)
    expect([args, (await command(args, { SELO_DATA_DIR: nowhere })).code]).toEqual([args, code]);
});

describe("errors on a terminal", () => {
  const [RED, PLAIN] = ["\u001b[31m", "\u001b[39m"];
  /** What a terminal is sent by a command. */
  const shown = (words: string, variables: Readonly<Record<string, string>> = {}) =>
    spawnSync("script", ["-qec", `${process.execPath} src/main/cli.ts ${words}`, "/dev/null"], {
      cwd: root,
      encoding: "utf8",
      env: { PATH: process.env["PATH"] ?? "", TERM: "xterm", SHELL: "/bin/sh", SELO_DATA_DIR: nowhere, ...variables },
    }).stdout.replaceAll("\r", "");
  const REFUSAL = "error: There is no database";

  test("are red, unless NO_COLOR is set", () => {
    const text = shown("org list");
    expect(text).toContain(`${RED}${REFUSAL}`);
    expect(text).toContain(PLAIN);
    expect(shown("org list", { NO_COLOR: "1" })).toMatch(new RegExp(`^${REFUSAL}`));
  });

  test.each([
    ["a refusal", ["org", "list"], REFUSAL],
    ["a wrong argument", ["token", "create"], "error: required option"],
    [
      "a proof that cannot be read",
      ["proof", "verify", "/nowhere", "--evidence", "/nowhere"],
      "/nowhere: the file cannot be read",
    ],
  ])("%s is red where colours are asked for, and nothing is in a pipe", async (_, args, said) => {
    const environment = { SELO_DATA_DIR: nowhere };
    const coloured = await command(args, { ...environment, FORCE_COLOR: "1" });
    expect(coloured.stderr).toContain(`${RED}${said}`);
    expect(coloured.stderr).toContain(PLAIN);
    const { stdout, stderr } = await command(args, environment);
    expect(stderr).toContain(said);
    expect(stdout + stderr).not.toContain("\u001b");
  });

  test("what is no error is not", async () => {
    const { stdout, stderr } = await command(["status"], { SELO_DATA_DIR: nowhere, FORCE_COLOR: "1" });
    expect(stdout + stderr).not.toContain("\u001b");
  });
});
