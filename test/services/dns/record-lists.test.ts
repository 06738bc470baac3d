// Lists of records and of changes: dns-hosting §4, issue "DNS hosting I" §3.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../../support/rest-client.ts";
import { type Customer, DnsStage, type RecordBody, type Zone } from "./dns-stage.ts";

let stage: DnsStage;
let customer: Customer;
beforeAll(async () => {
  stage = await DnsStage.open();
  customer = await stage.customer({ plan: "business" });
});
afterAll(() => stage?.close());

const text = (name: string, content = "text") => ({ name, type: "TXT", content });

describe("GET …/records", () => {
  let zone: Zone;
  const sorted: RecordBody[] = [];
  beforeAll(async () => {
    zone = await customer.zone("lists.test");
    for (const name of ["b", "@", "a-b", "a.b", "ab", "*", "_a", "1", "*.b"])
      for (const record of [
        { name, type: "TXT", content: "second type" },
        { name, type: "MX", content: "z.example.com", priority: 1 },
        { name, type: "MX", content: "a.example.com", priority: 0 },
        { name, type: "A", content: "192.0.2.1", disabled: true },
      ])
        sorted.push(await zone.add(record));
    const bytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
    sorted.sort((a, b) => bytes(a.name, b.name) || bytes(a.type, b.type) || a.id - b.id);
  });

  test("answers all records as a bare array, ordered by the bytes of the name, type and id", async () => {
    expect(await zone.records()).toEqual(sorted);
    expect(await (await customer.zone()).records()).toEqual([]);
  });

  test.each(["ab", "AB", "ab.lists.test", "ab.lists.test.", "AB.Lists.TEST."])("?name=%s", async (name) => {
    expect(await zone.records(`?name=${name}`)).toEqual(sorted.filter((each) => each.name === "ab.lists.test"));
  });

  test.each(["@", "", "lists.test", "lists.test."])("?name=%s is the apex", async (name) => {
    expect(await zone.records(`?name=${encodeURIComponent(name)}`)).toEqual(
      sorted.filter((each) => each.name === "lists.test"),
    );
  });

  test.each(["*", "%2A", "*.lists.test"])("?name=%s is the wildcard's own records", async (name) => {
    expect((await zone.records(`?name=${name}`)).map((each) => each.name)).toEqual(Array(4).fill("*.lists.test"));
  });

  test.each(["nobody", "lists.example.", "a b", "b.c.", "..", "a%25"])("?name=%s finds nothing", async (name) => {
    expect(await zone.records(`?name=${encodeURIComponent(name)}`)).toEqual([]);
  });

  test("?type= in upper and lower case, alone and with a name", async () => {
    for (const type of ["MX", "mx"]) {
      expect(await zone.records(`?type=${type}`)).toEqual(sorted.filter((each) => each.type === "MX"));
      expect(await zone.records(`?type=${type}&name=1`)).toEqual(
        sorted.filter((each) => each.type === "MX" && each.name === "1.lists.test"),
      );
    }
    expect(await zone.records("?type=SOA")).toEqual([]);
  });

  test("?limit= and ?offset= walk through the list", async () => {
    const walked: RecordBody[] = [];
    for (let offset = 0; offset < sorted.length; offset += 7)
      walked.push(...(await zone.records(`?limit=7&offset=${offset}`)));
    expect(walked).toEqual(sorted);
    expect(await zone.records(`?offset=${sorted.length}`)).toEqual([]);
    expect(await zone.records("?offset=2&type=MX")).toEqual(sorted.filter((each) => each.type === "MX").slice(2));
  });

  test.each(["limit=0", "limit=-1", "limit=x", "limit=1.5", "offset=-1", "offset=x", "x=1"])(
    "?%s: 422",
    async (query) => {
      const [member = ""] = query.split("=");
      expectError(await zone.ask("GET", `/records?${query}`), 422, "invalid_request", [member]);
    },
  );

  test("GraphQL answers the same records, by zone", async () => {
    const { data, errors } = await customer.graphql(
      `{ dnsRecords(first: 200, filter: {zoneId: {equalTo: ${zone.body.id}}}) { nodes { id name type content ttl priority disabled comment } } }`,
    );
    expect(errors).toEqual([]);
    const { nodes = [] } = (data?.["dnsRecords"] ?? {}) as { nodes?: { id: string }[] };
    const expected = sorted
      .toSorted((a, b) => a.id - b.id)
      .map(({ zone_id: _, created_at: __, id, ...others }) => ({ id: String(id), ...others }));
    expect(nodes.map(({ id, ...others }) => ({ id: String(id), ...others }))).toEqual(expected);
  });
});

describe("GET …/changes", () => {
  test("answers changes newest first, with serial, time, key, request and records", async () => {
    const zone = await customer.zone();
    expect(await zone.changes()).toEqual([]);
    const made = await zone.post(text("a"));
    const updated = await zone.ask("PUT", `/records/${made.body.id}`, { content: "other" });
    const deleted = await zone.ask("DELETE", `/records/${made.body.id}`);
    const serial = await zone.serial();
    const [{ id: key_id } = { id: 0 }] = await stage.rows<{ id: number }>(
      "select id from dns.api_keys where tenant_id = $1",
      [customer.organization.id],
    );
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    const idOf = (answer: typeof made) => answer.headers.get("x-request-id");
    expect(await zone.changes()).toEqual([
      { serial, at, key_id, request_id: idOf(deleted), added: [], removed: [updated.body] },
      { serial: serial - 1, at, key_id, request_id: idOf(updated), added: [updated.body], removed: [made.body] },
      { serial: serial - 2, at, key_id, request_id: idOf(made), added: [made.body], removed: [] },
    ]);
  });

  test("?limit= and ?before= walk back; 50 by default, 200 at most", async () => {
    const zone = await customer.zone();
    for (let count = 0; count < 52; count++) await zone.add(text("a", `text ${count}`));
    const last = await zone.serial();
    const serials = async (query: string) => (await zone.changes(query)).map(({ serial }) => last - serial);
    expect(await serials("")).toEqual(Array.from({ length: 50 }, (_, place) => place));
    expect(await serials("?limit=2")).toEqual([0, 1]);
    expect(await serials(`?limit=2&before=${last - 1}`)).toEqual([2, 3]);
    expect(await serials(`?before=${last - 49}`)).toEqual([50, 51]);
    expect(await serials("?limit=200")).toHaveLength(52);
    expect(await serials("?before=1")).toEqual([]);
    for (const query of ["limit=0", "limit=201", "before=0", "before=4294967296", "before=x"]) {
      const [member = ""] = query.split("=");
      expectError(await zone.ask("GET", `/changes?${query}`), 422, "invalid_request", [member]);
    }
  });

  test("together make the records of the zone", async () => {
    const zone = await customer.zone();
    await zone.put([{ name: "a", type: "TXT", records: [{ content: "1" }, { content: "2" }] }]);
    await zone.put([{ name: "a", type: "TXT", ttl: 60, records: [{ content: "2" }, { content: "3" }] }]);
    await zone.add(text("b"));
    const kept = new Map<number, RecordBody>();
    for (const { removed, added } of (await zone.changes()).toReversed()) {
      for (const { id } of removed) kept.delete(id);
      for (const record of added) kept.set(record.id, record);
    }
    expect([...kept.values()].toSorted((a, b) => a.id - b.id)).toEqual(
      (await zone.records()).toSorted((a, b) => a.id - b.id),
    );
  });
});
