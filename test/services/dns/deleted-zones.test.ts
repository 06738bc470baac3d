// How much is kept of deleted zones: 100 zones and 64 MiB of an organization, the oldest goes first.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Customer, DnsStage } from "./dns-stage.ts";

const MOST_ZONES = 100;
const MIB = 1_048_576;

let stage: DnsStage;
let customer: Customer;
beforeAll(async () => {
  stage = await DnsStage.open();
  // What is stored is then what is written, so that few rows are large.
  await stage.rows("alter table dns.deleted_zones alter column records set storage external");
});
afterAll(() => stage.close());
beforeEach(async () => {
  customer = await stage.customer();
});

/** So many deleted zones as an organization may have had, the first one the oldest, with so many bytes of records each. */
async function keep(of: Customer, count: number, bytes = 10): Promise<readonly string[]> {
  const kept = await stage.rows<{ name: string }>(
    `insert into dns.deleted_zones (tenant_id, id, name, serial, records, deleted_at, record_salt)
     select $1, platform.uuidv7(), 'z' || n || '.test', 1, to_jsonb(repeat('x', $3)), now() - interval '1 day' + n * interval '1 minute', ''
     from generate_series(1, $2::integer) as n returning name`,
    [of.organization.id, count, bytes],
  );
  return kept.map(({ name }) => name);
}

const names = async (of: Customer) =>
  (
    await stage.rows<{ name: string }>("select name from dns.deleted_zones where tenant_id = $1 order by deleted_at", [
      of.organization.id,
    ])
  ).map(({ name }) => name);

async function deleteZone(): Promise<string> {
  const zone = await customer.zone();
  expect((await zone.ask("DELETE")).status).toBe(204);
  return zone.name;
}

describe("of an organization", () => {
  test(`${MOST_ZONES} deleted zones are kept`, async () => {
    const earlier = await keep(customer, MOST_ZONES - 1);
    const last = await deleteZone();
    expect(await names(customer)).toEqual([...earlier, last]);
  });

  test("of one more the oldest goes, and each later one pushes out another", async () => {
    const earlier = await keep(customer, MOST_ZONES);
    const first = await deleteZone();
    expect(await names(customer)).toEqual([...earlier.slice(1), first]);
    const second = await deleteZone();
    expect(await names(customer)).toEqual([...earlier.slice(2), first, second]);
  });

  test("64 MiB are kept, and of more the oldest goes", async () => {
    const earlier = await keep(customer, 3, 21 * MIB);
    const first = await deleteZone();
    expect(await names(customer)).toEqual([...earlier, first]);
    await stage.rows(
      "update dns.deleted_zones set records = to_jsonb(repeat('x', $2)) where tenant_id = $1 and name = 'z3.test'",
      [customer.organization.id, 22 * MIB],
    );
    const second = await deleteZone();
    expect(await names(customer)).toEqual([...earlier.slice(1), first, second]);
  });

  test("the last one is kept, whatever its size", async () => {
    await keep(customer, 3);
    const zone = await customer.zone();
    await zone.add({ name: "www", type: "TXT", content: "x".repeat(500) });
    const statement = `select platform.enter_context($1, 'live', null, null, null), dns.forget_deleted_zones(p_most_bytes => 1)`;
    expect((await zone.ask("DELETE")).status).toBe(204);
    await stage.rows(statement, [customer.organization.id]);
    expect(await names(customer)).toEqual([zone.name]);
  });

  test("the zones of another organization are not counted, and stay", async () => {
    const other = await stage.customer();
    const theirs = await keep(other, MOST_ZONES + 5);
    const ours = await keep(customer, 2);
    const last = await deleteZone();
    expect(await names(customer)).toEqual([...ours, last]);
    expect(await names(other)).toEqual(theirs);
  });
});

test("one that is being restored is passed over, and does not hold up the deletion of another zone", async () => {
  await keep(customer, MOST_ZONES);
  const restoring = await stage.selo.database.admin.connect();
  try {
    await restoring.query("begin");
    await restoring.query("select from dns.deleted_zones where tenant_id = $1 and name = 'z1.test' for update", [
      customer.organization.id,
    ]);
    await deleteZone();
    expect((await names(customer))[0]).toBe("z1.test");
    await restoring.query("rollback");
  } finally {
    restoring.release();
  }
  await deleteZone();
  expect((await names(customer))[0]).toBe("z3.test");
  expect(await names(customer)).toHaveLength(MOST_ZONES);
});
