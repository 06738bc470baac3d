// How often an actor may ask that has several credentials: together as often as one that has one, in all gateways together.
import { createHash, randomBytes, randomUUID } from "node:crypto";
import type pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Database } from "../../../src/postgres/database.ts";
import { createPool } from "../../../src/postgres/pool.ts";
import { RequestQuota } from "../../../src/surfaces/http/request-quota.ts";
import {
  startGatewayBeside,
  startTestGateway,
  type TestGateway,
  type TestOrganization,
} from "../../support/gateway.ts";
import { graphql } from "../../support/graphql-client.ts";
import { inContext, ownerPool } from "../../support/owner.ts";
import { call, expectError } from "../../support/rest-client.ts";
import { timeAhead } from "../../support/time-ahead.ts";

const LIMIT = 200;
/** What one gateway counts ahead for an actor, and loses at most. */
const SHARE = LIMIT / 100;
/** What is left of it where most of it is spent, so that nobody has to ask two hundred times. */
const LEFT = 40;
let selo: TestGateway;
let beside: Awaited<ReturnType<typeof startGatewayBeside>>;
let owner: pg.Pool;
let organization: TestOrganization;
beforeAll(async () => {
  selo = await startTestGateway({ TOKEN_REQUESTS_PER_MINUTE: String(LIMIT), TRUST_PROXY: "1" });
  beside = await startGatewayBeside(selo);
  owner = ownerPool(selo.database);
  organization = await selo.newOrganization();
  await owner.query("update platform.scopes set kinds = '{token,api_key}' where name = 'proofs:read'");
});
afterAll(async () => {
  await owner?.end();
  await beside?.stop();
  await selo?.stop();
});
/** From which no other test asks. */
let address: string;
let last = 0;
beforeEach(() => {
  address = `198.51.100.${++last}`;
});

const hashOf = (secret: string) => createHash("sha256").update(secret).digest();

/** Credentials of an API key, as the services that have such keys will make them. */
async function make(count: number): Promise<string[]> {
  const actorId = randomUUID();
  const secrets = Array.from({ length: count }, () => `svc_live_${randomBytes(32).toString("base64url")}`);
  for (const secret of secrets)
    await inContext(owner, organization.id, "live", (client) =>
      client.query(
        `insert into platform.credentials (digest, kind, tenant_id, environment, actor_id, scopes_from, scopes)
         values (sha256($1), 'api_key', $2, 'live', $3, 'credential', '{proofs:read}')`,
        [hashOf(secret), organization.id, actorId],
      ),
    );
  return secrets;
}
const change = (secret: string, what: string) =>
  selo.database.admin.query(`update platform.credentials set ${what} where digest = sha256($1)`, [hashOf(secret)]);
/** The actor of a credential, as Postgres says it. */
async function actorOf(secret: string): Promise<string> {
  const client = await selo.database.admin.connect();
  try {
    await client.query("begin");
    const { rows } = await client.query("select actor from gateway.count_actor_requests($1, 1, 60)", [hashOf(secret)]);
    await client.query("rollback");
    return rows[0]?.actor;
  } finally {
    client.release();
  }
}
/** Begins the actor's window, with so many requests left. It lasts for an hour, however long the test takes. */
async function begin(actor: string, left = LIMIT): Promise<void> {
  await selo.database.admin.query(
    `insert into platform.request_counts (key, count, resets_at)
     values (sha256(convert_to($1, 'UTF8')), $2, clock_timestamp() + interval '1 hour')`,
    [actor, LIMIT - left],
  );
}
const OF_ACTOR = "where key = sha256(convert_to($1, 'UTF8'))";
/** What Postgres has counted of an actor. */
async function counted(actor: string): Promise<number> {
  const { rows } = await selo.database.admin.query<{ count: number }>(
    `select count from platform.request_counts ${OF_ACTOR}`,
    [actor],
  );
  return rows[0]?.count ?? 0;
}

type Target = Pick<TestGateway, "baseUrl">;
/** For what is not there: no list, of which one actor may not ask for hundreds at once. */
const ask = (token: string, target: Target = selo) =>
  call(target, "GET", `/proofs/${randomUUID()}`, { token, headers: { "x-forwarded-for": address } });
const THROUGH = 404;
const status = async (token: string, target?: Target) => (await ask(token, target)).status;

