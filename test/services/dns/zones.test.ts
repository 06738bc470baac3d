// Zones: dns-hosting §2, §3, §4; issue "DNS hosting I" §2.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../../support/rest-client.ts";
import { type Customer, DnsStage, NAMESERVERS, type ZoneBody } from "./dns-stage.ts";

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

  test("?name= finds one zone in any form of its name, ?search= a part of names", async () => {
    const customer = await stage.customer();
    for (const name of ["found-a.test", "b.found.test", "xn--bcher-kva.test", "other.test"]) await customer.zone(name);
    const found = async (query: string) => {
      const { status, body } = await customer.ask("GET", `/zones?${query}`);
      expect({ query, status }).toEqual({ query, status: 200 });
      return body.map(({ name }: ZoneBody) => name);
    };
    for (const name of ["found-a.test", "Found-A.Test", "found-a.test."])
      expect(await found(`name=${name}`)).toEqual(["found-a.test"]);
    for (const name of ["bücher.test", "BÜCHER.test", "xn--bcher-kva.test"])
      expect(await found(`name=${encodeURIComponent(name)}`)).toEqual(["xn--bcher-kva.test"]);
    for (const name of ["found", "", "nobody.test", "%25", "a%20b"]) expect(await found(`name=${name}`)).toEqual([]);
    expect(await found("search=FOUND")).toEqual(["b.found.test", "found-a.test"]);
    expect(await found("search=found&name=other.test")).toEqual([]);
    expect(await found(`search=${encodeURIComponent("bücher")}`)).toEqual(["xn--bcher-kva.test"]);
    for (const search of ["%25", "_", "%5C"]) expect(await found(`search=${search}`)).toEqual([]);
    expect(await found("search=")).toHaveLength(4);
  });

  test("?limit= and the address in Link, with its cursor, walk through the zones", async () => {
    const customer = await stage.customer({ plan: "business" });
    const names = ["walk-a.test", "walk-b.test", "walk-c.test", "walk-d.test", "walk-e.test"];
    for (const name of names) await customer.zone(name);
    const walked: string[] = [];
    let next: string | null = "/zones?search=walk&limit=2";
    for (let pages = 0; next !== null; pages++) {
      expect(pages).toBeLessThan(4);
      const { body, headers } = await customer.ask("GET", next);
      walked.push(...body.map(({ name }: ZoneBody) => name));
      const [, address] = /^<[^>]*(\/zones\?[^>]*)>; rel="next"$/.exec(headers.get("link") ?? "") ?? [];
      next = address ?? null;
    }
    expect(walked).toEqual(names);
    const { body, headers } = await customer.ask("GET", "/zones?limit=5");
    expect({ zones: body.length, link: headers.get("link") }).toEqual({ zones: 5, link: null });
  });

  test.each([
    "limit=0",
    "limit=5001",
    "limit=x",
    "cursor=",
    "cursor=x",
    "cursor=bGlzdF9kbnNfcmVjb3JkcyBh",
    "offset=1",
    "x=1",
  ])("?%s: 422", async (query) => {
    const [member = ""] = query.split("=");
    expectError(await one.ask("GET", `/zones?${query}`), 422, "invalid_request", [member]);
  });
});

