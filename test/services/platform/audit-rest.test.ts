// One event for every committed write through REST, and GET /audit, which shows them.
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway, type TestOrganization } from "../../support/gateway.ts";
import { graphql } from "../../support/graphql-client.ts";
import { call, expectError, type RestRequest } from "../../support/rest-client.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const HASH = /^[0-9a-f]{64}$/;
const ADDRESS = "198.51.100.7";

let selo: TestGateway;
let organization: TestOrganization;
beforeAll(async () => {
  selo = await startTestGateway({ TRUST_PROXY: "1" });
  organization = await selo.newOrganization();
});
afterAll(() => selo.stop());

const digest = () => randomBytes(32).toString("hex");
const register = (request: RestRequest = {}) =>
  call(selo, "POST", "/proofs", {
    token: organization.live,
    body: { sha256: digest() },
    ...request,
    headers: { "x-forwarded-for": ADDRESS, ...request.headers },
  });
const audit = async (query: string, token = organization.live) =>
  (await call(selo, "GET", `/audit?${query}`, { token })).body;
/** How many events there are, of everybody. */
async function countEvents(): Promise<number> {
  const { rows } = await selo.database.admin.query("select count(*)::integer as events from platform.audit_events");
  return rows[0].events;
}
async function tokenId(token: string): Promise<string> {
  const { rows } = await selo.database.admin.query(
    "select actor_id from platform.credentials where digest = sha256($1)",
    [createHash("sha256").update(token).digest()],
  );
  return rows[0].actor_id;
}

describe("a write has one event", () => {
  const form = () => {
    const parts = new FormData();
    parts.set("file", new Blob([randomBytes(100)]), "contract.pdf");
    return parts;
  };
  test.each<[string, () => RestRequest]>([
    ["a digest", () => ({})],
    ["a file", () => ({ body: form() })],
    ["a digest with an Idempotency-Key", () => ({ key: randomUUID() })],
  ])("%s: who, what, subject, when, request id and address", async (_, request) => {
    const before = await countEvents();
    const made = await register(request());
    expect(made.status).toBe(201);
    expect(await countEvents()).toBe(before + 1);
    const { items, chain, total } = await audit(`subject_id=${made.body.id}`);
    const evidence = JSON.stringify(made.body.evidence, Object.keys(made.body.evidence).sort());
    expect(items).toEqual([
      {
        id: expect.stringMatching(UUID),
        action: "proof.registered",
        subject_type: "proof",
        subject_id: made.body.id,
        seq: 1,
        actor_type: "token",
        actor_id: await tokenId(organization.live),
        channel: "rest",
        request_id: made.headers.get("x-request-id"),
        address: ADDRESS,
        occurred_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/),
        details: { evidence_sha256: createHash("sha256").update(evidence).digest("hex") },
        commitments: { address: expect.stringMatching(HASH) },
        prev_hash: "0".repeat(64),
        hash: expect.stringMatching(HASH),
        sealed_by: null,
      },
    ]);
    expect(Math.abs(Date.parse(items[0].occurred_at) - Date.parse(made.body.registered_at))).toBeLessThan(10_000);
    expect({ total, chain }).toEqual({
      total: 1,
      chain: {
        subject_id: made.body.id,
        length: 1,
        head_hash: items[0].hash,
        sealed_by: null,
        sealed_length: null,
        faults: [],
      },
    });
  });

  test("the address is the connection's where no proxy is trusted", async () => {
    const direct = await startTestGateway();
    try {
      const { live } = await direct.newOrganization();
      const headers = { "x-forwarded-for": ADDRESS };
      await call(direct, "POST", "/proofs", { token: live, headers, body: { sha256: digest() } });
      const { body } = await call(direct, "GET", "/audit?action=proof.registered", { token: live });
      expect(body.items).toMatchObject([{ address: "127.0.0.1" }]);
    } finally {
      await direct.stop();
    }
  });

  test("fifty at once, of two tokens: each proof has its own event with its own request", async () => {
    const other = await organization.token("live", ["proofs:write"]);
    const made = await Promise.all(
      Array.from({ length: 50 }, (_, place) => register({ token: place % 2 ? other : organization.live })),
    );
    const { items } = await audit("action=proof.registered&limit=200");
    const actors = [await tokenId(organization.live), await tokenId(other)];
    for (const [place, { body, headers }] of made.entries()) {
      const events = items.filter(({ subject_id }: { subject_id: string }) => subject_id === body.id);
      expect(events).toMatchObject([{ request_id: headers.get("x-request-id"), actor_id: actors[place % 2] }]);
    }
  });
});

