// Keys that are narrowed to zones, and to TXT records of _acme-challenge: issue "DNS hosting II" §5.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { issueKey, type Narrowing } from "../../../src/services/dns/store.ts";
import { countRows, expectError, type RestResponse } from "../../support/rest-client.ts";
import { Customer, DnsStage, type RecordBody, Zone } from "./dns-stage.ts";
import { PowerDnsClient } from "./power-dns-client.ts";

const ACME = "_acme-challenge";
const A = { type: "A", content: "192.0.2.1" };
const TXT = { type: "TXT", content: "token" };

let stage: DnsStage;
let one: Customer;
let inside: Zone;
let outside: Zone;
let record: RecordBody;
let ofZone: Customer;
let ofAcme: Customer;
let ofBoth: Customer;
beforeAll(async () => {
  stage = await DnsStage.open();
  one = await stage.customer();
  [inside, outside] = [await one.zone(), await one.zone()];
  record = await inside.add({ name: "www", ...A });
  await outside.add({ name: ACME, ...TXT });
  const zones = [inside.body.id];
  [ofZone, ofAcme, ofBoth] = [
    await narrowed({ zones }),
    await narrowed({ acmeOnly: true }),
    await narrowed({ zones, acmeOnly: true }),
  ];
});
afterAll(() => stage?.close());

const keyOf = (narrowing: Narrowing) => issueKey(stage.selo.operator, one.organization.id, "narrow", null, narrowing);
async function narrowed(narrowing: Narrowing): Promise<Customer> {
  return new Customer(stage, one.organization, (await keyOf(narrowing)).secret);
}
/** The zone as the holder of another key sees it. */
const by = (customer: Customer, zone: Zone) => new Zone(customer, zone.body);

/** A refusal that writes nothing. */
async function refusedWithout(write: () => Promise<RestResponse>): Promise<void> {
  const rows = await countRows(stage.selo);
  expectError(await write(), 403, "forbidden");
  expect(await countRows(stage.selo)).toEqual(rows);
}

/** Each path below a zone. */
const PATHS: [method: string, path: string, body?: object][] = [
  ["GET", ""],
  ["GET", "/records"],
  ["GET", "/changes"],
  ["GET", "/export"],
  ["POST", "/records", { name: ACME, ...TXT }],
  ["PUT", "/records", { sets: [{ name: ACME, type: "TXT", records: [] }] }],
  ["PUT", "/records", { sets: [{ name: ACME, type: "TXT", records: [] }], dry_run: true }],
  ["PUT", "/records/{record_id}", { ttl: 300 }],
  ["DELETE", "/records/{record_id}"],
  ["POST", "/import", { bind_file: "new A 192.0.2.1", dry_run: true }],
  ["DELETE", ""],
];

describe("a key of zones", () => {
  test.each(PATHS)(
    "%s …/zones/{zone_id}%s of another zone is 403 forbidden, and writes nothing",
    async (method, path, body) => {
      const [of] = await outside.records();
      const whole = path.replace("{record_id}", `${of?.id}`);
      await refusedWithout(() => by(ofZone, outside).ask(method, whole, body));
    },
  );

  test("does everything in its zone, and may delete it", async () => {
    const zone = await one.zone();
    const own = by(await narrowed({ zones: [zone.body.id] }), zone);
    const { id } = await own.add({ name: "www", ...A });
    for (const [method, path, body] of PATHS)
      expect(
        (await own.ask(method, path.replace("{record_id}", `${id}`), body)).status,
        `${method} ${path}`,
      ).toBeLessThan(300);
  });

  test("lists its zone alone, in REST, in GraphQL and for clients of PowerDNS", async () => {
    const name = inside.name;
    expect((await ofZone.ask("GET", "/zones")).body.map((zone: { name: string }) => zone.name)).toEqual([name]);
    const { data } = await ofZone.graphql(
      "{ dnsZones { totalCount nodes { name records(first: 5) { nodes { name } } } } }",
    );
    expect(data).toEqual({
      dnsZones: { totalCount: 1, nodes: [{ name, records: { nodes: [{ name: `www.${name}` }] } }] },
    });
    const client = new PowerDnsClient(stage.selo, ofZone.token);
    expect((await client.zones()).body.map((zone: { name: string }) => zone.name)).toEqual([`${name}.`]);
    expect((await client.zones(`?zone=${outside.name}.`)).body).toEqual([]);
  });

  test("makes no zone", async () => {
    await refusedWithout(() => ofZone.ask("POST", "/zones", { name: stage.newName() }));
    const client = new PowerDnsClient(stage.selo, ofZone.token);
    const rows = await countRows(stage.selo);
    expect((await client.create({ name: `${stage.newName()}.`, kind: "Native" })).status).toBe(403);
    expect(await countRows(stage.selo)).toEqual(rows);
  });

  test("of another organization's id is 404, as for every key", async () => {
    const foreign = await (await stage.customer()).zone();
    expectError(await by(ofZone, foreign).ask("GET"), 404, "not_found");
  });
});

