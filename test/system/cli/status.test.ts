// `selo status`, and what commands say and leave behind before there is a database.
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { command } from "../../support/command.ts";
import { createTestDatabase } from "../../support/database.ts";
import { startTestGateway } from "../../support/gateway.ts";
import {
  dataFolder,
  freePort,
  postmasterPid,
  preparedDataFolder,
  processesIn,
  type SeloProcess,
  selo,
} from "../../support/selo-process.ts";

interface Status {
  readonly version: string;
  readonly node: string;
  readonly data_dir: string;
  readonly database: Readonly<Record<string, string | null>>;
  readonly migrations: { readonly applied: number; readonly pending: readonly string[] } | null;
  readonly gateway: { readonly url: string; readonly state: string; readonly failed: readonly string[] };
  readonly worker: boolean | null;
  readonly demo: object | null;
  readonly missing: readonly { readonly what: string; readonly run: string }[];
}

const { version } = JSON.parse(fs.readFileSync(path.resolve(import.meta.dirname, "../../../package.json"), "utf8"));

async function status(
  environment: Readonly<Record<string, string>>,
): Promise<Status & { readonly code: number | null }> {
  const { code, stdout, stderr } = await command(["status", "--json"], environment);
  expect(stderr).toBe("");
  return { ...(JSON.parse(stdout) as Status), code };
}

describe("before the first start", () => {
  const folder = dataFolder();
  afterAll(() => folder.remove());

  test.each([
    [["org", "list"]],
    [["token", "list", "--org", "1"]],
    [["credits", "show", "--org", "1"]],
    [["analyst", "list"]],
    [["analyst", "create", "--org", "1"]],
    [["keys", "list"]],
    [["keys", "rotate"]],
    [["jobs", "list"]],
    [["audit", "verify"]],
    [["migrate", "--status"]],
    [["backup", path.join(folder.path, "selo.backup")]],
    [["gateway"]],
    [["worker"]],
    [["listen"]],
  ])("%j says what to run, and leaves nothing behind", async (args) => {
    const { code, stdout, stderr } = await command(args, { SELO_DATA_DIR: folder.path });
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: "", stderr: expect.stringContaining("npm start") });
    expect(stderr).toContain(folder.path);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(fs.existsSync(folder.path)).toBe(false);
    expect(processesIn(folder.path)).toEqual([]);
  });

  test("status says so, too", async () => {
    const environment = { SELO_DATA_DIR: folder.path, PORT: String(await freePort()) };
    const found = await status(environment);
    expect(found).toEqual({
      code: 1,
      version,
      node: process.versions.node,
      data_dir: folder.path,
      database: { kind: "embedded", place: null, state: "none", version: null },
      migrations: null,
      worker: null,
      gateway: { url: `http://localhost:${environment.PORT}`, state: "away", failed: [] },
      demo: null,
      missing: [{ what: "a database", run: expect.stringContaining("npm start") }],
    });
    expect(fs.existsSync(folder.path)).toBe(false);
  });
});

test("a database of one's own that is not migrated is named as such by every command that needs it", async () => {
  const empty = await createTestDatabase({ empty: true });
  const folder = dataFolder();
  try {
    const environment = {
      SELO_DATA_DIR: folder.path,
      DATABASE_URL: empty.appUrl,
      DATABASE_ADMIN_URL: empty.adminUrl,
      PORT: String(await freePort()),
    };
    for (const args of [
      ["org", "list"],
      ["jobs", "list"],
      ["keys", "rotate"],
    ])
      expect(await command(args, environment)).toMatchObject({
        code: 1,
        stdout: "",
        stderr: expect.stringMatching(/^the database is not migrated: run selo migrate first\n$/),
      });
    const found = await status(environment);
    expect(found).toMatchObject({
      code: 1,
      database: { kind: "configured", state: "running" },
      migrations: { applied: 0 },
    });
    expect(found.missing.map(({ run }) => run)).toEqual([
      "run `selo migrate`",
      "run `npm start`, or `selo gateway`",
      "run `npm start`, or `selo worker`",
    ]);
    expect(fs.existsSync(folder.path)).toBe(false);
  } finally {
    folder.remove();
    await empty.drop();
  }
});