describe("nothing has an event that was not written", () => {
  test("reads, refusals, a replay, the same digest again, and what was rolled back", async () => {
    const key = randomUUID();
    const sha256 = digest();
    const first = await register({ key, body: { sha256 } });
    const poor = await selo.newOrganization({ credits: 0 });
    const reader = await organization.token("live", ["proofs:read"]);
    const before = await countEvents();
    for (const path of ["/proofs", `/proofs/${first.body.id}`, "/audit", "/public/platform-key", "/public/audit-seals"])
      expect((await call(selo, "GET", path, { token: organization.live })).status).toBe(200);
    const body = { sha256 };
    expect((await register({ key, body })).headers.get("idempotent-replayed")).toBe("true");
    expect((await register({ body })).status).toBe(200);
    expectError(await register({ key, body: { sha256: digest() } }), 409, "conflict");
    expectError(await register({ body: { sha256: "x" } }), 422, "invalid_request");
    expectError(await register({ token: reader }), 403, "missing_scope");
    expectError(await register({ token: null }), 401, "unauthenticated");
    // Its credit fails after the event was written: both are undone.
    expectError(await register({ token: poor.live }), 402, "insufficient_credits");
    await selo.operator.grantCredits(poor.id, "signature", 1);
    const rivals = await Promise.all([register({ token: poor.live }), register({ token: poor.live })]);
    expect(rivals.map(({ status }) => status).sort()).toEqual([201, 402]);
    // The grant's and the one proof's.
    expect(await countEvents()).toBe(before + 2);
  });
});

