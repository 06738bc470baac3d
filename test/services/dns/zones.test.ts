// Zones: dns-hosting §2, §3, §4; issue "DNS hosting I" §2.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../../support/rest-client.ts";
import { type Customer, DnsStage, NAMESERVERS } from "./dns-stage.ts";

let stage: DnsStage;
let one: Customer;
let other: Customer;
beforeAll(async () => {
  stage = await DnsStage.open();
  [one, other] = [await stage.customer({ plan: "business" }), await stage.customer({ plan: "business" })];
});
afterAll(() => stage?.close());

describe("POST /zones", () => {
  test("answers 201 with the zone: pending, with two of the nameservers", async () => {
    const { status, body } = await one.ask("POST", "/zones", { name: "bodies.test" });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      org_id: one.organization.number,
      name: "bodies.test",
      status: "pending",
      nameservers: [expect.stringMatching(/^ns[1-4]\.selo\.test$/), expect.stringMatching(/^ns[1-4]\.selo\.test$/)],
      dnssec_enabled: false,
      checked_at: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
    });
    expect(new Set(body.nameservers).size).toBe(2);
    for (const name of body.nameservers) expect(NAMESERVERS).toContain(name);
  });

  test("answers 409 zone_exists whoever has the name", async () => {
    const { name } = await one.zone();
    for (const customer of [one, other])
      for (const given of [name, name.toUpperCase(), `${name}.`])
        expectError(await customer.ask("POST", "/zones", { name: given }), 409, "zone_exists");
  });

  test("says the same in GraphQL", async () => {
    const made = await one.graphql(
      'mutation { createDnsZone(input: {name: "Graph.TEST."}) { zone { id name status nameservers orgId dnssecEnabled checkedAt } } }',
    );
    expect(made.errors).toEqual([]);
    expect(made.data?.["createDnsZone"]).toMatchObject({
      zone: {
        name: "graph.test",
        status: "PENDING",
        orgId: String(one.organization.number),
        dnssecEnabled: false,
        checkedAt: null,
      },
    });
    const again = await one.graphql('mutation { createDnsZone(input: {name: "graph.test"}) { zone { id } } }');
    expect(again.errors.map(({ extensions }) => extensions.code)).toEqual(["zone_exists"]);
    const wrong = await one.graphql('mutation { createDnsZone(input: {name: "graph"}) { zone { id } } }');
    expect(wrong.errors.map(({ extensions }) => [extensions.code, extensions.fields])).toEqual([
      ["invalid_request", [{ field: "name", message: expect.any(String) }]],
    ]);
    const reserved = await one.graphql('mutation { createDnsZone(input: {name: "com.br"}) { zone { id } } }');
    expect(reserved.errors.map(({ extensions }) => extensions.code)).toEqual(["zone_not_allowed"]);
  });

  test("repeats its answer for the same Idempotency-Key", async () => {
    const body = { name: stage.newName() };
    const [first, second] = [
      await one.ask("POST", "/zones", body, { key: "zone-1" }),
      await one.ask("POST", "/zones", body, { key: "zone-1" }),
    ];
    expect([first?.status, second?.status]).toEqual([201, 201]);
    expect(second?.body).toEqual(first?.body);
    expectError(await one.ask("POST", "/zones", { name: stage.newName() }, { key: "zone-1" }), 409, "conflict");
  });
});

describe("GET /zones", () => {
  test("answers all zones ordered by the bytes of their names, as a bare array", async () => {
    const customer = await stage.customer();
    expect((await customer.ask("GET", "/zones")).body).toEqual([]);
    const names = ["list-b.test", "list.test", "list-a.test", "1list.test", "lista.test", "a.list.test"];
    const made = new Map<string, object>();
    for (const name of names) made.set(name, (await customer.zone(name)).body);
    const { status, body } = await customer.ask("GET", "/zones");
    expect(status).toBe(200);
    expect(body).toEqual(
      names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))).map((name) => made.get(name)),
    );
    const { data } = await customer.graphql("{ dnsZones(first: 200) { nodes { name } } }");
    expect(data?.["dnsZones"]).toEqual({ nodes: names.map((name) => ({ name })) });
  });

  test("takes no member", async () => {
    expectError(await one.ask("GET", "/zones?limit=1"), 422, "invalid_request", ["limit"]);
  });
});