describe("ETag and If-Match", () => {
  const tagOf = ({ headers }: { readonly headers: Headers }) => headers.get("etag") ?? "";
  const record = { name: "a", type: "A", content: "192.0.2.1" };

  test("a read of a zone and of its records has a strong ETag, which changes with what is read; If-None-Match: 304", async () => {
    const zone = await one.zone();
    const tags = async () => [tagOf(await zone.ask("GET")), tagOf(await zone.ask("GET", "/records"))];
    const [before, again] = [await tags(), await tags()];
    expect(before).toEqual(again);
    for (const tag of before) expect(tag).toMatch(/^"[\w-]+"$/);
    for (const [path, tag] of [
      ["", before[0]],
      ["/records", before[1]],
      ["/records?limit=1", before[1]],
    ])
      for (const given of [tag, `W/${tag}`, `"x", ${tag}`, "*"]) {
        const { status, text, headers } = await zone.ask("GET", path, undefined, {
          headers: { "if-none-match": given ?? "" },
        });
        expect({ path, given, status, text, etag: headers.get("etag") }).toEqual({
          path,
          given,
          status: 304,
          text: "",
          etag: tag,
        });
      }
    await zone.add(record);
    const [ofZone, ofRecords] = await tags();
    expect([ofZone === before[0], ofRecords === before[1]]).toEqual([false, false]);
    expect(
      (await zone.ask("GET", "/records", undefined, { headers: { "if-none-match": before[1] ?? "" } })).body,
    ).toHaveLength(1);
    await zone.ask("POST", "/dnssec");
    const signed = await tags();
    expect([signed[0] === ofZone, signed[1] === ofRecords]).toEqual([false, true]);
  });

  test("a compressed answer has another tag, and If-Match and If-None-Match accept both tags", async () => {
    const zone = await one.zone();
    for (let count = 0; count < 10; count++) await zone.add({ ...record, name: `compressed-${count}` });
    const { headers } = await zone.ask("GET", "/records", undefined, { headers: { "accept-encoding": "gzip" } });
    const tag = tagOf({ headers });
    expect({ coding: headers.get("content-encoding"), tag }).toEqual({
      coding: "gzip",
      tag: expect.stringMatching(/-gzip"$/),
    });
    expect((await zone.ask("GET", "/records", undefined, { headers: { "if-none-match": tag } })).status).toBe(304);
    expect((await zone.ask("DELETE", "", undefined, { headers: { "if-match": tag } })).status).toBe(204);
  });

  /** Writes of a zone that needs no more, each with what it needs to succeed. */
  const writes = (id: number) =>
    [
      ["GET", "", undefined],
      ["GET", "/records", undefined],
      ["POST", "/records", record],
      ["PUT", "/records", { sets: [{ name: "c", type: "A", records: [] }] }],
      ["PUT", `/records/${id}`, { ttl: 60 }],
      ["DELETE", `/records/${id}`, undefined],
      ["POST", "/import", { bind_file: "d 60 IN A 192.0.2.1" }],
      ["POST", "/check-delegation", undefined],
      ["POST", "/dnssec", undefined],
      ["POST", "/dnssec/rotate", undefined],
      ["DELETE", "/dnssec/keys/1", undefined],
      ["DELETE", "/dnssec", { confirm: true }],
      ["DELETE", "", undefined],
    ] as const;

  test("If-Match of an earlier state, a weak tag, or what is no tag: 412 precondition_failed, and nothing changes", async () => {
    const zone = await one.zone();
    const old = tagOf(await zone.ask("GET", "/records"));
    const { id } = await zone.add({ ...record, name: "b" });
    const tag = tagOf(await zone.ask("GET", "/records"));
    const state = async () => [
      (await zone.ask("GET")).body,
      await zone.records(),
      (await zone.ask("GET", "/dnssec")).body,
      await zone.serial(),
    ];
    const before = await state();
    for (const [method, path, body] of writes(id))
      expectError(await zone.ask(method, path, body, { headers: { "if-match": old } }), 412, "precondition_failed");
    for (const given of ["", `W/${tag}`, tag.slice(1, -1), `"${"x".repeat(9_000)}"`, '"a", ""', "**"])
      expectError(
        await zone.ask("DELETE", "", undefined, { headers: { "if-match": given } }),
        412,
        "precondition_failed",
      );
    expect(await state()).toEqual(before);
  });

  test("If-Match of the state that was read, of the zone or of its records, or *: the write is done", async () => {
    const zone = await one.zone();
    for (const given of [
      tagOf(await zone.ask("GET", "/records")),
      tagOf(await zone.ask("GET")),
      `"x", ${tagOf(await zone.ask("GET"))}`,
      " * ",
    ]) {
      const dry = { sets: [{ name: "a", type: "A", records: [{ content: "192.0.2.2" }] }], dry_run: true };
      expect((await zone.ask("PUT", "/records", dry, { headers: { "if-match": given } })).status).toBe(200);
    }
    const first = tagOf(await zone.ask("GET", "/records"));
    const key = { key: crypto.randomUUID(), headers: { "if-match": first } };
    const made = await zone.ask("POST", "/records", record, key);
    expect(made.status).toBe(201);
    // A repeated request is the same request, whatever changed since.
    expect((await zone.ask("POST", "/records", record, key)).body).toEqual(made.body);
    const id = made.body.id;
    for (const [method, path, body] of writes(id).filter(
      ([method, path]) => method !== "GET" && path !== "/records" && !path.includes("keys"),
    )) {
      const { status } = await zone.ask(method, path, body, { headers: { "if-match": tagOf(await zone.ask("GET")) } });
      expect({ method, path, isDone: status < 300 }).toEqual({ method, path, isDone: true });
    }
  });

  test("of two writes at once with one tag, one is done", async () => {
    const zone = await one.zone();
    const tag = tagOf(await zone.ask("GET", "/records"));
    const both = await Promise.all(
      ["a", "b", "c", "d"].map((name) =>
        zone.ask("POST", "/records", { ...record, name }, { headers: { "if-match": tag } }),
      ),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([201, 412, 412, 412]);
    expect(await zone.records()).toHaveLength(1);
  });

  test("a zone of another organization is 404, whatever If-Match says", async () => {
    const zone = await one.zone();
    const stranger = await stage.customer();
    for (const given of ["*", tagOf(await zone.ask("GET"))])
      expectError(
        await stranger.ask("DELETE", `/zones/${zone.body.id}`, undefined, { headers: { "if-match": given } }),
        404,
        "not_found",
      );
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
