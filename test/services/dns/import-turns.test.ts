// Imports of several organizations at once: issue "DNS hosting I" §4 says that an import holds up no other request.
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { issueKey } from "../../../src/services/dns/store.ts";
import { expectError } from "../../support/rest-client.ts";
import { Customer, DnsStage, Zone } from "./dns-stage.ts";
import { tryImport } from "./import-stage.ts";

/** Connections of the gateway, of which imports have a quarter together. */
const POOL = 8;

let stage: DnsStage;
beforeAll(async () => {
  stage = await DnsStage.open(undefined, { DATABASE_POOL_SIZE: String(POOL) });
});
afterAll(() => stage?.close());

const FILE = "a A 192.0.2.1\n";

/** Does something while zones cannot be changed, as while a large import runs. */
async function whileHeld<Result>(zones: readonly Zone[], act: () => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: stage.selo.database.adminUrl });
  await client.connect();
  try {
    await client.query("begin");
    await client.query("select from dns.zones where id = any ($1) for update", [zones.map(({ body }) => body.id)]);
    return await act();
  } finally {
    await client.query("rollback");
    await client.end();
  }
}

/** How many statements wait for a zone. */
const waiting = async () =>
  (await stage.rows("select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"))
    .length;

test("imports of many organizations take a quarter of the connections together, so others are answered", async () => {
  const [victim, ...attackers] = await Promise.all(Array.from({ length: POOL + 1 }, () => stage.customer()));
  const [own, ...zones] = await Promise.all([victim, ...attackers].map((each) => (each as Customer).zone()));
  const held = await whileHeld(zones, async () => {
    const imports = zones.map((zone) => tryImport(zone, FILE));
    await expect.poll(waiting).toBeGreaterThanOrEqual(POOL / 4);
    // Meanwhile the others could read their files.
    for (let asked = 0; asked < 50; asked++) {
      expect((await (own as Zone).ask("GET")).status).toBe(200);
      expect(await waiting()).toBe(POOL / 4);
    }
    return imports;
  });
  expect((await Promise.all(held)).map(({ status }) => status)).toEqual(zones.map(() => 200));
});

test("keys of an organization share its turns: one import runs, three wait, and a fifth is 503", async () => {
  const customer = await stage.customer();
  const zones = await Promise.all(Array.from({ length: 5 }, () => customer.zone()));
  const byKeys = await Promise.all(
    zones.map(async ({ body }) => {
      const { secret } = await issueKey(stage.selo.operator, customer.organization.id, "more");
      return new Zone(new Customer(stage, customer.organization, secret), body);
    }),
  );
  const held = await whileHeld(zones, async () => {
    const imports = byKeys.map((zone) => tryImport(zone, FILE));
    expectError(await Promise.race(imports), 503, "unavailable");
    await expect.poll(waiting).toBe(1);
    return imports;
  });
  expect((await Promise.all(held)).map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 503]);
});