describe("a key of TXT records of _acme-challenge", () => {
  test.each([ACME, `${ACME}.www`, `${ACME}.a.b`, `_account.${ACME}`])(
    "writes, changes and deletes %s",
    async (name) => {
      const zone = by(ofAcme, inside);
      const made = await zone.add({ name, ...TXT });
      expect((await zone.ask("PUT", `/records/${made.id}`, { content: "other" })).body.content).toBe("other");
      expect(await zone.records()).toHaveLength(1);
      expect((await zone.put([{ name, type: "TXT", records: [{ content: "third" }] }])).body).toMatchObject({
        created: 1,
      });
      const [last] = await zone.records();
      expect((await zone.ask("DELETE", `/records/${last?.id}`)).status).toBe(204);
      expect(await zone.records()).toEqual([]);
    },
  );

  test.each([
    { name: "www", ...TXT },
    { name: "@", ...TXT },
    { name: ACME, ...A },
    { name: ACME, type: "CNAME", content: "acme.example.net" },
    { name: ACME, type: "NS", content: "ns.example.net" },
    { name: `x${ACME}`, ...TXT },
    { name: `${ACME}x`, ...TXT },
    { name: "*", ...TXT },
  ])("does not write $name $type", async ({ name, type, content }) => {
    const zone = by(ofAcme, inside);
    await refusedWithout(() => zone.post({ name, type, content }));
    for (const records of [[], [{ content }]])
      await refusedWithout(() =>
        zone.put([
          { name: ACME, type: "TXT", records: [{ content: "x" }] },
          { name, type, records },
        ]),
      );
  });

  test("neither changes nor deletes another record, and is told the same of an empty set whether the zone has it or not", async () => {
    const zone = by(ofAcme, inside);
    await refusedWithout(() => zone.ask("PUT", `/records/${record.id}`, { ttl: 60 }));
    await refusedWithout(() => zone.ask("DELETE", `/records/${record.id}`));
    for (const name of ["www", "nothing"])
      await refusedWithout(() => zone.put([{ name, type: "A", records: [] }], { dry_run: true }));
  });

  test("sees only such records: of a zone, in GraphQL, and for clients of PowerDNS", async () => {
    const zone = by(ofAcme, inside);
    await zone.add({ name: ACME, ...TXT });
    expect((await zone.records()).map(({ name }) => name)).toEqual([`${ACME}.${zone.name}`]);
    expect(await zone.records("?name=www")).toEqual([]);
    const { data } = await ofAcme.graphql(
      `{ dnsZone(id: "${zone.body.id}") { records { totalCount nodes { name type } } } dnsRecord(id: "${record.id}") { id } }`,
    );
    expect(data).toEqual({
      dnsZone: { records: { totalCount: 1, nodes: [{ name: `${ACME}.${zone.name}`, type: "TXT" }] } },
      dnsRecord: null,
    });
    const client = new PowerDnsClient(stage.selo, ofAcme.token);
    const sets = (await client.zone(zone.name)).body.rrsets;
    expect(sets.map(({ name, type }: { name: string; type: string }) => [name, type])).toEqual([
      [`${ACME}.${zone.name}.`, "TXT"],
    ]);
    await zone.put([{ name: ACME, type: "TXT", records: [] }]);
  });

  test.each([
    ["GET", "/changes"],
    ["GET", "/export"],
    ["POST", "/import", { bind_file: `${ACME} TXT x` }],
    ["DELETE", ""],
  ] as const)(
    "%s …/zones/{zone_id}%s is 403 forbidden, also where only such records are concerned",
    async (method, path, body?: object) => {
      await refusedWithout(() => by(ofAcme, inside).ask(method, path, body));
      await refusedWithout(() => by(ofBoth, inside).ask(method, path, body));
    },
  );

  test("makes no zone", async () => {
    await refusedWithout(() => ofAcme.ask("POST", "/zones", { name: stage.newName() }));
  });

  test("a CNAME of somebody with more rights is judged as ever", async () => {
    const zone = await one.zone();
    await zone.add({ name: ACME, type: "CNAME", content: "elsewhere.example.net" });
    const answer = await by(ofAcme, zone).post({ name: ACME, ...TXT });
    expect([answer.status, answer.body.code]).toEqual([422, "record_conflict"]);
  });

  test("what is served beside such a record stays", async () => {
    const zone = await one.zone();
    await zone.add({ name: ACME, ...A });
    await by(ofAcme, zone).add({ name: ACME, ...TXT });
    const served = await stage.rows<{ type: string }>(
      "select type from pdns.records where domain_id = $1 and name = $2 order by type",
      [zone.body.id, `${ACME}.${zone.name}`],
    );
    expect(served.map(({ type }) => type)).toEqual(["A", "TXT"]);
  });

  test("may have scopes, too", async () => {
    const { secret } = await issueKey(stage.selo.operator, one.organization.id, "r", ["record:read"], {
      acmeOnly: true,
    });
    const reader = by(new Customer(stage, one.organization, secret), inside);
    expect(await reader.records()).toEqual([]);
    expectError(await reader.post({ name: ACME, ...TXT }), 403, "missing_scope");
  });
});