describe("selo status of a start", () => {
  const folder = preparedDataFolder();
  let port: number;
  let started: SeloProcess;
  beforeAll(async () => {
    port = await freePort();
    started = selo(["start", "--json"], { SELO_DATA_DIR: folder.path, PORT: String(port) });
    await started.until("\n");
  });
  afterAll(async () => {
    started?.child.kill("SIGTERM");
    await started?.finished;
    folder.remove();
  });

  test("finds where it is by demo.json, says what runs in which version, and ends with 0", async () => {
    const found = await status({ SELO_DATA_DIR: folder.path });
    expect(found).toEqual({
      code: 0,
      version,
      node: process.versions.node,
      data_dir: folder.path,
      database: {
        kind: "embedded",
        place: expect.stringMatching(/^127\.0\.0\.1:\d+\/selo$/),
        state: "running",
        version: expect.stringMatching(/^\d+\.\d+$/),
      },
      migrations: { applied: expect.any(Number), pending: [] },
      worker: true,
      gateway: { url: `http://localhost:${port}`, state: "ready", failed: [] },
      demo: { organization: 1, file: path.join(folder.path, "demo.json") },
      missing: [],
    });
    const { code, stdout } = await selo(["status"], { SELO_DATA_DIR: folder.path }).finished;
    expect(code).toBe(0);
    for (const words of [`Selo ${version}`, `http://localhost:${port}: ready`, "connected", "0 pending"])
      expect(stdout).toContain(words);
    expect(stdout).not.toContain("missing");
    expect(stdout).not.toMatch(/svc_|postgres:\/\/|password/);
  });

  test("listen goes where that start is, with its token, and not where another address is named", async () => {
    const listening = selo(["listen", "--json"], { SELO_DATA_DIR: folder.path });
    const line = JSON.parse(await listening.until("\n")) as { type: string; url: string };
    expect(line).toMatchObject({ type: "endpoint", url: `http://localhost:${port}` });
    listening.child.kill("SIGINT");
    expect((await listening.finished).code).toBe(0);
    const elsewhere = await command(["listen"], { SELO_DATA_DIR: folder.path, PUBLIC_URL: "https://selo.example" });
    expect(elsewhere).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining(`http://localhost:${port}`),
    });
  });

  test("once it ended, says that it does not run, and starts nothing", async () => {
    started.child.kill("SIGTERM");
    await started.finished;
    const found = await status({ SELO_DATA_DIR: folder.path });
    expect(found).toMatchObject({
      code: 1,
      database: { kind: "embedded", place: null, state: "stopped" },
      gateway: { url: `http://localhost:${port}`, state: "away" },
      missing: [{ what: "the embedded Postgres is not running" }],
    });
    expect(postmasterPid(folder.path)).toBeNull();
    expect(processesIn(folder.path)).toEqual([]);
  });
});

test("status of a deployment: a gateway without a worker, one that is not ready, a database that is away; no password", async () => {
  const gateway = await startTestGateway();
  try {
    const environment = {
      DATABASE_URL: gateway.database.appUrl,
      DATABASE_ADMIN_URL: gateway.database.adminUrl,
      PUBLIC_URL: gateway.baseUrl,
    };
    const passwords = [gateway.database.appUrl, gateway.database.adminUrl].map((url) => new URL(url).password);
    const found = await status(environment);
    expect(found).toMatchObject({
      code: 1,
      database: { kind: "configured", state: "running" },
      worker: false,
      gateway: { state: "ready" },
    });
    expect(found.missing.map(({ what }) => what)).toEqual(["no worker is connected"]);
    await gateway.database.admin.query(
      "update platform.settings set value = 'https://other.example' where name = 'public_url'",
    );
    await expect
      .poll(async () => (await status(environment)).gateway)
      .toMatchObject({ state: "not_ready", failed: ["public_url"] });
    await gateway.database.admin.query(
      "delete from platform.migrations where name = (select max(name) from platform.migrations)",
    );
    expect((await status(environment)).migrations?.pending).toHaveLength(1);
    const away = await status({ ...environment, DATABASE_ADMIN_URL: "postgres://selo:s3cr3t@127.0.0.1:1/selo" });
    expect(away).toMatchObject({
      code: 1,
      database: { kind: "configured", place: "127.0.0.1:1/selo", state: "unreachable" },
      migrations: null,
    });
    for (const secret of [...passwords.filter(Boolean), "s3cr3t"])
      expect(JSON.stringify([found, away])).not.toContain(secret);
  } finally {
    await gateway.stop();
  }
});
