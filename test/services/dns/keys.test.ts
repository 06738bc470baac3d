// API keys of DNS, and the forms of their surface: issue "DNS hosting I" §1, dns-hosting §5.
import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { Database } from "../../../src/postgres/database.ts";
import { createPool } from "../../../src/postgres/pool.ts";
import { dns } from "../../../src/services/dns/service.ts";
import { issueKey, listKeys, revokeKey } from "../../../src/services/dns/store.ts";
import { ensureDemo } from "../../../src/services/platform/demo/ensure-demo.ts";
import { TokenUse } from "../../../src/surfaces/http/token-use.ts";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { graphql } from "../../support/graphql-client.ts";
import { call, type RestRequest, type RestResponse } from "../../support/rest-client.ts";

const ALL = ["record:read", "record:write", "zone:read", "zone:write"];
const FORM = /^dns_[0-9a-f]{8}_[A-Za-z0-9_-]{43}$/;
const UNKNOWN = `dns_00000000_${"A".repeat(43)}`;

let selo: TestGateway;
let one: TestOrganization;
beforeAll(async () => {
  selo = await startTestGateway();
  one = await selo.newOrganization({ plan: "growth" });
});
afterAll(() => selo?.stop());

const ask = (path: string, request: RestRequest = {}, method = "GET") =>
  call(selo, method, path, { prefix: "/v1", ...request });
const newKey = (scopes: readonly string[] | null = null) => issueKey(selo.operator, one.id, "robot", scopes);

/** Every error below /v1 has this body. */
function expectDnsError({ status, body, headers }: RestResponse, expected: number, code: string): void {
  expect({ status, code: body?.code }).toEqual({ status: expected, code });
  const { detail, request_id, fields, ...others } = body;
  expect(typeof detail).toBe("string");
  expect(request_id).toBe(headers.get("x-request-id"));
  expect(fields === undefined || Array.isArray(fields)).toBe(true);
  expect(others).toEqual({ code });
}

describe("a key", () => {
  test("has the documented form, all four scopes by default, and a public prefix", async () => {
    const { secret, prefix, scopes, id, last_used_at, revoked_at } = await newKey();
    expect(secret).toMatch(FORM);
    expect(prefix).toBe(secret.slice(0, 12));
    expect(scopes).toEqual(ALL);
    expect(Number.isInteger(id)).toBe(true);
    expect([last_used_at, revoked_at]).toEqual([null, null]);
  });

  test("is kept as the hash of the whole", async () => {
    const { secret } = await newKey();
    const { rows } = await selo.database.admin.query(
      "select kind, environment, encode(digest, 'hex') as digest from platform.credentials where digest = sha256(sha256(convert_to($1, 'UTF8')))",
      [secret],
    );
    const digest = createHash("sha256").update(createHash("sha256").update(secret).digest()).digest("hex");
    expect(rows).toEqual([{ kind: "api_key", environment: "live", digest }]);
    const { rows: kept } = await selo.database.admin.query("select api_keys::text as row from dns.api_keys");
    for (const { row } of kept) expect(row).not.toContain(secret.slice(13));
  });

  test.each([[["zone:read"]], [["record:write", "zone:read"]]])("has the scopes %j alone", async (scopes) => {
    const { secret } = await newKey(scopes);
    expect((await ask("/me", { token: secret })).body.scopes).toEqual(scopes);
  });

  test.each([
    [[], "scopes"],
    [["proofs:read"], "scopes"],
    [["zone:read", "all"], "scopes"],
  ])("of the scopes %j is refused", async (scopes, field) => {
    await expect(newKey(scopes)).rejects.toMatchObject({ code: "invalid_request", fields: [{ field }] });
  });

  test.each(["", "x".repeat(101)])("of the name %j is refused", async (name) => {
    await expect(issueKey(selo.operator, one.id, name)).rejects.toMatchObject({ fields: [{ field: "name" }] });
  });

  test("is listed without its secret, and tells its last use", async () => {
    const { secret, ...made } = await newKey();
    const pool = createPool({ url: selo.database.appUrl, role: "selo_app", applicationName: "test" }, 1, () => {});
    const use = new TokenUse(new Database(pool), () => {});
    use.seen(createHash("sha256").update(secret).digest());
    await use.stop();
    await pool.end();
    const listed = (await listKeys(selo.operator, one.id)).find(({ id }) => id === made.id);
    expect(listed?.last_used_at).toBeInstanceOf(Date);
    expect({ ...listed, last_used_at: null }).toEqual(made);
  });

  test("is refused from the moment it is revoked, for good", async () => {
    const { secret, id } = await newKey();
    const at = await revokeKey(selo.operator, id);
    expectDnsError(await ask("/me", { token: secret }), 401, "unauthenticated");
    expect(await revokeKey(selo.operator, id)).toEqual(at);
    expectDnsError(await ask("/me", { token: secret }), 401, "unauthenticated");
    await expect(revokeKey(selo.operator, 2 ** 30)).rejects.toMatchObject({ status: 404 });
  });

  test("has its events in the chain of the key, and the contact is told", async () => {
    const { id, prefix } = await newKey();
    await revokeKey(selo.operator, id);
    const { rows } = await selo.database.admin.query(
      `select action, details::jsonb ->> 'prefix' as prefix from platform.audit_events
       join dns.api_keys as key on key.actor_id = subject_id where key.id = $1 order by seq`,
      [id],
    );
    expect(rows).toEqual(["api_key.created", "api_key.revoked"].map((action) => ({ action, prefix })));
  });
});

