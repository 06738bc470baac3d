// How often one address may ask of the public endpoints (signature-service §8: rate limited per IP).

import { createHash } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Jobs } from "../../../src/postgres/jobs.ts";
import { createPool } from "../../../src/postgres/pool.ts";
import { forgetRequestCounts } from "../../../src/services/platform/store.ts";
import { startGatewayBeside, startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { call, expectError, multipartBody, type RestResponse, sendRaw } from "../../support/rest-client.ts";
import { timeAhead } from "../../support/time-ahead.ts";

const LIMIT = 5;
let selo: TestGateway;
let beside: Awaited<ReturnType<typeof startGatewayBeside>>;
beforeAll(async () => {
  selo = await startTestGateway({
    PUBLIC_REQUESTS_PER_MINUTE: String(LIMIT),
    TRUST_PROXY: "1",
    LOG_LEVEL: "trace",
  });
  beside = await startGatewayBeside(selo);
});
afterAll(async () => {
  await beside.stop();
  await selo.stop();
});

/** An address that no other test asks from. */
let last = 0;
let address: string;
beforeEach(() => {
  address = `198.51.100.${++last}`;
});

type Target = Pick<TestGateway, "baseUrl">;
const ask = (from = address, target: Target = selo): Promise<RestResponse> =>
  call(target, "GET", "/public/platform-key", { headers: { "x-forwarded-for": from } });
const statuses = async (asked: Promise<RestResponse>[]) => (await Promise.all(asked)).map(({ status }) => status);
const many = (count: number, target: Target = selo) =>
  statuses(Array.from({ length: count }, () => ask(address, target)));
const counts = async () =>
  (await selo.database.admin.query<{ key: Buffer; count: number }>("select key, count from platform.request_counts"))
    .rows;
const forget = () => selo.database.admin.query("delete from platform.request_counts");
const endWindows = (at: string) =>
  selo.database.admin.query(`update platform.request_counts set resets_at = clock_timestamp() + interval '${at}'`);

function expectLimited(response: RestResponse | null): number {
  expectError(response, 429, "rate_limited");
  const seconds = Number(response?.headers.get("retry-after"));
  expect(Number.isInteger(seconds)).toBe(true);
  expect(seconds).toBeGreaterThanOrEqual(1);
  expect(seconds).toBeLessThanOrEqual(60);
  return seconds;
}

test("by default 60 requests of an address are answered in a minute, and X-Forwarded-For is not believed", async () => {
  const plain = await startGatewayBeside(selo, { PUBLIC_REQUESTS_PER_MINUTE: "", TRUST_PROXY: "" });
  try {
    const answers = Array.from({ length: 61 }, (_, number) => ask(`203.0.113.${number}`, plain));
    expect((await statuses(answers)).sort()).toEqual([...Array(60).fill(200), 429]);
    expectLimited(await ask("203.0.113.200", plain));
  } finally {
    await plain.stop();
    await forget();
  }
});

test("the limit is exact and shared by all gateways, also when all ask at once", async () => {
  const answers = await Promise.all([many(4), many(4, beside)]);
  expect(answers.flat().filter((status) => status === 200)).toHaveLength(LIMIT);
  expect(answers.flat().filter((status) => status === 429)).toHaveLength(8 - LIMIT);
  expectLimited(await ask());
  expectLimited(await ask(address, beside));
});

test("another address is not affected", async () => {
  await many(LIMIT + 1);
  expectLimited(await ask());
  expect((await ask("198.51.100.200")).status).toBe(200);
});

test("every public path counts, what it refuses and does not find as well", async () => {
  const headers = { "x-forwarded-for": address };
  expectError(await call(selo, "GET", "/public/proofs/0000-0000-0000", { headers }), 404, "proof_not_found");
  expectError(await call(selo, "POST", "/public/proofs/verify", { headers, body: {} }), 422, "invalid_request");
  expectError(await call(selo, "POST", "/public/proofs/verify", { headers, body: "{" }), 400, "malformed_request");
  expectError(await call(selo, "POST", "/public/proofs/verify-file", { headers }), 400, "malformed_request");
  expect((await call(selo, "HEAD", "/public/platform-key", { headers })).status).toBe(200);
  expectLimited(await ask());
  for (const [method, path] of [
    ["GET", "/public/proofs/0000-0000-0000"],
    ["POST", "/public/proofs/verify"],
    ["POST", "/public/proofs/verify-file"],
    ["GET", "/public/envelopes/0000-0000-0000"],
    ["POST", "/public/envelopes/verify"],
  ] as const)
    expectLimited(await call(selo, method, path, { headers, ...(method === "POST" ? { body: {} } : {}) }));
});

test.each(["verify", "verify-file"])("a file to %s is refused before it is sent", async (path) => {
  await many(LIMIT + 1);
  const { headers } = multipartBody([]);
  const head = [
    `POST /api/v1/public/proofs/${path} HTTP/1.1`,
    "Host: x",
    `X-Forwarded-For: ${address}`,
    `Content-Type: ${headers["content-type"]}`,
    "Content-Length: 1000000000",
  ];
  expectLimited(await sendRaw(selo, `${head.join("\r\n")}\r\n\r\n`));
});

test("what asks for a token is not limited, and whoever presents one is limited on public paths all the same", async () => {
  const { live } = await selo.newOrganization();
  const headers = { "x-forwarded-for": address };
  await many(LIMIT + 1);
  for (let asked = 0; asked < 2 * LIMIT; asked++) {
    expect((await call(selo, "GET", "/proofs", { token: live, headers })).status).toBe(200);
    expectError(await call(selo, "GET", "/proofs", { headers }), 401, "unauthenticated");
    expect((await fetch(`${selo.baseUrl}/healthz`, { headers })).status).toBe(200);
  }
  expectLimited(await call(selo, "GET", "/public/platform-key", { token: live, headers }));
});

describe("Retry-After", () => {
  const passTime = timeAhead();

  test("is the end of the window: until then all is refused, and costs Postgres nothing; then it works again", async () => {
    await many(LIMIT);
    await endWindows("40 seconds");
    const seconds = expectLimited(await ask());
    expect(seconds).toBeLessThanOrEqual(40);
    const before = await counts();
    expectLimited(await ask());
    expect(await counts()).toEqual(before);
    await endWindows("0 seconds");
    expectLimited(await ask());
    passTime(seconds * 1_000);
    expect(await many(LIMIT)).toEqual(Array(LIMIT).fill(200));
    expectLimited(await ask());
  });

  test("a gateway that refused nobody yet goes by the window in Postgres", async () => {
    await many(LIMIT + 1);
    await endWindows("-1 second");
    expect((await ask(address, beside)).status).toBe(200);
  });
});

describe("an address", () => {
  test.each([
    ["192.0.2.1", "192.0.2.2", 2],
    ["192.0.2.1", "::ffff:192.0.2.1", 1],
    ["192.0.2.1", "192.0.2.1:50123", 1],
    ["1.2.3.4", "::ffff:102:304", 1],
    ["1.2.3.4", "0:0:0:0:0:ffff:1.2.3.4", 1],
    ["1.2.3.4", "[::FFFF:1.2.3.4]:50123", 1],
    ["::ffff:1", "::2", 1],
    ["unknown", "_hidden", 2],
    ["unknown", "1.2.3.4", 2],
    ["2001:db8:1:1::1", "2001:db8:1:1:ffff:ffff:ffff:ffff", 1],
    ["2001:db8:1:1::1", "2001:db8:1:2::1", 2],
    ["2001:DB8:0001:1::1", "2001:db8:1:1:0:0:0:2", 1],
    ["2001:db8::1", "2001:db8:0:0:1::", 1],
    ["2001:db8::1", "2001:db8:0:1::", 2],
    ["2001:db8:1:1::1", "[2001:db8:1:1::2]:50123", 1],
    ["fe80::1%eth0", "fe80::2%eth1", 1],
    ["fe80::1%eth0.1", "[fe80::2]:50123", 1],
    ["::1", "::2", 1],
    ["::1", "1::1", 2],
  ])("%s and %s are %i: one IPv4 address, or the /64 of an IPv6 one", async (one, other, addresses) => {
    await forget();
    for (const from of [one, other]) expect((await ask(from)).status).toBe(200);
    expect((await counts()).map(({ count }) => count).sort()).toEqual(addresses === 1 ? [2] : [1, 1]);
  });

  test("is kept as HMAC under a key of ours, and stands in no log", async () => {
    await forget();
    await ask("203.0.113.77");
    const [row, ...others] = await counts();
    expect(others).toEqual([]);
    expect(row?.key).toHaveLength(32);
    expect(row?.key).not.toEqual(createHash("sha256").update("203.0.113.77").digest());
    const { rows } = await selo.database.admin.query(
      "select attname::text as name from pg_attribute where attrelid = 'platform.request_counts'::regclass and attnum > 0 order by attnum",
    );
    expect(rows.map(({ name }) => name)).toEqual(["key", "count", "resets_at"]);
    expect(selo.logs.join("")).not.toContain("203.0.113.77");
  });
});

describe("TRUST_PROXY", () => {
  // Two requests over loopback with these headers, and whether they count as one address.
  test.each([
    ["", "203.0.113.1", "203.0.113.2", "one"],
    ["0", "203.0.113.1", "203.0.113.2", "one"],
    ["1", "203.0.113.1", "203.0.113.2", "two"],
    ["1", "203.0.113.1, 192.0.2.1", "203.0.113.2, 192.0.2.1", "one"],
    ["1", "203.0.113.1, 192.0.2.1", "203.0.113.1, 192.0.2.2", "two"],
    ["2", "198.51.100.1, 203.0.113.1, 192.0.2.1", "198.51.100.2, 203.0.113.1, 192.0.2.2", "one"],
    ["2", "203.0.113.1, 192.0.2.1", "203.0.113.2, 192.0.2.1", "two"],
    ["loopback", "203.0.113.1, 127.0.0.9", "203.0.113.2, 127.0.0.9", "two"],
    ["loopback", "203.0.113.1, 192.0.2.1", "203.0.113.2, 192.0.2.1", "one"],
    ["127.0.0.0/8,192.0.2.0/24", "203.0.113.1, 192.0.2.1", "203.0.113.2, 192.0.2.99", "two"],
    ["127.0.0.1, 192.0.2.1", "203.0.113.1, 192.0.2.2", "203.0.113.2, 192.0.2.2", "one"],
    ["uniquelocal", "203.0.113.1", "203.0.113.2", "one"],
    ["192.0.2.0/24, 2001:db8::/32", "203.0.113.1, 192.0.2.1", "203.0.113.2, 192.0.2.1", "one"],
  ])("%j takes %j and %j for %s", async (proxies, one, other, addresses) => {
    const gateway = await startGatewayBeside(selo, { TRUST_PROXY: proxies });
    try {
      await forget();
      for (const from of [one, other]) expect((await ask(from, gateway)).status).toBe(200);
      expect(await counts()).toHaveLength(addresses === "one" ? 1 : 2);
    } finally {
      await gateway.stop();
    }
  });
});

test("the sweep forgets windows that ended more than a minute ago, and no others", async () => {
  await forget();
  await selo.database.admin.query(
    `insert into platform.request_counts select sha256(age::bytea), 1, now() - age::interval
     from unnest(array['1 day', '61 seconds', '50 seconds', '-30 seconds']) as age`,
  );
  const pool = createPool({ url: selo.database.workerUrl, role: "selo_worker", applicationName: "test" }, 1, () => {});
  try {
    expect(await forgetRequestCounts(new Jobs(pool))).toBe(2);
    expect(await forgetRequestCounts(new Jobs(pool))).toBe(0);
    expect(await counts()).toHaveLength(2);
  } finally {
    await pool.end();
  }
});
