// How often a token may ask, and how many tokens that are none an address may try.
import { createHash, randomBytes } from "node:crypto";
import type pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Database } from "../../../src/postgres/database.ts";
import { createPool } from "../../../src/postgres/pool.ts";
import { KnownCredentials } from "../../../src/surfaces/http/known-credentials.ts";
import {
  startGatewayBeside,
  startTestGateway,
  type TestGateway,
  type TestOrganization,
} from "../../support/gateway.ts";
import { call, expectError, type RestResponse } from "../../support/rest-client.ts";

const LIMIT = 5;
let selo: TestGateway;
let beside: Awaited<ReturnType<typeof startGatewayBeside>>;
let organization: TestOrganization;
beforeAll(async () => {
  selo = await startTestGateway({
    TOKEN_REQUESTS_PER_MINUTE: String(LIMIT),
    PUBLIC_REQUESTS_PER_MINUTE: String(LIMIT),
    TRUST_PROXY: "1",
  });
  beside = await startGatewayBeside(selo);
});
afterAll(async () => {
  await beside.stop();
  await selo.stop();
});
let last = 0;
let address: string;
beforeEach(async () => {
  organization = await selo.newOrganization();
  address = `198.51.100.${++last}`;
});

type Target = Pick<TestGateway, "baseUrl">;
const ask = (token: string, target: Target = selo, path = "/proofs"): Promise<RestResponse> =>
  call(target, "GET", path, { token, headers: { "x-forwarded-for": address } });
const askGraphql = (token: string) =>
  fetch(`${selo.baseUrl}/graphql`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", "x-forwarded-for": address },
    body: JSON.stringify({ query: "{ __typename }" }),
  });
const invented = () => `svc_live_${randomBytes(32).toString("base64url")}`;
const rows = async () => (await selo.database.admin.query("select from platform.request_counts")).rowCount;

function expectLimited(response: RestResponse): void {
  expectError(response, 429, "rate_limited");
  const seconds = Number(response.headers.get("retry-after"));
  expect(seconds).toBeGreaterThanOrEqual(1);
  expect(seconds).toBeLessThanOrEqual(60);
}