describe.each([2, 10])("an actor with %i credentials", (many) => {
  test("may ask as often as one with a single credential, though most of them ask once", async () => {
    const secrets = await make(many);
    const [first = ""] = secrets;
    await begin(await actorOf(first), LEFT);
    const statuses: number[] = [];
    for (const target of [selo, beside]) for (const secret of secrets) statuses.push(await status(secret, target));
    while (statuses.length < LEFT + 20)
      statuses.push(...(await Promise.all(Array.from({ length: 20 }, () => status(first)))));
    const through = statuses.filter((each) => each === THROUGH).length;
    expect(through).toBeLessThanOrEqual(LEFT);
    // At most what the other gateway has in hand is lost to this one.
    expect(through).toBeGreaterThan(LEFT - SHARE);
    expect(statuses.at(-1)).toBe(429);
  });

  test("and all of them at once, in two gateways", async () => {
    const secrets = await make(many);
    await begin(await actorOf(secrets[0] ?? ""), LEFT);
    const places = Array.from({ length: 2 * LEFT }, (_, place) => place);
    const asked = (place: number) => status(secrets[place % many] ?? "", place % 3 === 0 ? beside : selo);
    const statuses = await Promise.all(places.map(asked));
    const through = statuses.filter((each) => each === THROUGH).length;
    expect(through).toBeLessThanOrEqual(LEFT);
    expect(through).toBeGreaterThan(LEFT - 2 * SHARE);
    expect(statuses.filter((each) => each === 429)).toHaveLength(2 * LEFT - through);
  });

  test("has one share counted ahead in a gateway, whichever of them asks when", async () => {
    const secrets = await make(many);
    const actor = await actorOf(secrets[0] ?? "");
    await begin(actor);
    for (let round = 1; round <= 3; round++) {
      await Promise.all(secrets.map((secret) => status(secret)));
      expect(await counted(actor)).toBeGreaterThanOrEqual(round * many);
      expect(await counted(actor)).toBeLessThan(round * many + SHARE);
    }
  });

  test("is told how many requests are left to all of them", async () => {
    const secrets = await make(many);
    await begin(await actorOf(secrets[0] ?? ""));
    for (const [place, secret] of secrets.entries())
      expect((await ask(secret)).headers.get("ratelimit")).toMatch(new RegExp(`;r=${LIMIT - 1 - place};`));
  });
});

describe("a credential of an actor with another one", () => {
  test.each([
    ["is revoked", "revoked_at = clock_timestamp()"],
    ["expires", "expires_at = clock_timestamp()"],
  ])("that %s takes nothing more of what the actor may ask, in REST and GraphQL", async (_, what) => {
    for (const isGraphql of [false, true]) {
      const [good = "", gone = ""] = await make(2);
      const actor = await actorOf(good);
      await begin(actor);
      // Known to be good, and to have something in hand.
      for (const secret of [good, gone, good, gone]) expect(await status(secret)).toBe(THROUGH);
      const before = await counted(actor);
      await change(gone, what);
      const TIMES = 5 * SHARE;
      for (let asked = 0; asked < TIMES; asked++) {
        const refused = isGraphql ? (await graphql(selo, gone, "{ __typename }")).status : await status(gone);
        expect(refused).toBe(401);
        // What this one counts ahead is its own.
        expect(await status(good)).toBe(THROUGH);
      }
      expect(await counted(actor)).toBeLessThanOrEqual(before + TIMES + SHARE);
    }
  });

  test("that is revoked counts as a guess, so that its address cannot go on sending it", async () => {
    const gateway = await startGatewayBeside(selo, { TOKEN_REQUESTS_PER_MINUTE: "5" });
    try {
      const [, gone = ""] = await make(2);
      expect(await status(gone, gateway)).toBe(THROUGH);
      await change(gone, "revoked_at = clock_timestamp()");
      for (let asked = 0; asked < 5; asked++) expectError(await ask(gone, gateway), 401, "unauthenticated");
      expectError(await ask(gone, gateway), 429, "rate_limited");
    } finally {
      await gateway.stop();
    }
  });
});

