// Authentication (signature-service §5): what a token is, what refuses it, and that it stays secret.
import { createHash, randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Database } from "../../../src/postgres/database.ts";
import { createPool } from "../../../src/postgres/pool.ts";
import { TokenUse } from "../../../src/surfaces/http/token-use.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { call, countRows, expectError, filePart, multipartBody, sendRaw } from "../../support/rest-client.ts";

let selo: TestGateway;
let organization: TestOrganization;
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization();
});
afterAll(() => selo.stop());

const digest = () => randomBytes(32).toString("hex");
const list = (headers: Record<string, string>) => call(selo, "GET", "/proofs", { headers });

describe("a token", () => {
  test("is its environment's prefix with at least 256 random bits, kept only as a hash", async () => {
    const made = await selo.operator.createToken(organization.id, "live", "shape", ["proofs:read"]);
    expect(made.token).toMatch(/^svc_live_[A-Za-z0-9_-]{43}$/);
    expect(organization.test).toMatch(/^svc_test_[A-Za-z0-9_-]{43}$/);
    expect(made.prefix).toBe(made.token.slice(0, 15));
    const secret = made.token.slice("svc_live_".length);
    for (const table of ["platform.tokens", "platform.credentials"]) {
      const { rows } = await selo.database.admin.query<{ found: number }>(
        `select count(*)::int as found from ${table} as row where row::text like '%' || $1 || '%'`,
        [secret.slice(0, 12)],
      );
      expect(rows[0]?.found).toBe(0);
    }
    const hash = createHash("sha256").update(made.token).digest();
    const { rowCount } = await selo.database.admin.query("select from platform.credentials where digest = sha256($1)", [
      hash,
    ]);
    expect(rowCount).toBe(1);
  });

  test("can hold each of the 22 documented scopes", async () => {
    expect(await selo.operator.allScopes()).toEqual([
      "audit:read",
      "billing:read",
      "documents:read",
      "documents:write",
      "envelopes:cancel",
      "envelopes:read",
      "envelopes:send",
      "envelopes:write",
      "integrations:manage",
      "invoices:cancel",
      "invoices:manage",
      "invoices:read",
      "invoices:write",
      "labels:read",
      "labels:write",
      "proofs:read",
      "proofs:write",
      "signatures:read",
      "signatures:validate",
      "templates:read",
      "templates:write",
      "webhooks:manage",
    ]);
  });

  test("is taken whatever the case of the word Bearer", async () => {
    for (const scheme of ["Bearer", "bearer", "BEARER"]) {
      expect((await list({ authorization: `${scheme} ${organization.live}` })).status).toBe(200);
    }
  });
});

describe("401 unauthenticated with WWW-Authenticate: Bearer", () => {
  const unknown = `svc_live_${"A".repeat(43)}`;
  test.each<[string, () => Record<string, string>]>([
    ["no header", () => ({})],
    ["an empty header", () => ({ authorization: "" })],
    ["the scheme alone", () => ({ authorization: "Bearer" })],
    ["the scheme Basic", () => ({ authorization: `Basic ${organization.live}` })],
    ["no scheme", () => ({ authorization: organization.live })],
    ["an unknown token", () => ({ authorization: `Bearer ${unknown}` })],
    ["a token with one character changed", () => ({ authorization: `Bearer ${flipped(organization.live)}` })],
    ["a token of the other environment's prefix", () => ({ authorization: `Bearer ${swapped(organization.live)}` })],
    ["a token that goes on", () => ({ authorization: `Bearer ${organization.live}x` })],
    ["a token cut short", () => ({ authorization: `Bearer ${organization.live.slice(0, -1)}` })],
    ["two tokens", () => ({ authorization: `Bearer ${organization.live} ${organization.live}` })],
    ["a token in another header", () => ({ "x-api-key": organization.live })],
  ])("%s", async (_, headers) => {
    expectError(await list(headers()), 401, "unauthenticated");
  });

  test("a token in the query is none", async () => {
    const response = await call(selo, "GET", `/proofs?access_token=${organization.live}`);
    expectError(response, 401, "unauthenticated");
  });

  test("a revoked token, from the moment it is revoked", async () => {
    const { id, token } = await selo.operator.createToken(organization.id, "live", "short-lived", ["proofs:read"]);
    expect((await call(selo, "GET", "/proofs", { token })).status).toBe(200);
    await selo.operator.revokeToken(id);
    expectError(await call(selo, "GET", "/proofs", { token }), 401, "unauthenticated");
    expect((await call(selo, "GET", "/proofs", { token: organization.live })).status).toBe(200);
  });

  test("an expired token, and not before it expires", async () => {
    const soon = new Date(Date.now() + 3_600_000);
    const { id, token } = await selo.operator.createToken(organization.id, "live", "expiring", ["proofs:read"], soon);
    expect((await call(selo, "GET", "/proofs", { token })).status).toBe(200);
    await selo.database.admin.query(
      "update platform.credentials set expires_at = clock_timestamp() where actor_id = $1",
      [id],
    );
    expectError(await call(selo, "GET", "/proofs", { token }), 401, "unauthenticated");
  });
});