describe("a token", () => {
  test("may ask so often in a minute, and each answer says how often still", async () => {
    for (let left = LIMIT - 1; left >= 0; left--) {
      const { status, headers } = await ask(organization.live);
      expect(status).toBe(200);
      expect(headers.get("ratelimit-policy")).toBe(`"token";q=${LIMIT};w=60`);
      expect(headers.get("ratelimit")).toMatch(new RegExp(`^"token";r=${left};t=([1-9]|[1-5]\\d|60)$`));
    }
    const refused = await ask(organization.live);
    expectLimited(refused);
    expect(refused.headers.get("ratelimit")).toMatch(/^"token";r=0;t=\d+$/);
    expect((await ask(organization.test)).status).toBe(200);
  });

  test("is counted by all gateways together, in REST and GraphQL alike, and exactly when all ask at once", async () => {
    const answers = await Promise.all([
      ...Array.from({ length: LIMIT }, () => ask(organization.live).then(({ status }) => status)),
      ...Array.from({ length: LIMIT }, () => ask(organization.live, beside).then(({ status }) => status)),
      ...Array.from({ length: LIMIT }, () => askGraphql(organization.live).then(({ status }) => status)),
    ]);
    expect(answers.filter((status) => status === 200)).toHaveLength(LIMIT);
    expect(answers.filter((status) => status === 429)).toHaveLength(2 * LIMIT);
    const graphql = await askGraphql(organization.live);
    expect(graphql.status).toBe(429);
    expect(Number(graphql.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(await graphql.json()).toMatchObject({ errors: [{ extensions: { code: "rate_limited" } }] });
  });

  test("that may ask often is counted ahead, in few statements, and never lets more through", async () => {
    const [one, other] = [
      await startGatewayBeside(selo, { TOKEN_REQUESTS_PER_MINUTE: "300" }),
      await startGatewayBeside(selo, { TOKEN_REQUESTS_PER_MINUTE: "300" }),
    ];
    try {
      // Most of it is spent, in a window that lasts for an hour, however long the test takes.
      const SPENT = 240;
      const { admin } = selo.database;
      const digest = createHash("sha256").update(organization.live).digest();
      const { rows } = await admin.query("select actor from gateway.count_actor_requests($1, $2, 60)", [digest, SPENT]);
      await admin.query(
        `update platform.request_counts set resets_at = clock_timestamp() + interval '1 hour'
         where key = sha256(convert_to($1, 'UTF8'))`,
        [rows[0].actor],
      );
      const statuses: number[] = [];
      // In one gateway after the other, and then in both: what one has in hand is not the other's.
      for (const [target, times] of [
        [one, 20],
        [other, 20],
        [one, 18],
        [other, 18],
      ] as const)
        for (let asked = 0; asked < times; asked++) statuses.push((await ask(organization.live, target)).status);
      const through = statuses.filter((status) => status === 200).length;
      expect(through).toBeLessThanOrEqual(300 - SPENT);
      // At most what one gateway counted ahead (3) is lost in the other.
      expect(through).toBeGreaterThanOrEqual(294 - SPENT);
    } finally {
      await one.stop();
      await other.stop();
    }
  });

  test("that is revoked is refused at once, though counted ahead", async () => {
    const gateway = await startGatewayBeside(selo, { TOKEN_REQUESTS_PER_MINUTE: "6000" });
    try {
      expect((await ask(organization.live, gateway)).status).toBe(200);
      const { rows: tokens } = await selo.database.admin.query<{ id: string }>(
        "select id from platform.tokens where tenant_id = $1 and environment = 'live'",
        [organization.id],
      );
      for (const { id } of tokens) await selo.operator.revokeToken(id);
      expectError(await ask(organization.live, gateway), 401, "unauthenticated");
    } finally {
      await gateway.stop();
    }
  });

  test("has 6,000 a minute when nothing else is set", async () => {
    const gateway = await startGatewayBeside(selo, { TOKEN_REQUESTS_PER_MINUTE: "" });
    try {
      const { headers } = await ask(organization.live, gateway);
      expect(headers.get("ratelimit-policy")).toBe('"token";q=6000;w=60');
    } finally {
      await gateway.stop();
    }
  });
});

describe("tokens that are none", () => {
  test("are refused with 401, fill no table, and after a minute's worth of them with 429", async () => {
    const before = await rows();
    for (let tried = 0; tried < LIMIT; tried++) expectError(await ask(invented()), 401, "unauthenticated");
    // Of the address, not of the tokens.
    expect(await rows()).toBe((before ?? 0) + 1);
    expectLimited(await ask(invented()));
    const mine = address;
    address = "203.0.113.9";
    expectError(await ask(invented()), 401, "unauthenticated");
    address = mine;
  });

  test("do not take from what the address may ask without a token, nor from the tokens in use there", async () => {
    expect((await ask(organization.live)).status).toBe(200);
    for (let tried = 0; tried <= LIMIT; tried++) await ask(invented());
    expectLimited(await ask(invented()));
    expect((await ask(organization.live)).status).toBe(200);
    const { status } = await call(selo, "GET", "/public/platform-key", { headers: { "x-forwarded-for": address } });
    expect(status).toBe(200);
  });

  test("take nothing from valid tokens of the address that this gateway has never seen; a revoked one is 429 like an invented one", async () => {
    for (let tried = 0; tried <= LIMIT; tried++) await ask(invented());
    expectLimited(await ask(invented()));
    expect((await ask(organization.live)).status).toBe(200);
    expect((await askGraphql(organization.test)).status).toBe(200);
    const revoked = (await selo.operator.createToken(organization.id, "live", "a", ["proofs:read"])).token;
    await selo.database.admin.query(
      "update platform.credentials set revoked_at = now() where digest = sha256(sha256(convert_to($1, 'UTF8')))",
      [revoked],
    );
    expectLimited(await ask(revoked));
  });

  test("of an address over the limit share one statement at a time, and a valid one among them finds its way", async () => {
    const pool = createPool({ url: selo.database.appUrl, role: "selo_app", applicationName: "known" }, 4, () => {});
    try {
      const database = new Database(pool);
      let [underWay, mostUnderWay, statements] = [0, 0, 0];
      const known = new KnownCredentials({
        knownCredentials: async (hashes) => {
          statements++;
          mostUnderWay = Math.max(mostUnderWay, ++underWay);
          return database.knownCredentials(hashes).finally(() => underWay--);
        },
      });
      const valid = createHash("sha256").update(organization.live).digest();
      const answers = await Promise.all([
        ...Array.from({ length: 2_500 }, () => known.has(randomBytes(32))),
        known.has(valid),
        known.has(valid),
      ]);
      expect(answers.map((isKnown, place) => (isKnown ? place : null)).filter((place) => place !== null)).toEqual([
        2_500, 2_501,
      ]);
      // The first goes alone, and the others a thousand at a time.
      expect([mostUnderWay, statements]).toEqual([1, 4]);
      expect(await known.has(valid)).toBe(true);
    } finally {
      await pool.end();
    }
  });

  test("fail with their statement, and the next ones are looked up again", async () => {
    const [away, there] = ["away", "there"].map((applicationName) =>
      createPool({ url: selo.database.appUrl, role: "selo_app", applicationName }, 1, () => {}),
    ) as [pg.Pool, pg.Pool];
    await away.end();
    try {
      let database = new Database(away);
      const known = new KnownCredentials({ knownCredentials: (hashes) => database.knownCredentials(hashes) });
      const asked = [known.has(randomBytes(32)), known.has(randomBytes(32))];
      for (const each of asked) await expect(each).rejects.toMatchObject({ code: "unavailable" });
      database = new Database(there);
      expect(await known.has(createHash("sha256").update(organization.live).digest())).toBe(true);
    } finally {
      await there.end();
    }
  });
});