describe("GET /zones/{zone_id}", () => {
  test("answers the zone", async () => {
    const zone = await one.zone();
    expect((await zone.ask("GET")).body).toEqual(zone.body);
  });

  test.each(["0", "-1", "01", "+1", "1.0", "abc", "2147483648", "9999999999", "1".repeat(30), "%20", "1e3", "x%00"])(
    "answers 404 for the id %s, also to changes",
    async (id) => {
      for (const [method, path, body] of [
        ["GET", "", undefined],
        ["DELETE", "", undefined],
        ["GET", "/records", undefined],
        ["POST", "/records", { name: "a", type: "A", content: "192.0.2.1" }],
        ["PUT", "/records", { sets: [{ name: "a", type: "A", records: [] }] }],
        ["GET", "/changes", undefined],
      ] as const)
        expectError(await one.ask(method, `/zones/${id}${path}`, body), 404, "not_found");
    },
  );

  test.each([0, 1])("answers 404 for another organization with %i zones of its own, on every path", async (count) => {
    const zone = await one.zone();
    const record = await zone.add({ name: "a", type: "A", content: "192.0.2.1" });
    const stranger = await stage.customer();
    for (let made = 0; made < count; made++) await stranger.zone();
    for (const [method, path, body] of [
      ["GET", "", undefined],
      ["DELETE", "", undefined],
      ["GET", "/records", undefined],
      ["POST", "/records", { name: "b", type: "A", content: "192.0.2.1" }],
      ["PUT", "/records", { sets: [{ name: "a", type: "A", records: [] }] }],
      ["PUT", `/records/${record.id}`, { ttl: 60 }],
      ["DELETE", `/records/${record.id}`, undefined],
      ["GET", "/changes", undefined],
    ] as const)
      expectError(await stranger.ask(method, `/zones/${zone.body.id}${path}`, body), 404, "not_found");
    expect(await zone.records()).toEqual([record]);
  });
});

describe("DELETE /zones/{zone_id}", () => {
  test("answers 204; the zone is gone for every reader, and its name is free at once", async () => {
    const zone = await one.zone();
    const record = await zone.add({ name: "a", type: "A", content: "192.0.2.1" });
    const { status, text } = await zone.ask("DELETE");
    expect([status, text]).toEqual([204, ""]);
    expectError(await zone.ask("GET"), 404, "not_found");
    expectError(await zone.ask("DELETE"), 404, "not_found");
    expectError(await zone.ask("GET", "/records"), 404, "not_found");
    expectError(await zone.ask("GET", "/changes"), 404, "not_found");
    expectError(await zone.ask("PUT", `/records/${record.id}`, { ttl: 60 }), 404, "not_found");
    expect((await one.ask("GET", "/zones")).body.map(({ id }: { id: number }) => id)).not.toContain(zone.body.id);
    const { data } = await one.graphql(
      `{ dnsZone(id: ${zone.body.id}) { id } dnsRecords(filter: {zoneId: {equalTo: ${zone.body.id}}}) { nodes { id } } }`,
    );
    expect(data).toEqual({ dnsZone: null, dnsRecords: { nodes: [] } });
    expect((await one.zone(zone.name)).body.id).not.toBe(zone.body.id);
  });

  test("frees the name for another organization", async () => {
    const zone = await one.zone();
    await zone.ask("DELETE");
    expect((await other.zone(zone.name)).name).toBe(zone.name);
  });

  test("takes the records from what the organization has", async () => {
    const customer = await stage.customer();
    const zone = await customer.zone();
    await zone.add({ name: "a", type: "A", content: "192.0.2.1" });
    await zone.add({ name: "b", type: "A", content: "192.0.2.1", disabled: true });
    expect(await customer.usage()).toEqual({ counted: [1, 2], real: [1, 2] });
    await zone.ask("DELETE");
    expect(await customer.usage()).toEqual({ counted: [0, 0], real: [0, 0] });
  });

  test("is done in GraphQL, and repeated for the same Idempotency-Key", async () => {
    const [first, second] = [await one.zone(), await one.zone()];
    const { data } = await one.graphql(`mutation { deleteDnsZone(input: {zoneId: "${first?.body.id}"}) { zoneId } }`);
    expect(data).toEqual({ deleteDnsZone: { zoneId: String(first?.body.id) } });
    for (let turn = 0; turn < 2; turn++)
      expect((await second?.ask("DELETE", "", undefined, { key: "zone-2" }))?.status).toBe(204);
  });
});
