// What the parent publishes, compared with the keys of a zone: issue "DNS hosting II" §3.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { issueKey } from "../../../src/services/dns/store.ts";
import { Customer, DnsStage, type Zone } from "./dns-stage.ts";
import { disable, enable, Parent, remove, rotate, status } from "./dnssec-stage.ts";

let stage: DnsStage;
let customer: Customer;
let zone: Zone;
let parent: Parent;
beforeAll(async () => {
  stage = await DnsStage.open();
  parent = new Parent(stage);
  customer = await stage.customer({ plan: "business", email: "contact@example.com", language: "pt-BR" });
});
afterAll(async () => {
  await parent?.close();
  await stage?.close();
});
beforeEach(async () => {
  zone = await customer.zone();
});
const codes = ({ chain, warnings }: { chain: string; warnings: readonly { code: string }[] }) => [
  chain,
  ...warnings.map(({ code }) => code),
];
const publishes = (ds: readonly string[] | null) => parent.publishes(customer, zone, ds);
const FOREIGN = `12345 13 2 ${"AB".repeat(32)}`;
const becomes = (state: string) =>
  stage.rows(
    `update dns.zones set status = $2::text, lost_at = case when $2 = 'active' then null else clock_timestamp() end where id = $1`,
    [zone.body.id, state],
  );
const becomesActive = () => becomes("active");

test("unsigned, and no DS at the parent", async () => {
  await publishes([]);
  expect(codes(await status(zone))).toEqual(["unsigned"]);
});

test("unsigned, not delegated to us, and a DS of its present provider: a warning", async () => {
  await publishes([FOREIGN]);
  expect(codes(await status(zone))).toEqual(["unsigned", "ds_still_published"]);
});

test("a DS of another provider is said to be in the way of a zone that is not active, and in the way of answers once it is", async () => {
  const inTheWay =
    "The parent publishes the DS record of another provider. Remove it at the registrar, and wait a day, before you point the domain here.";
  const messages = async () => (await status(zone)).warnings.map(({ message }) => message);
  const refused = [expect.stringContaining("validating resolvers refuse its answers")];
  await publishes([FOREIGN]);
  for (const isSigned of [false, true]) {
    if (isSigned) await enable(zone);
    for (const state of ["pending", "moved"]) {
      await becomes(state);
      expect(await messages()).toEqual([inTheWay]);
    }
    await becomes("active");
    expect(await messages()).toEqual(refused);
  }
});

test("unknown before a check, and after a check without an answer", async () => {
  await enable(zone);
  expect(codes(await status(zone))).toEqual(["unknown"]);
  await publishes(null);
  expect(codes(await status(zone))).toEqual(["unknown"]);
});

test("a check without an answer changes nothing", async () => {
  const { keys } = await enable(zone);
  await publishes(keys[0]?.ds_records ?? []);
  await publishes(null);
  expect(codes(await status(zone))).toEqual(["ds_published"]);
});

test("no_ds while the parent publishes none", async () => {
  await enable(zone);
  await publishes([]);
  expect(codes(await status(zone))).toEqual(["no_ds"]);
});

test.each([0, 1])(
  "ds_published with the DS record %i of the key alone, in any case and with other blanks",
  async (place) => {
    const { keys } = await enable(zone);
    await publishes([` ${keys[0]?.ds_records[place]?.toLowerCase().replaceAll(" ", "  ")}`]);
    expect(codes(await status(zone))).toEqual(["ds_published"]);
  },
);

test("ds_published with a DS of the key beside one of another", async () => {
  const { keys } = await enable(zone);
  await publishes([FOREIGN, ...(keys[0]?.ds_records ?? [])]);
  expect(codes(await status(zone))).toEqual(["ds_published"]);
});

test("broken where the parent publishes DS records of other keys only, and a key of the same tag with another digest", async () => {
  const { keys } = await enable(zone);
  await publishes([FOREIGN]);
  expect(codes(await status(zone))).toEqual(["broken", "ds_without_key"]);
  const tag = keys[0]?.ds_records[0]?.split(" ")[0];
  await publishes([`${tag} 13 2 ${"AB".repeat(32)}`]);
  expect(codes(await status(zone))).toEqual(["broken", "ds_without_key"]);
});

test("unknown where the only DS record of the key has a digest that is not compared", async () => {
  const { keys } = await enable(zone);
  const tag = keys[0]?.ds_records[0]?.split(" ")[0];
  await publishes([`${tag} 13 1 ${"AB".repeat(20)}`]);
  expect(codes(await status(zone))).toEqual(["unknown"]);
});