describe("GET /audit", () => {
  let proofs: string[];
  let owner: TestOrganization;
  let second: string;
  const ask = (query: string, token = owner.live) => call(selo, "GET", `/audit?${query}`, { token });
  beforeAll(async () => {
    owner = await selo.newOrganization();
    second = await owner.token("live", ["proofs:write"]);
    const made = [];
    for (const token of [owner.live, owner.live, second]) made.push(await register({ token }));
    proofs = made.map(({ body }) => body.id);
    await register({ token: owner.test });
  });

  test("lists the newest first, of the token's environment alone", async () => {
    const { items, total, ...rest } = (await ask("")).body;
    expect(items.map(({ action }: { action: string }) => action)).toEqual([
      ...["proof.registered", "proof.registered", "proof.registered"],
      ...["token.created", "token.created", "credits.granted", "organization.created"],
    ]);
    expect(items.slice(0, 3).map(({ subject_id }: { subject_id: string }) => subject_id)).toEqual(proofs.toReversed());
    expect({ total, rest }).toEqual({ total: 7, rest: { next_cursor: null, limit: 50, offset: 0 } });
    expect((await ask("", owner.test)).body.total).toBe(2);
  });

  test("filters by each, and by all together", async () => {
    const all = (await ask("limit=200")).body.items;
    const instants = all.map(({ occurred_at }: { occurred_at: string }) => occurred_at);
    const actor = await tokenId(second);
    const totals = async (query: string) => (await ask(query)).body.total;
    expect(await totals("subject_type=proof")).toBe(3);
    expect(await totals("subject_type=organization")).toBe(2);
    expect(await totals(`subject_id=${proofs[0]}`)).toBe(1);
    expect(await totals("action=credits.granted")).toBe(1);
    expect(await totals(`actor_id=${actor}`)).toBe(1);
    const at = (name: string, instant: string) => new URLSearchParams({ [name]: instant }).toString();
    // From is included, to is not.
    expect(await totals(at("from", instants[2]))).toBe(3);
    expect(await totals(at("to", instants[2]))).toBe(4);
    expect(await totals(`${at("from", instants[2])}&${at("to", instants[0])}`)).toBe(2);
    const one = `subject_type=proof&subject_id=${proofs[2]}&action=proof.registered&actor_id=${actor}&${at("from", instants[6])}`;
    expect((await ask(one)).body.items).toEqual([all[0]]);
    for (const none of ["action=proof.revoked", "subject_type=x", `actor_id=${randomUUID()}`, at("to", instants[6])])
      expect((await ask(none)).body).toEqual({ items: [], next_cursor: null, total: 0, limit: 50, offset: 0 });
  });

  test("pages", async () => {
    const all = (await ask("")).body.items;
    const first = await ask("limit=3&subject_type=proof&offset=1");
    expect(first.body).toEqual({
      items: all.slice(1, 3),
      next_cursor: null,
      total: 3,
      limit: 3,
      offset: 1,
    });
    const page = await ask("limit=3");
    expect(page.body.items).toEqual(all.slice(0, 3));
    expect(page.headers.get("link")).toContain('rel="next"');
    expect((await ask("offset=2147483647")).body).toMatchObject({ items: [], total: 7 });
  });

  test.each([
    ["subject_id", "x"],
    ["actor_id", "x"],
    ["from", "yesterday"],
    ["from", "2026-11-20T12:00:00"],
    ["to", "2026-02-30T12:00:00Z"],
    ["to", "0000-01-01T00:00:00Z"],
    ["subject_type", "a\u0000"],
    ["tenant_id", "x"],
  ])("%s=%s is 422 and names it", async (name, value) => {
    expectError(await ask(new URLSearchParams({ [name]: value }).toString()), 422, "invalid_request", [name]);
  });

  test("is for audit:read alone", async () => {
    const scopes = (await selo.operator.allScopes()).filter((scope) => scope !== "audit:read");
    expectError(await ask("", await owner.token("live", scopes)), 403, "missing_scope");
    expect((await ask("", await owner.token("live", ["audit:read"]))).status).toBe(200);
  });

  const chainInGraphql = (token: string, subject: unknown) =>
    graphql(selo, token, `{ auditChain(subjectId: "${subject}") { valid length brokenAt headHash sealedBy } }`);

  test("of another's subject, or in the other environment, shows an empty chain", async () => {
    const stranger = await selo.newOrganization();
    for (const token of [stranger.live, owner.test])
      expect((await ask(`subject_id=${proofs[0]}`, token)).body).toMatchObject({
        items: [],
        total: 0,
        chain: { length: 0, head_hash: null, faults: [] },
      });
    for (const token of [stranger.live, owner.test])
      expect((await chainInGraphql(token, proofs[0])).errors[0]?.extensions.code).toBe("not_found");
  });

  test("says by which seal an event is covered", async () => {
    const number = await selo.seal();
    const { items, chain } = (await ask(`subject_id=${proofs[0]}`)).body;
    expect(items[0].sealed_by).toBe(number);
    expect(chain).toMatchObject({ sealed_by: number, sealed_length: 1, length: 1 });
    const { data } = await chainInGraphql(owner.live, proofs[0]);
    expect(data?.["auditChain"]).toEqual({
      valid: true,
      length: 1,
      brokenAt: null,
      headHash: chain.head_hash,
      sealedBy: number,
    });
    await selo.seal();
    expect((await ask(`subject_id=${proofs[0]}`)).body.items[0].sealed_by).toBe(number);
  });

  test("shows what is wrong with a chain", async () => {
    const { body } = await register({ token: owner.live });
    await selo.database.admin.query("alter table platform.audit_events disable trigger append_only");
    await selo.database.admin.query("update platform.audit_events set action = 'proof.revoked' where subject_id = $1", [
      body.id,
    ]);
    await selo.database.admin.query("alter table platform.audit_events enable trigger append_only");
    expect((await ask(`subject_id=${body.id}`)).body.chain.faults).toEqual([
      { seq: 1, event_id: expect.stringMatching(UUID), fault: expect.stringMatching(/^edited/) },
    ]);
    const { data } = await chainInGraphql(owner.live, body.id);
    expect(data?.["auditChain"]).toMatchObject({ valid: false, length: 1, brokenAt: 1 });
  });
});

test("seals are listed for anyone, the newest first, each naming the one before it", async () => {
  const [first, second] = [await selo.seal(), await selo.seal()];
  const { body, status } = await call(selo, "GET", "/public/audit-seals?limit=2");
  expect(status).toBe(200);
  expect(body.items.map(({ number }: { number: number }) => number)).toEqual([second, first]);
  const [newer, older] = body.items;
  const evidence = JSON.stringify(older.evidence, Object.keys(older.evidence).sort());
  expect(newer.evidence.previous).toBe(createHash("sha256").update(evidence).digest("hex"));
  expect(body).toMatchObject({ total: second, limit: 2, offset: 0 });
  expectError(await call(selo, "GET", "/public/audit-seals?subject_id=x"), 422, "invalid_request", ["subject_id"]);
});
