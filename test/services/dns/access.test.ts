// Who may ask which path: dns-hosting §5, issue "DNS hosting I" §1.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../../support/rest-client.ts";
import { type Customer, DnsStage, type RecordBody, type Zone } from "./dns-stage.ts";

const ALL = ["record:read", "record:write", "zone:read", "zone:write"];
const A = { type: "A", content: "192.0.2.1" };

let stage: DnsStage;
let one: Customer;
let other: Customer;
let zone: Zone;
let record: RecordBody;
beforeAll(async () => {
  stage = await DnsStage.open();
  [one, other] = [await stage.customer(), await stage.customer()];
  zone = await one.zone();
  record = await zone.add({ name: "first", ...A });
});
afterAll(() => stage?.close());

/** Each path with its one scope. {zone} and {record} stand for ids. */
const PATHS = [
  ["GET", "/zones", undefined, "zone:read"],
  ["GET", "/zones/{zone}", undefined, "zone:read"],
  ["POST", "/zones", { name: "scopes.test" }, "zone:write"],
  ["GET", "/zones/{zone}/records", undefined, "record:read"],
  ["GET", "/zones/{zone}/changes", undefined, "record:read"],
  ["POST", "/zones/{zone}/records", { name: "second", ...A }, "record:write"],
  ["PUT", "/zones/{zone}/records/{record}", { ttl: 300 }, "record:write"],
  ["PUT", "/zones/{zone}/records", { sets: [{ name: "third", type: "A", records: [] }] }, "record:write"],
  ["DELETE", "/zones/{zone}/records/{record}", undefined, "record:write"],
  ["DELETE", "/zones/{zone}", undefined, "zone:write"],
] as const;
const pathOf = (path: string) => path.replace("{zone}", `${zone.body.id}`).replace("{record}", `${record.id}`);

describe.each(PATHS)("%s %s", (method, path, body, scope) => {
  test(`needs ${scope}: a key with the three others gets 403 missing_scope`, async () => {
    const token = await one.key(ALL.filter((each) => each !== scope));
    expectError(await one.ask(method, pathOf(path), body, { token }), 403, "missing_scope");
  });

  test("is 403 forbidden with the number of another organization, and with one that nobody has", async () => {
    for (const number of [other.organization.number, 999_999, "0", "-1", "abc", "1.0", "9".repeat(40)]) {
      const forbidden = { ...one.organization, number: number as number };
      const customer = Object.assign(Object.create(Object.getPrototypeOf(one)), one, { organization: forbidden });
      expectError(await customer.ask(method, pathOf(path), body), 403, "forbidden");
    }
  });

  test("is 401 without a key", async () => {
    expectError(await one.ask(method, pathOf(path), body, { token: null }), 401, "unauthenticated");
  });

  test("takes a key of this scope alone", async () => {
    const token = await one.key([scope]);
    const { status } = await one.ask(method, pathOf(path), body, { token });
    expect(status).toBe(method === "POST" ? 201 : method === "DELETE" ? 204 : 200);
  });
});

test("GraphQL asks for the same scopes", async () => {
  const own = await one.zone();
  const fields: readonly (readonly [string, string])[] = [
    ['mutation { createDnsZone(input: {name: "graphql-scopes.test"}) { zone { id } } }', "zone:write"],
    [`mutation { deleteDnsZone(input: {zoneId: "${own.body.id}"}) { zoneId } }`, "zone:write"],
    [
      `mutation { createDnsRecord(input: {zoneId: "${own.body.id}", name: "a", type: "A", content: "192.0.2.1"}) { record { id } } }`,
      "record:write",
    ],
    [
      `mutation { updateDnsRecord(input: {zoneId: "${own.body.id}", recordId: "1", ttl: 60}) { record { id } } }`,
      "record:write",
    ],
    [`mutation { deleteDnsRecord(input: {zoneId: "${own.body.id}", recordId: "1"}) { recordId } }`, "record:write"],
    [
      `mutation { replaceDnsRecords(input: {zoneId: "${own.body.id}", sets: [{name: "a", type: "A", records: []}]}) { serial } }`,
      "record:write",
    ],
    ["{ dnsZones { nodes { id } } }", "zone:read"],
    ["{ dnsRecords { nodes { id } } }", "record:read"],
  ];
  for (const [query, scope] of fields) {
    const token = await one.key(ALL.filter((each) => each !== scope));
    const keyed = Object.assign(Object.create(Object.getPrototypeOf(one)), one, { token }) as Customer;
    const { errors } = await keyed.graphql(query);
    expect({ query, codes: errors.map(({ extensions }) => extensions.code) }).toEqual({
      query,
      codes: ["missing_scope"],
    });
  }
});

test("tokens of the main API get 403 missing_scope", async () => {
  for (const token of [one.organization.live, one.organization.test])
    expectError(await one.ask("GET", "/zones", undefined, { token }), 403, "missing_scope");
});
