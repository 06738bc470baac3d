// Names and ids are looked up, whatever the planner knows: after an ANALYZE that did not see an organization, it takes the organization for one record.
import { afterAll, beforeAll, expect, test } from "vitest";
import { ServedStage } from "./served-stage.ts";

const SETS = 300;
/** So many rows are read for a record of a change, at most. A scan of the organization for each name would read hundreds. */
const MOST_READ = 40;
/** So many that the planner would join drafts, which it takes for a few, by comparing each with each. */
const LINES = 12_000;

let stage: ServedStage;
beforeAll(async () => {
  stage = await ServedStage.open();
});
afterAll(() => stage.close());

const sets = (ttl: number, addresses: readonly string[], type = "A") =>
  JSON.stringify(
    Array.from({ length: SETS }, (_, place) => ({
      name: `host${place}.deep`,
      type,
      ttl,
      records: addresses.map((content) => ({ content })),
    })),
  );

const file = (ttl: number, lines = SETS) =>
  JSON.stringify(
    Array.from({ length: lines }, (_, place) => [
      place + 1,
      `host${place}.deep.young.example`,
      place % 2 === 0 ? "A" : "CNAME",
      ttl,
      place % 2 === 0 ? "192.0.2.9" : "a.example.net",
      null,
      false,
      null,
    ]),
  );

test("changes of many names of an organization that was never analyzed read a few rows for each", async () => {
  // Statistics of both tables that know one other organization alone.
  const old = await stage.newZone("old.example");
  await stage.add(old, [{ name: "", type: "TXT", content: "x" }]);
  await stage.database.admin.query("analyze dns.records, pdns.records, dns.aliases, dns.alias_links");
  const { id: tenantId } = await stage.operator.createOrganization({ name: "Young", plan: "growth" });
  const read = await stage.inTenant(async (client) => {
    const { rows } = await client.query<{ id: number }>(
      "insert into dns.zones (tenant_id, name, serial) values ($1, 'young.example', 1) returning id",
      [tenantId],
    );
    const zone = rows[0]?.id;
    const counted: number[] = [];
    for (const [statement, value] of [
      ["dns.replace_sets(zone, $2)", sets(300, ["192.0.2.1"])],
      ["dns.replace_sets(zone, $2)", sets(600, ["192.0.2.1", "192.0.2.2"])],
      ["dns.import_records(zone, $2, false, false)", file(600)],
      ["dns.import_records(zone, $2, true, false)", file(700)],
      ["dns.replace_sets(zone, $2)", sets(600, [])],
      ["dns.import_records(zone, $2, true, false)", "[]"],
      ["dns.replace_sets(zone, $2)", sets(600, ["www.young.example"], "ALIAS")],
      ["dns.replace_sets(zone, $2)", sets(600, ["www.elsewhere.example"], "ALIAS")],
      ["dns.replace_sets(zone, $2)", sets(600, [], "ALIAS")],
    ]) {
      const rowsRead = async () => {
        const { rows } = await client.query<{ read: string }>(
          "select sum(seq_tup_read + idx_tup_fetch) as read from pg_stat_xact_user_tables where relid in ('dns.records'::regclass, 'pdns.records'::regclass, 'dns.aliases'::regclass, 'dns.alias_links'::regclass)",
        );
        return Number(rows[0]?.read);
      };
      const before = await rowsRead();
      await client.query(`select ${statement} from dns.zones as zone where zone.id = $1`, [zone, value]);
      counted.push((await rowsRead()) - before);
    }
    return counted;
  }, tenantId);
  for (const rows of read) {
    expect(rows).toBeGreaterThan(0);
    expect(rows).toBeLessThan(SETS * MOST_READ);
  }
});

test("records of a zone file are joined by their names, not each compared with each other", async () => {
  const zone = await stage.newZone("joined.example");
  await stage.add(zone, [{ name: "host1.deep", type: "TXT", content: "x" }]);
  const lines = file(600, LINES).replaceAll(".young.example", ".joined.example");
  const plans = await stage.inTenant(async (client) => {
    const said: string[] = [];
    const hear = ({ message }: { readonly message?: string | undefined }) => said.push(message ?? "");
    client.on("notice", hear);
    // A superuser alone may load it.
    await client.query("set local role none");
    await client.query("load 'auto_explain'");
    for (const [name, value] of [
      ["log_min_duration", "0"],
      ["log_nested_statements", "on"],
      ["log_analyze", "on"],
      ["log_level", "notice"],
      ["log_parameter_max_length", "0"],
    ])
      await client.query("select set_config($1, $2, true)", [`auto_explain.${name}`, value]);
    await client.query("set local role selo_owner");
    for (const replaces of [false, true])
      await client.query("select dns.import_records(zone, $2, $3, false) from dns.zones as zone where zone.id = $1", [
        zone.id,
        lines,
        replaces,
      ]);
    client.off("notice", hear);
    return said;
  });
  expect(plans.filter((plan) => plan.includes("unnest")).length).toBeGreaterThan(10);
  const removed = plans.flatMap((plan) =>
    [...plan.matchAll(/Rows Removed by Join Filter: (\d+)/g)].map(([, rows]) => ({ plan, rows: Number(rows) })),
  );
  expect(removed.filter(({ rows }) => rows > LINES)).toEqual([]);
});
