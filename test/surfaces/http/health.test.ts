// /healthz, /readyz, what every response carries, and stopping without cutting anyone off.

import { createHash, randomBytes } from "node:crypto";
import fs from "node:fs";
import net from "node:net";
import pino from "pino";
import { afterEach, describe, expect, test } from "vitest";
import { readConfig } from "../../../src/main/config.ts";
import { type Gateway, startGateway } from "../../../src/main/gateway.ts";
import { masterKeysOf } from "../../../src/main/master-key.ts";
import { databaseWay } from "../../support/database-way.ts";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { TEST_MASTER_KEY } from "../../support/global-setup.ts";
import { call, expectCommonHeaders, expectError, filePart, multipartBody } from "../../support/rest-client.ts";
import { timeAhead } from "../../support/time-ahead.ts";

const started: TestGateway[] = [];
async function start(
  environment?: Record<string, string>,
  options?: Parameters<typeof startTestGateway>[1],
): Promise<TestGateway> {
  const selo = await startTestGateway(environment, options);
  started.push(selo);
  return selo;
}
afterEach(async () => {
  for (const selo of started.splice(0)) await selo.stop();
});

interface Readiness {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: { readonly status: string; readonly checks: Readonly<Record<string, string>> };
}

async function readiness(baseUrl: string): Promise<Readiness> {
  const response = await fetch(`${baseUrl}/readyz`);
  return {
    status: response.status,
    retryAfter: response.headers.get("retry-after"),
    body: (await response.json()) as Readiness["body"],
  };
}

/** Not ready: 503 with Retry-After, exactly these checks failed, and nothing said of why. */
function expectNotReady(state: Readiness, failed: readonly string[]): void {
  expect(state.status).toBe(503);
  expect(state.retryAfter).toMatch(/^[1-9]\d*$/);
  expect(state.body.status).toBe("not_ready");
  const checks = Object.entries(state.body.checks);
  expect(checks.filter(([, outcome]) => outcome === "failed").map(([name]) => name)).toEqual(failed);
  expect(checks.filter(([, outcome]) => outcome !== "failed").every(([, outcome]) => outcome === "ok")).toBe(true);
}

/** Its outcomes serve for a moment only. */
const BRIEFLY = { freshness: { readinessMs: 20 } };

/** /readyz keeps its outcome for a moment: asks until what was just changed shows. */
async function eventually(baseUrl: string, status: 200 | 503): Promise<Readiness> {
  await expect.poll(async () => (await readiness(baseUrl)).status, { interval: 20 }).toBe(status);
  return readiness(baseUrl);
}

