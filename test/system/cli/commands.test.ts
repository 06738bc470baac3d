// `selo org | token | credits | keys | migrate`, beside a running start and without one. What they refuse: refusals.test.ts.
import fs from "node:fs";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { command, commandJson } from "../../support/command.ts";
import {
  freePort,
  postmasterPid,
  preparedDataFolder,
  processesIn,
  type SeloProcess,
  selo,
  seloJson,
} from "../../support/selo-process.ts";
import { everyCommand, type Organization } from "./every-command.ts";

const folder = preparedDataFolder();
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

const list = (token: string) =>
  fetch(`${base}/api/v1/proofs`, { headers: { authorization: `Bearer ${token}` } }).then(({ status }) => status);

describe("every command with --json", () => {
  test("beside a running start, which it leaves alone", async () => {
    const postmaster = postmasterPid(folder.path);
    await everyCommand(environment, async (url) => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      const { rows } = await client.query("select balance from credit_balances order by balance");
      expect(rows).toEqual([{ balance: "2" }, { balance: "10" }]);
      await client.end();
    });
    expect(postmasterPid(folder.path)).toBe(postmaster);
    expect((await fetch(`${base}/readyz`)).status).toBe(200);
  }, 120_000);

  test("what it makes works at once, and what it revokes stops at once", async () => {
    const [demo] = await commandJson<Organization[]>(["org", "list"], environment);
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
    const { id, token } = await commandJson<{ id: string; token: string }>(create, environment);
    expect(await list(token)).toBe(200);
    await commandJson(["token", "revoke", id], environment);
    expect(await list(token)).toBe(401);
  });

  test("zones, with the key of the demo organization", async () => {
    const zone = <Answer>(...words: string[]) => commandJson<Answer>(["zone", ...words], environment);
    const file = path.join(fs.mkdtempSync(path.join(folder.path, "zone-")), "file");
    fs.writeFileSync(file, "www 300 A 192.0.2.1\n");
    const made = await zone<{ id: number; name: string }>("create", "commands.test");
    // A worker checks its delegation meanwhile.
    const same = { ...made, checked_at: expect.toBeOneOf([null, expect.any(String)]) };
    expect(await zone("list")).toEqual([same]);
    expect(await zone("import", "commands.test", file)).toMatchObject({ imported: 1, skipped: 0 });
    expect(await zone("records", "commands.test")).toMatchObject([{ name: "www.commands.test", ttl: 300 }]);
    const exported = await command(["zone", "export", "commands.test"], environment);
    expect(exported).toMatchObject({ code: 0, stdout: expect.stringContaining("www 300 IN A 192.0.2.1\n") });
    expect((await command(["zone", "diff", "commands.test", file], environment)).code).toBe(0);
    expect(await zone("delete", "commands.test")).toEqual(same);
    const [demo] = await commandJson<Organization[]>(["org", "list"], environment);
    expect(await zone("restore", "commands.test", "--org", String(demo?.number))).toMatchObject({ records: 1 });
  });

  test("without --json they speak to people, and a token is shown once", async () => {
    const { code, stdout } = await command(
      ["token", "create", "--org", "1", "--env", "test", "--scopes", "all", "--name", "people"],
      environment,
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/^svc_test_[\w-]{43}\n/);
    expect((await command(["org", "list"], environment)).stdout).toMatch(
      /^number {2}id {36}plan {6}name\n +\d+ {2}[0-9a-f-]{36} {2}\w+ +Demo Organization\n/,
    );
    expect((await command(["token", "list", "--org", "1"], environment)).stdout).toMatch(/ {2}people +all$/m);
    expect((await command(["analyst", "list"], environment)).stdout).toBe("no analysts\n");
    expect((await command(["keys", "list"], environment)).stdout).toMatch(
      /^key +environment {2}algorithm +status +created +retired +expires\n(\S+ +(live|test) +\S+ +(active +\S+Z {2}- +|retired {2}\S+Z {2}\S+Z {2})(-|\S+Z)\n)+$/,
    );
    expect((await command(["migrate", "--status"], environment)).stdout).toContain("0001-platform");
  });

  test("without a running start: Postgres comes up for the command and is gone after it", async () => {
    started.child.kill("SIGTERM");
    expect((await started.finished).code).toBe(0);
    expect(processesIn(folder.path)).toEqual([]);
    const made = await seloJson<Organization>(["org", "create", "--name", "Alone"], environment);
    expect(processesIn(folder.path)).toEqual([]);
    expect(await commandJson(["org", "list"], environment)).toContainEqual(made);
    expect(await commandJson(["migrate"], environment)).toEqual({ applied: [] });
    expect(processesIn(folder.path)).toEqual([]);
    expect(postmasterPid(folder.path)).toBeNull();
  });
});