describe("403 missing_scope names the scope", () => {
  test("of a read and of a write, and writes nothing", async () => {
    const others = (await selo.operator.allScopes()).filter((scope) => !scope.startsWith("proofs:"));
    const token = await organization.token("live", others);
    const rows = await countRows(selo);
    const read = await call(selo, "GET", "/proofs", { token });
    expectError(read, 403, "missing_scope");
    expect(read.body.detail.message).toContain("proofs:read");
    const write = await call(selo, "POST", "/proofs", { token, body: { sha256: digest() }, key: "scope" });
    expectError(write, 403, "missing_scope");
    expect(write.body.detail.message).toContain("proofs:write");
    expect(await countRows(selo)).toEqual(rows);
  });

  test("also where proofs:read does not suffice to write, and proofs:write not to read", async () => {
    const reader = await organization.token("live", ["proofs:read"]);
    const writer = await organization.token("live", ["proofs:write"]);
    expectError(
      await call(selo, "POST", "/proofs", { token: reader, body: { sha256: digest() } }),
      403,
      "missing_scope",
    );
    expectError(await call(selo, "GET", "/proofs", { token: writer }), 403, "missing_scope");
  });
});

describe("who may not ask is told so first, whatever else is wrong with the request", () => {
  const wrong: [string, Parameters<typeof call>[3]][] = [
    ["unparsable JSON", { body: "{" }],
    ["an empty body", { body: "", headers: { "content-type": "application/json" } }],
    ["a wrong member", { body: { sha256: 1, more: 2 } }],
    ["another content type", { body: "x", headers: { "content-type": "text/plain" } }],
    ["1 MiB and more of JSON", { body: `"${"a".repeat(1_100_000)}"` }],
    ["a wrong Idempotency-Key", { body: { sha256: "a".repeat(64) }, key: "a b" }],
    ["broken multipart", { body: "x", headers: { "content-type": "multipart/form-data; boundary=b" } }],
    ["multipart without a file", { body: multipartBody([]).bytes, headers: multipartBody([]).headers }],
    ["a wrong query", { body: { sha256: "a".repeat(64) } }],
  ];
  test.each(wrong)("%s", async (name, request) => {
    const path = name === "a wrong query" ? "/proofs?limit=x" : "/proofs";
    const reader = await organization.token("live", ["audit:read"]);
    expectError(await call(selo, "POST", path, { ...request }), 401, "unauthenticated");
    expectError(
      await call(selo, "POST", path, { ...request, token: `svc_live_${"A".repeat(43)}` }),
      401,
      "unauthenticated",
    );
    expectError(await call(selo, "POST", path, { ...request, token: reader }), 403, "missing_scope");
    const allowed = await call(selo, "POST", path, { ...request, token: organization.live });
    expect([400, 413, 415, 422]).toContain(allowed.status);
  });

  test("a malformed id and a wrong page", async () => {
    const writer = await organization.token("live", ["proofs:write"]);
    for (const path of ["/proofs/nonsense", "/proofs?limit=0", "/proofs?other=1"]) {
      expectError(await call(selo, "GET", path), 401, "unauthenticated");
      expectError(await call(selo, "GET", path, { token: writer }), 403, "missing_scope");
      expectError(await call(selo, "GET", path, { token: organization.live }), 422, "invalid_request");
    }
  });

  test("an id that does not exist is 403, not 404, to who may not read", async () => {
    const writer = await organization.token("live", ["proofs:write"]);
    const path = "/proofs/0197a0c0-0000-7000-8000-000000000000";
    expectError(await call(selo, "GET", path, { token: writer }), 403, "missing_scope");
  });
});