test("of a rotation: the new DS is not seen, is seen, the old one is gone, the old key is gone", async () => {
  const { keys: first } = await enable(zone);
  await publishes(first[0]?.ds_records ?? []);
  const rotated = await rotate(zone);
  expect(codes(rotated)).toEqual(["ds_published", "new_ds_not_seen"]);
  const [before, after] = rotated.keys;
  await publishes([...(before?.ds_records ?? []), ...(after?.ds_records ?? [])]);
  expect(codes(await status(zone))).toEqual(["ds_published"]);
  await publishes(after?.ds_records ?? []);
  expect(codes(await status(zone))).toEqual(["ds_published"]);
  expect(codes(await remove(zone, before))).toEqual(["ds_published"]);
});

test("a zone of one's own below a signed zone needs NS records there: said until they are there, to keys that may see it", async () => {
  const [lower, deeper] = [await customer.zone(`kid.${zone.name}`), await customer.zone(`a.kid.${zone.name}`)];
  expect((await status(zone)).warnings).toEqual([]);
  await enable(zone);
  const { warnings } = await status(zone);
  expect(warnings.map(({ code }) => code)).toEqual(["lower_zone_undelegated", "lower_zone_undelegated"]);
  expect(warnings[0]?.message).toContain(`Your zone ${lower.name} lies below`);
  const { secret } = await issueKey(stage.selo.operator, customer.organization.id, "s", null, {
    zones: [zone.body.id],
  });
  const narrowed = await new Customer(stage, customer.organization, secret).ask("GET", `/zones/${zone.body.id}/dnssec`);
  expect(narrowed).toMatchObject({ status: 200, body: { warnings: [] } });
  await zone.put([{ name: "kid", type: "NS", ttl: 300, records: [{ content: "ns1.example.net" }] }]);
  expect((await status(zone)).warnings).toEqual([]);
  await zone.put([
    { name: "kid", type: "NS", records: [] },
    { name: "a.kid", type: "NS", ttl: 300, records: [{ content: "ns1.example.net" }] },
  ]);
  expect((await status(zone)).warnings).toMatchObject([
    { message: expect.stringContaining(`Your zone ${lower.name} `) },
  ]);
  await lower.ask("DELETE");
  await deeper.ask("DELETE");
  expect((await status(zone)).warnings).toEqual([]);
});

test("the removed key's DS is the only one: said, and not refused", async () => {
  const { keys } = await enable(zone);
  await publishes(keys[0]?.ds_records ?? []);
  await rotate(zone);
  expect(codes(await remove(zone, keys[0]))).toEqual(["broken", "ds_without_key"]);
});

test("a DS is still published at disable: said, and not refused", async () => {
  const { keys } = await enable(zone);
  await publishes(keys[0]?.ds_records ?? []);
  await becomesActive();
  expect(codes(await disable(zone))).toEqual(["broken", "ds_still_published"]);
  await publishes([]);
  expect(codes(await status(zone))).toEqual(["unsigned"]);
});

describe("when the chain of an active zone turns broken", () => {
  const mails = () =>
    stage.rows<{ language: string; data: object }>(
      "select recipient, language, data from platform.mails where kind = 'zone_chain_broken' and data ->> 'name' = $1 order by id",
      [zone.name],
    );
  const events = () =>
    stage.rows<{ type: string }>(
      "select platform.read_json(body::text) ->> 'type' as type from webhooks.events where body::text like '%zone.chain_broken%' and body::text like '%' || $1 || '%'",
      [zone.name],
    );

  test("its owner gets one mail, and again only after it was whole", async () => {
    const { keys } = await enable(zone);
    await publishes(keys[0]?.ds_records ?? []);
    await becomesActive();
    await publishes(keys[0]?.ds_records ?? []);
    expect(await mails()).toEqual([]);
    await Promise.all([publishes([FOREIGN]), publishes([FOREIGN])]);
    await publishes([FOREIGN]);
    await publishes(null);
    expect(await mails()).toMatchObject([
      { data: { zone_id: zone.body.id, signed: true, parent_ds: [FOREIGN], ds_records: [keys[0]?.ds_records[0]] } },
    ]);
    expect(await events()).toHaveLength(1);
    await publishes(keys[0]?.ds_records ?? []);
    await publishes([FOREIGN]);
    expect(await mails()).toHaveLength(2);
  });

  test("after a disable, too: the check tells it", async () => {
    const { keys } = await enable(zone);
    await becomesActive();
    await publishes(keys[0]?.ds_records ?? []);
    await disable(zone);
    expect(await mails()).toEqual([]);
    await publishes(keys[0]?.ds_records ?? []);
    expect(await mails()).toMatchObject([{ data: { signed: false, ds_records: [] } }]);
  });

  test("and a zone that is not active gets none", async () => {
    await enable(zone);
    await publishes([FOREIGN]);
    expect(await mails()).toEqual([]);
  });
});