describe("GET /v1/me", () => {
  test("says organization, prefix, scopes and limits of the plan", async () => {
    const { secret, prefix } = await newKey();
    const { status, body } = await ask("/me", { token: secret });
    expect(status).toBe(200);
    const { number, name } = await selo.operator.findOrganization(one.id);
    expect(body).toEqual({
      org_id: number,
      organization: name,
      prefix,
      scopes: ALL,
      zones: null,
      acme_only: false,
      limits: { dns_records: 10_000, dns_zones: 200, json_bytes: 1_048_576, requests_per_minute: expect.any(Number) },
    });
  });

  test.each([
    ["free", 50, 500],
    ["growth", 200, 10_000],
    ["business", 2000, 200_000],
    ["enterprise", 20_000, 2_000_000],
  ])("on the plan %s: %i zones, %i records, also in GET /billing/plan", async (plan, zones, records) => {
    const organization = await selo.newOrganization({ plan });
    const { secret } = await issueKey(selo.operator, organization.id, "robot");
    const limits = { dns_zones: zones, dns_records: records };
    expect((await ask("/me", { token: secret })).body.limits).toMatchObject(limits);
    const billing = await call(selo, "GET", "/billing/plan", { token: organization.live });
    expect(billing.body.limits).toEqual(limits);
  });
});

describe("the demo organization's key", () => {
  test("stands in demo.json, also in a file of an earlier version, and stays", async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-demo-"));
    onTestFinished(() => fs.rmSync(folder, { recursive: true }));
    const before = await ensureDemo(selo.operator, folder, "http://localhost", []);
    expect(before).not.toHaveProperty("dns_key");
    const made = await ensureDemo(selo.operator, folder, "http://localhost", [dns]);
    expect(made).toMatchObject({ tokens: before.tokens, dns_key: expect.stringMatching(FORM) });
    expect(await ensureDemo(selo.operator, folder, "http://localhost", [dns])).toEqual(made);
    expect((await ask("/me", { token: String(made["dns_key"]) })).body.org_id).toBe(before.organization.number);
  });
});

describe("401 unauthenticated", () => {
  test.each([
    ["a missing key", {}],
    ["an unknown key", { token: UNKNOWN }],
    ["a key of another form", { token: "dns_1234_abc" }],
    ["an unknown token", { token: `svc_live_${"A".repeat(43)}` }],
    ["another scheme", { headers: { authorization: "Basic Zm9vOmJhcg==" } }],
  ])("for %s", async (_, request) => {
    const answer = await ask("/me", request);
    expectDnsError(answer, 401, "unauthenticated");
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
  });
});

test("a key opens nothing of the main API: 401", async () => {
  const { secret: token } = await newKey();
  const answer = await call(selo, "GET", "/proofs", { token });
  expect([answer.status, answer.body.detail.code]).toEqual([401, "unauthenticated"]);
});

describe("403 missing_scope", () => {
  test("for tokens of the main API, live and test", async () => {
    for (const token of [one.live, one.test]) expectDnsError(await ask("/me", { token }), 403, "missing_scope");
  });

  test("for a key in GraphQL that asks what is not of DNS", async () => {
    const { secret } = await newKey();
    const { errors } = await graphql(selo, secret, "{ proofs { nodes { id } } }");
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(["missing_scope"]);
  });

  test("tokens never hold the scopes of DNS, all included", async () => {
    expect((await selo.operator.allScopes()).filter((scope) => ALL.includes(scope))).toEqual([]);
    for (const scope of ALL)
      await expect(selo.operator.createToken(one.id, "live", "x", [scope])).rejects.toMatchObject({ status: 422 });
  });
});

describe("errors have a text as detail", () => {
  test("404 of unknown paths", async () => {
    const { secret: token } = await newKey();
    for (const path of ["/nothing", "/orgs", "/orgs/1/nothing", "/me/", "/"])
      expectDnsError(await ask(path, { token }), 404, "not_found");
  });

  test("405 with Allow", async () => {
    const { secret: token } = await newKey();
    const answer = await ask("/me", { token }, "DELETE");
    expectDnsError(answer, 405, "method_not_allowed");
    expect(answer.headers.get("allow")).toBe("GET, HEAD");
  });

  test("422 of a member that the path does not know", async () => {
    const { secret: token } = await newKey();
    expectDnsError(await ask("/me?x=1", { token }), 422, "invalid_request");
  });
});