test("tokens, bodies, file names and addresses never reach the logs", async () => {
  const marker = `marker-${randomBytes(6).toString("hex")}`;
  const token = organization.live;
  const upload = multipartBody([filePart(marker, `${marker}.pdf`)]);
  await call(selo, "POST", "/proofs", {
    token,
    body: { sha256: digest(), label: marker, file_name: marker },
    key: marker,
  });
  await call(selo, "POST", "/proofs", { token, body: upload.bytes, headers: upload.headers });
  await call(selo, "POST", "/proofs", { token, body: `{"label": "${marker}`, key: marker });
  await call(selo, "POST", "/proofs", { token, body: { sha256: marker } });
  await call(selo, "GET", `/proofs?search=${marker}`, { token });
  await call(selo, "GET", `/proofs?token=${token}`, { token });
  await call(selo, "GET", `/proofs/${marker}`, { token, headers: { "x-forwarded-for": "203.0.113.9" } });
  await call(selo, "GET", "/proofs", { token: `svc_live_${marker.padEnd(43, "x")}`, headers: { cookie: marker } });
  await sendRaw(selo, `GET /api/v1/proofs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nbroken\r\n\r\n`);
  const logs = selo.logs.join("");
  // It does log, a line for each request.
  expect(logs.split("\n").filter((line) => line.includes('"msg":"request"')).length).toBeGreaterThanOrEqual(8);
  for (const secret of [token.slice("svc_live_".length), marker, "203.0.113.9"]) expect(logs).not.toContain(secret);
});

describe("the last use of a token", () => {
  const lastUse = async (token: string) => {
    const { rows } = await selo.database.admin.query<{ last_used_at: Date | null }>(
      `select used.last_used_at from platform.credentials as credential
       left join platform.actor_uses as used using (tenant_id, kind, actor_id) where credential.digest = sha256($1)`,
      [createHash("sha256").update(token).digest()],
    );
    return rows[0]?.last_used_at;
  };

  test("is written for many tokens at once and not by a request", async () => {
    const pool = createPool({ url: selo.database.appUrl, role: "selo_app", applicationName: "test" }, 1, () => {});
    const errors: unknown[] = [];
    const before = Date.now();
    const use = new TokenUse(new Database(pool), (error) => errors.push(error));
    try {
      const tokens = [
        await organization.token("live", ["proofs:read"]),
        await (await selo.newOrganization()).token("test", ["proofs:read"]),
      ];
      const unused = await organization.token("live", ["proofs:read"]);
      for (const token of tokens) {
        await call(selo, "GET", "/proofs", { token });
        use.seen(createHash("sha256").update(token).digest());
      }
      use.seen(randomBytes(32)); // unknown
      for (const token of tokens) expect(await lastUse(token)).toBeNull();
      await use.flush();
      const after = Date.now();
      for (const token of tokens) {
        expect(Number(await lastUse(token))).toBeGreaterThanOrEqual(before - 1);
        expect(Number(await lastUse(token))).toBeLessThanOrEqual(after + 1);
      }
      expect(await lastUse(unused)).toBeNull();
      expect(errors).toEqual([]);
    } finally {
      await use.stop();
      await pool.end();
    }
  });

  test("seen by a gateway is written at the latest when it stops", async () => {
    const other = await startTestGateway();
    try {
      const { live, test: unused } = await other.newOrganization();
      expect((await call(other, "GET", "/proofs", { token: live })).status).toBe(200);
      await other.gateway.stop();
      const { rows } = await other.database.admin.query<{ used: boolean }>(
        `select used.last_used_at is not null as used from platform.credentials as credential
         left join platform.actor_uses as used using (tenant_id, kind, actor_id)
         where credential.digest in (select sha256(hash) from unnest($1::bytea[]) as hash) order by credential.environment`,
        [[live, unused].map((token) => createHash("sha256").update(token).digest())],
      );
      expect(rows).toEqual([{ used: true }, { used: false }]);
    } finally {
      await other.operator.close();
      await other.database.drop();
    }
  });
});

function flipped(token: string): string {
  return token.slice(0, -1) + (token.endsWith("A") ? "B" : "A");
}

function swapped(token: string): string {
  return token.replace("svc_live_", "svc_test_");
}