describe("in the gateway's own count", () => {
  const WINDOW_SECONDS = 60;
  const passTime = timeAhead();
  let pool: pg.Pool;
  let database: Database;
  beforeAll(() => {
    pool = createPool({ url: selo.database.appUrl, role: "selo_app", applicationName: "quota" }, 4, () => {});
    database = new Database(pool);
  });
  afterAll(() => pool.end());

  /** As the gateway counts; and with which credential it asked Postgres for how many. */
  function newQuota(mostKnown?: number) {
    const asked: [secret: string, requests: number][] = [];
    const quota = new RequestQuota(LIMIT, {
      ...(mostKnown !== undefined && { mostKnown }),
      count: async (secret, requests) => {
        asked.push([secret, requests]);
        const { actor, ...rest } = await database.countActorRequests(hashOf(secret), requests, WINDOW_SECONDS);
        return { key: actor, ...rest };
      },
      windowSeconds: WINDOW_SECONDS,
      keyOf: (secret) => database.actors.actorOf(hashOf(secret)),
    });
    return { quota, asked };
  }
  /** Ends all windows, in Postgres and here. */
  async function endWindows(): Promise<void> {
    await selo.database.admin.query("update platform.request_counts set resets_at = clock_timestamp()");
    passTime((WINDOW_SECONDS + 1) * 1_000);
  }

  test("what an actor has in hand in one window is nobody's in the next, whichever credential asks first", async () => {
    const [first = "", second = ""] = await make(2);
    const actor = await actorOf(first);
    const { quota } = newQuota();
    // The last has a share counted for both.
    for (const secret of [first, second, first]) expect((await quota.take(secret)).allowed).toBe(true);
    expect(await counted(actor)).toBe(2 + SHARE);
    // The window ends in Postgres before it does here.
    await selo.database.admin.query(`update platform.request_counts set resets_at = clock_timestamp() ${OF_ACTOR}`, [
      actor,
    ]);
    const { quota: other } = newQuota();
    await other.take(second);
    quota.forget(second);
    let through = 1;
    while ((await quota.take(second)).allowed) through++;
    expect(through).toBeLessThanOrEqual(LIMIT);
    expect(through).toBeGreaterThan(LIMIT - 2 * SHARE);
  });

  test("a credential that was given to another actor counts as that one's from the next window on", async () => {
    const [stays = "", moves = ""] = await make(2);
    const from = await actorOf(stays);
    const { quota } = newQuota();
    for (const secret of [stays, moves, moves]) await quota.take(secret);
    await change(moves, `actor_id = '${randomUUID()}'`);
    const to = await actorOf(moves);
    expect(to).not.toBe(from);
    await endWindows();
    expect(quota.knows(moves)).toBe(false);
    // Whose share it is, the other credential says first.
    await quota.take(stays);
    const before = await counted(from);
    for (let asked = 0; asked < 2 * SHARE; asked++) await quota.take(moves);
    expect(await counted(from)).toBe(before);
    expect(await counted(to)).toBeGreaterThanOrEqual(2 * SHARE);
    expect(database.actors.actorOf(hashOf(moves))).toBe(to);
  });

  test("in a window, one statement serves a single credential for its share, and one more each other credential", async () => {
    const secrets = await make(3);
    const [first = "", second = "", third = ""] = secrets;
    const { quota, asked } = newQuota();
    for (const secret of secrets) await quota.take(secret);
    // Not known whose they are, nothing is counted ahead.
    expect(asked.splice(0)).toEqual(secrets.map((secret) => [secret, 1]));
    await endWindows();
    expect(secrets.map((secret) => quota.knows(secret))).toEqual([false, false, false]);
    for (let each = 0; each < SHARE; each++) await quota.take(first);
    expect(asked.splice(0)).toEqual([[first, SHARE]]);
    await quota.take(first);
    for (const secret of [second, third, second]) await quota.take(secret);
    expect(asked.splice(0)).toEqual([
      [first, SHARE],
      [second, 1],
      [third, 1],
    ]);
  });

  test("whoever waits for a statement that is asked with a revoked credential of the same actor is asked with next", async () => {
    const [good = "", gone = ""] = await make(2);
    const { quota, asked } = newQuota();
    for (const secret of [good, gone]) await quota.take(secret);
    await change(gone, "revoked_at = clock_timestamp()");
    asked.length = 0;
    const [refused, allowed] = await Promise.allSettled([quota.take(gone), quota.take(good)]);
    expect(refused).toMatchObject({ status: "rejected", reason: { status: 401 } });
    expect(allowed).toMatchObject({ status: "fulfilled", value: { allowed: true } });
    expect(asked).toEqual([
      [gone, SHARE],
      [good, SHARE],
    ]);
  });

  test("what is forgotten for want of room is found again, and nobody gets more for it", async () => {
    const actors = [await make(5), await make(5)];
    const { quota } = newQuota(3);
    for (const secrets of actors) {
      const actor = await actorOf(secrets[0] ?? "");
      await begin(actor, LEFT);
      let through = 0;
      for (let asked = 0; asked < LEFT + 10; asked++)
        if ((await quota.take(secrets[asked % 5] ?? "")).allowed) through++;
      expect(through).toBeLessThanOrEqual(LEFT);
      expect(through).toBeGreaterThan(LEFT - SHARE);
      expect(await counted(actor)).toBeGreaterThanOrEqual(LIMIT);
    }
  });
});