/** Another gateway on the same database. */
async function second(
  selo: TestGateway,
  masterKey: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<{ gateway: Gateway; baseUrl: string }> {
  const config = readConfig({
    PORT: "0",
    PUBLIC_URL: "http://selo.test",
    SELO_MASTER_KEY: masterKey,
    DATABASE_URL: selo.database.appUrl,
    STORAGE_FOLDER: selo.config.storageFolder,
    ...environment,
  });
  const gateway = await startGateway({
    config,
    databaseUrl: selo.database.appUrl,
    masterKeys: masterKeysOf(config),
    log: pino({ level: "silent" }),
  });
  return { gateway, baseUrl: `http://127.0.0.1:${gateway.port}` };
}

describe("readiness", () => {
  const passTime = timeAhead();

  test("all is well: /healthz and /readyz are 200 and every check is ok", async () => {
    const selo = await start();
    expect((await fetch(`${selo.baseUrl}/healthz`)).status).toBe(200);
    const state = await readiness(selo.baseUrl);
    expect(state.status).toBe(200);
    expect(state.retryAfter).toBeNull();
    expect(state.body.status).toBe("ready");
    expect(Object.keys(state.body.checks)).toEqual(expect.arrayContaining(["database", "migrations", "keys"]));
    expect(new Set(Object.values(state.body.checks))).toEqual(new Set(["ok"]));
    // Without a nameserver the gateway is ready all the same, and says so.
    expect(state.body).toMatchObject({ nameserver: "not_installed", nameservers: [] });
  });

  test.each(["Ed25519", "ML-DSA-87"])("not ready when an environment lacks an active %s key", async (algorithm) => {
    const selo = await start({}, BRIEFLY);
    for (const environment of ["live", "test"]) {
      const update =
        "update platform.platform_keys set status = $1, retired_at = $2 where algorithm = $3 and environment = $4";
      await selo.database.admin.query(update, ["retired", new Date(), algorithm, environment]);
      expectNotReady(await eventually(selo.baseUrl, 503), ["keys"]);
      await selo.database.admin.query(update, ["active", null, algorithm, environment]);
      await eventually(selo.baseUrl, 200);
    }
  });

  test("whoever asks within a moment gets the outcome of one check, which is forgotten then", async () => {
    const MOMENT_MS = 60_000;
    const selo = await start({}, { freshness: { readinessMs: MOMENT_MS } });
    const { admin } = selo.database;
    // Every check counts itself in the database.
    await admin.query("create sequence platform.checks; grant usage on sequence platform.checks to selo_owner");
    const { rows } = await admin.query<{ definition: string }>(
      "select pg_get_functiondef('gateway.readiness()'::regprocedure) as definition",
    );
    const counting = (rows[0]?.definition ?? "").replace(
      /\nbegin\n/i,
      "\nbegin\n  perform nextval('platform.checks');\n",
    );
    expect(counting).toContain("nextval");
    await admin.query(counting);
    const checks = async () =>
      (
        await admin.query<{ checks: number }>(
          "select case when is_called then last_value else 0 end::int as checks from platform.checks",
        )
      ).rows[0]?.checks;

    // The outcome of the check that the gateway made when it started serves first.
    await readiness(selo.baseUrl);
    expect(await checks()).toBe(0);
    passTime(MOMENT_MS + 1);
    const states = await Promise.all(Array.from({ length: 20 }, () => readiness(selo.baseUrl)));
    states.push(await readiness(selo.baseUrl));
    expect(new Set(states.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(states.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(await checks()).toBe(1);
    passTime(MOMENT_MS + 1);
    await readiness(selo.baseUrl);
    expect(await checks()).toBe(2);
  });

  test("a gateway whose master key is another than the keys are sealed under does not start, and says which variable is wrong", async () => {
    const selo = await start();
    await expect(second(selo, "22".repeat(32))).rejects.toThrow(/^SELO_MASTER_KEY: /);
    expect((await readiness(selo.baseUrl)).status).toBe(200);
  });

  test.each([
    ["a seed was moved to another key", "sealed_seed = other.sealed_seed"],
    ["a public key does not belong to its seed", "public_key = other.public_key"],
  ])("not ready when %s", async (_, change) => {
    const selo = await start();
    await selo.database.admin.query(
      `update platform.platform_keys as key set ${change} from platform.platform_keys as other
       where key.algorithm = 'Ed25519' and other.algorithm = 'Ed25519' and key.environment <> other.environment`,
    );
    const moved = await second(selo, TEST_MASTER_KEY);
    try {
      expectNotReady(await readiness(moved.baseUrl), ["keys"]);
    } finally {
      await moved.gateway.stop();
    }
  });

  test("not ready when the database lacks this program's newest migration; ready when it has a newer one", async () => {
    const selo = await start({}, BRIEFLY);
    const { rows } = await selo.database.admin.query<{ name: string }>(
      "select name from platform.migrations order by name desc limit 1",
    );
    const rename = (from: string, to: string) =>
      selo.database.admin.query("update platform.migrations set name = $2 where name = $1", [from, to]);
    const newest = rows[0]?.name ?? "";
    await rename(newest, "0000-older");
    expectNotReady(await eventually(selo.baseUrl, 503), ["migrations"]);
    await rename("0000-older", "9999-newer");
    await eventually(selo.baseUrl, 200);
  });

  test("not ready when the storage is away, ready again when it is back, and no probe stays there", async () => {
    const selo = await start({}, BRIEFLY);
    const { storageFolder } = selo.config;
    fs.renameSync(storageFolder, `${storageFolder}.away`);
    expectNotReady(await eventually(selo.baseUrl, 503), ["storage"]);
    const page = await (await fetch(`${selo.baseUrl}/status`, { headers: { "accept-language": "pt-BR" } })).text();
    expect(page).toContain("Não dá para enviar nem abrir documentos.");
    // The mount point of a disk that is gone gets no folders.
    expect(fs.existsSync(storageFolder)).toBe(false);
    fs.renameSync(`${storageFolder}.away`, storageFolder);
    await eventually(selo.baseUrl, 200);
    const files = fs.readdirSync(storageFolder, { recursive: true, withFileTypes: true });
    expect(files.filter((entry) => entry.isFile())).toEqual([]);
  });

  test("a gateway whose storage cannot be used does not start, and says which variable is wrong", async () => {
    const selo = await start();
    const file = `${selo.config.storageFolder}/file`;
    fs.writeFileSync(file, "");
    await expect(second(selo, TEST_MASTER_KEY, { STORAGE_FOLDER: `${file}/objects` })).rejects.toThrow(
      /^STORAGE_FOLDER: the storage cannot be used \(ENOTDIR\)$/,
    );
  });

  test("not ready when the database is away, alive all the same, and ready again when it is back", async () => {
    const selo = await start();
    const { live } = await selo.newOrganization();
    const way = await databaseWay(selo.database.appUrl);
    const config = { ...selo.config, databaseUrl: way.url };
    const gateway = await startGateway({
      config,
      databaseUrl: way.url,
      masterKeys: masterKeysOf(config),
      log: pino({ level: "silent" }),
      ...BRIEFLY,
    });
    const baseUrl = `http://127.0.0.1:${gateway.port}`;
    try {
      expect((await readiness(baseUrl)).status).toBe(200);
      await way.close();
      const state = await eventually(baseUrl, 503);
      expect(state.retryAfter).toMatch(/^[1-9]\d*$/);
      // Whether those that ask it would fail, nobody knows.
      const { database: ofDatabase, storage, ...others } = state.body.checks;
      expect(storage).toBe("ok");
      expect([ofDatabase, ...new Set(Object.values(others))]).toEqual(["failed", "unknown"]);
      const page = await (await fetch(`${baseUrl}/status`, { headers: { "accept-language": "en" } })).text();
      expect(page.match(/Not checked<\/span>/g)).toHaveLength(4);
      expect(page).not.toContain("an update may be under way");
      expect((await fetch(`${baseUrl}/healthz`)).status).toBe(200);
      for (const [method, path, body] of [
        ["GET", "/proofs", undefined],
        ["POST", "/proofs", { sha256: "b".repeat(64) }],
        ["GET", "/public/platform-key", undefined],
        ["GET", "/proofs?limit=0", undefined],
      ] as const) {
        expectError(await call({ baseUrl }, method, path, { token: live, body }), 503, "unavailable");
      }
      await way.open();
      await eventually(baseUrl, 200);
      const response = await call({ baseUrl }, "POST", "/proofs", { token: live, body: { sha256: "b".repeat(64) } });
      expect(response.status).toBe(201);
    } finally {
      await gateway.stop();
      await way.close();
    }
  });
});

describe("every response", () => {
  test("carries a request id of its own and the security headers, whatever it answers", async () => {
    const selo = await start();
    const { live } = await selo.newOrganization();
    const headers = { authorization: `Bearer ${live}`, "content-type": "application/json" };
    const requests: [string, RequestInit][] = [
      ["/healthz", {}],
      ["/readyz", {}],
      ["/nothing", {}],
      ["/api/v1/nothing", {}],
      ["/api/v1/proofs", {}],
      ["/api/v1/proofs", { headers }],
      ["/api/v1/proofs", { method: "DELETE" }],
      ["/api/v1/proofs", { method: "POST", headers, body: "{" }],
      ["/api/v1/proofs", { method: "POST", headers, body: JSON.stringify({ sha256: "c".repeat(64) }) }],
      ["/api/v1/proofs/%zz", { headers }],
      ["/api/v1/proofs/x", { headers }],
      ["/api/v1/public/platform-key", { method: "HEAD" }],
    ];
    const ids = new Set<string>();
    for (const [path, init] of requests) {
      const response = await fetch(selo.baseUrl + path, init);
      ids.add(response.headers.get("x-request-id") ?? "");
      expectCommonHeaders(response);
      expect(response.headers.get("x-powered-by")).toBeNull();
      expect(response.headers.get("server")).toBeNull();
      expect(response.headers.get("access-control-allow-origin")).toBeNull();
      await response.arrayBuffer();
    }
    expect(ids.size).toBe(requests.length);
    const { headers: common } = await fetch(`${selo.baseUrl}/healthz`);
    expect(common.get("content-security-policy")).toContain("default-src 'none'");
    expect(common.get("x-frame-options")).toBe("SAMEORIGIN");
    expect(common.get("referrer-policy")).toBe("no-referrer");
    expect(common.get("strict-transport-security")).toBeNull();
  });

  test("asks for HTTPS from then on when the public address is https", async () => {
    const selo = await start({ PUBLIC_URL: "https://selo.test" });
    expect((await fetch(`${selo.baseUrl}/healthz`)).headers.get("strict-transport-security")).toMatch(/max-age=\d{7,}/);
  });

  test("a fault of ours says only where to find it, and that is in the logs", async () => {
    const selo = await start();
    const { live } = await selo.newOrganization();
    await selo.database.admin.query(
      `create or replace function gateway.get_proof(p_id uuid, p_fields text[] default null) returns json language plpgsql stable security definer
         set search_path = '' as $$ begin raise exception 'words of the database'; end $$`,
    );
    const path = "/proofs/0197a0c0-0000-7000-8000-000000000000";
    const response = await call(selo, "GET", path, { token: live });
    expectError(response, 500, "internal_error");
    const id = response.headers.get("x-request-id") ?? "none";
    expect(response.body.detail.message).toContain(id);
    expect(selo.logs.some((line) => line.includes(id) && line.includes('"level":50'))).toBe(true);
    expect(response.text).not.toContain("words of the database");
    expect((await call(selo, "GET", "/proofs", { token: live })).status).toBe(200);
  });
});

/** An upload that sends its last bytes only when told to. */
async function slowUpload(selo: TestGateway, token: string, file: Buffer) {
  const { bytes, headers } = multipartBody([filePart(file)]);
  const socket = net.connect(selo.gateway.port, "127.0.0.1");
  const received: Buffer[] = [];
  socket.on("data", (chunk) => received.push(chunk));
  const ended = new Promise<string>((resolve) => {
    socket.on("error", () => {});
    socket.on("close", () => resolve(Buffer.concat(received).toString()));
  });
  const head = [
    "POST /api/v1/proofs HTTP/1.1",
    "Host: selo.test",
    `Authorization: Bearer ${token}`,
    `Content-Type: ${headers["content-type"]}`,
    `Content-Length: ${bytes.length}`,
    "",
    "",
  ].join("\r\n");
  await new Promise<void>((written) => {
    socket.write(Buffer.concat([Buffer.from(head), bytes.subarray(0, bytes.length - 50)]), () => written());
  });
  // Under way once its token was looked up, which the gateway does before it reads the file.
  expect(socket.bytesWritten).toBeGreaterThan(0);
  await call(selo, "GET", "/proofs", { token });
  return { ended, finish: () => socket.write(bytes.subarray(bytes.length - 50)), destroy: () => socket.destroy() };
}

describe("stopping", () => {
  test("a slow upload under way finishes, new connections are refused, and idle ones do not hold it up", async () => {
    // The test would be over before, if it were held up.
    const selo = await startTestGateway({ SHUTDOWN_GRACE_SECONDS: "60" });
    try {
      const { live } = await selo.newOrganization();
      const file = randomBytes(50_000);
      const idle = net.connect(selo.gateway.port, "127.0.0.1");
      await new Promise((connected) => idle.once("connect", connected));
      const upload = await slowUpload(selo, live, file);
      let stopped = false;
      const stopping = selo.gateway.stop().then(() => {
        stopped = true;
      });
      await expect.poll(() => refuses(selo.gateway.port)).toBe(true);
      expect(stopped).toBe(false);
      upload.finish();
      const answer = await upload.ended;
      expect(answer).toMatch(/^HTTP\/1\.1 201 /);
      expect(answer).toContain(createHash("sha256").update(file).digest("hex"));
      await stopping;
      const { rows } = await selo.database.admin.query<{ proofs: number }>(
        "select count(*)::int as proofs from signature.proofs",
      );
      expect(rows[0]?.proofs).toBe(1);
      idle.destroy();
    } finally {
      await selo.operator.close();
      await selo.database.drop();
    }
  });

  test("an upload that never ends holds it up for SHUTDOWN_GRACE_SECONDS and no longer", async () => {
    const selo = await startTestGateway({ SHUTDOWN_GRACE_SECONDS: "1" });
    try {
      const { live } = await selo.newOrganization();
      const upload = await slowUpload(selo, live, randomBytes(10_000));
      const before = performance.now();
      await selo.gateway.stop();
      upload.destroy();
      expect(performance.now() - before).toBeGreaterThan(900);
    } finally {
      await selo.operator.close();
      await selo.database.drop();
    }
  });
});

function refuses(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(false);
    });
    socket.once("error", () => resolve(true));
  });
}
