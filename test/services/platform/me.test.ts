// GET /me: what a token opens, for its holder alone.
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  startGatewayBeside,
  startTestGateway,
  type TestGateway,
  type TestOrganization,
} from "../../support/gateway.ts";
import { call, expectError } from "../../support/rest-client.ts";

let selo: TestGateway;
let organization: TestOrganization;
beforeAll(async () => {
  selo = await startTestGateway();
  organization = await selo.newOrganization({ name: "Acme Ltda." });
});
afterAll(() => selo.stop());

const me = (token: string | null, from: Pick<TestGateway, "baseUrl"> = selo) => call(from, "GET", "/me", { token });

test("names organization, environment, token, scopes, plan and limits", async () => {
  const { id, token } = await selo.operator.createToken(organization.id, "live", "billing robot", [
    "proofs:read",
    "billing:read",
  ]);
  const { status, body } = await me(token);
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      organization: { id: organization.id, number: expect.any(Number), name: "Acme Ltda." },
      environment: "live",
      token: {
        id,
        name: "billing robot",
        prefix: token.slice(0, "svc_live_".length + 6),
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
        expires_at: null,
      },
      scopes: ["billing:read", "proofs:read"],
      plan: "free",
      limits: { requests_per_minute: 10_000_000, json_bytes: 1_048_576, items_per_page: 200 },
    },
  });
});

test("the environment is that of the token, and the plan the organization's", async () => {
  await selo.database.admin.query("update platform.organizations set plan = 'growth' where id = $1", [organization.id]);
  expect((await me(organization.live)).body).toMatchObject({ environment: "live", plan: "growth" });
  expect((await me(organization.test)).body).toMatchObject({ environment: "test", plan: "growth" });
});

test("says when the token expires, and nothing afterwards", async () => {
  const { id, token } = await selo.operator.createToken(organization.id, "live", "short", ["proofs:read"]);
  const expire = (at: string) =>
    selo.database.admin.query("update platform.credentials set expires_at = $2 where actor_id = $1", [id, at]);
  await expire("2999-01-02T03:04:05Z");
  expect((await me(token)).body.token.expires_at).toMatch(/^2999-01-02T03:04:05\.000000Z$/);
  await expire("2001-01-01T00:00:00Z");
  expectError(await me(token), 401, "unauthenticated");
});

test("any scope is enough; without a good token it is 401", async () => {
  for (const scope of await selo.operator.allScopes()) {
    const { status, body } = await me(await organization.token("live", [scope]));
    expect({ status, scopes: body.scopes }).toEqual({ status: 200, scopes: [scope] });
  }
  for (const token of [null, `svc_live_${"A".repeat(43)}`]) expectError(await me(token), 401, "unauthenticated");
});

test("the limit of requests is the gateway's, and the question counts", async () => {
  const strict = await startGatewayBeside(selo, { TOKEN_REQUESTS_PER_MINUTE: "2" });
  try {
    const token = await organization.token("live", ["proofs:read"]);
    expect((await me(token, strict)).body.limits.requests_per_minute).toBe(2);
    await me(token, strict);
    expectError(await me(token, strict), 429, "rate_limited");
  } finally {
    await strict.stop();
  }
});

test("an actor that is no token has no token to name", async () => {
  const { id, token } = await selo.operator.createToken(organization.id, "live", "user", ["proofs:read"]);
  await selo.database.admin.query(
    "update platform.credentials set kind = 'user', scopes_from = 'credential', scopes = '{proofs:read}' where actor_id = $1",
    [id],
  );
  const { status, body } = await me(token);
  expect({ status, token: body.token, scopes: body.scopes }).toEqual({
    status: 200,
    token: null,
    scopes: ["proofs:read"],
  });
});