describe("a key of TXT records of _acme-challenge in a zone", () => {
  test("writes them there, and nowhere else", async () => {
    const { id } = await by(ofBoth, inside).add({ name: ACME, ...TXT });
    expect((await by(ofBoth, inside).ask("DELETE", `/records/${id}`)).status).toBe(204);
    await refusedWithout(() => by(ofBoth, outside).post({ name: ACME, ...TXT }));
    expectError(await by(ofBoth, outside).ask("GET", "/records"), 403, "forbidden");
    await refusedWithout(() => by(ofBoth, inside).post({ name: "www", ...TXT }));
  });
});

test("GraphQL refuses the same mutations with the same code", async () => {
  const mutations = (zone: Zone, name: string, type: string, id: number): readonly string[] => [
    `createDnsRecord(input: {zoneId: "${zone.body.id}", name: "${name}", type: "${type}", content: "192.0.2.9"}) { record { id } }`,
    `updateDnsRecord(input: {zoneId: "${zone.body.id}", recordId: "${id}", ttl: 60}) { record { id } }`,
    `deleteDnsRecord(input: {zoneId: "${zone.body.id}", recordId: "${id}"}) { recordId }`,
    `replaceDnsRecords(input: {zoneId: "${zone.body.id}", sets: [{name: "${name}", type: "${type}", records: []}]}) { serial }`,
    `importDnsZone(input: {zoneId: "${zone.body.id}", bindFile: "x A 192.0.2.1"}) { serial }`,
    `deleteDnsZone(input: {zoneId: "${zone.body.id}"}) { zoneId }`,
    `createDnsZone(input: {name: "${stage.newName()}"}) { zone { id } }`,
  ];
  const [text] = await outside.records();
  const rows = await countRows(stage.selo);
  for (const [key, all] of [
    [ofZone, mutations(outside as Zone, ACME, "TXT", text?.id ?? 0)],
    [ofAcme, mutations(inside as Zone, "www", "A", record.id)],
  ] as const)
    for (const mutation of all) {
      const { errors } = await key.graphql(`mutation { ${mutation} }`);
      expect({ mutation, codes: errors.map(({ extensions }) => extensions.code) }).toEqual({
        mutation,
        codes: ["forbidden"],
      });
    }
  expect(await countRows(stage.selo)).toEqual(rows);
  const { data } = await ofZone.graphql(
    `{ dnsZone(id: "${outside.body.id}") { id } dnsRecord(id: "${text?.id}") { id } }`,
  );
  expect(data).toEqual({ dnsZone: null, dnsRecord: null });
});

test("clients of PowerDNS are refused the same, in words of theirs", async () => {
  const [zoned, acme] = [ofZone, ofAcme].map((key) => new PowerDnsClient(stage.selo, key.token)) as [
    PowerDnsClient,
    PowerDnsClient,
  ];
  const [there, here] = [outside.name, inside.name];
  const set = (name: string, type: string, changetype: string) => [
    {
      name,
      type,
      changetype,
      ttl: 60,
      records: changetype === "DELETE" ? [] : [{ content: type === "A" ? "192.0.2.1" : '"x"' }],
    },
  ];
  const rows = await countRows(stage.selo);
  for (const ask of [
    () => zoned.zone(there),
    () => zoned.patch(there, set(`${ACME}.${there}.`, "TXT", "REPLACE")),
    () => zoned.delete(there),
    () => zoned.ask("GET", `/api/v1/servers/localhost/zones/${there}./export`),
    () => zoned.ask("PUT", `/api/v1/servers/localhost/zones/${there}./notify`),
    () => acme.patch(here, set(`www.${here}.`, "A", "DELETE")),
    () => acme.patch(here, set(`nothing.${here}.`, "A", "DELETE")),
    () => acme.patch(here, set(`www.${here}.`, "TXT", "REPLACE")),
    () => acme.patch(here, set(`${here}.`, "NS", "REPLACE")),
    () => acme.patch(here, [...set(`${ACME}.${here}.`, "TXT", "REPLACE"), ...set(`www.${here}.`, "A", "EXTEND")]),
    () => acme.delete(here),
    () => acme.ask("GET", `/api/v1/servers/localhost/zones/${here}./export`),
  ]) {
    const { status, body } = await ask();
    expect({ asked: String(ask), status, body }).toEqual({
      asked: String(ask),
      status: 403,
      body: { error: expect.stringContaining("restricted") },
    });
  }
  expect(await countRows(stage.selo)).toEqual(rows);
  expect((await acme.patch(here, set(`${ACME}.www.${here}.`, "TXT", "REPLACE"))).status).toBe(204);
  expect((await acme.patch(here, set(`${ACME}.www.${here}.`, "TXT", "DELETE"))).status).toBe(204);
});
