// Lists of records and of changes: dns-hosting §4, issue "DNS hosting I" §3.
import http from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Answer } from "../../../src/postgres/call.ts";
import { Database } from "../../../src/postgres/database.ts";
import { createPool } from "../../../src/postgres/pool.ts";
import type { DnsParts } from "../../../src/services/dns/parts.ts";
import { listDnsRecords } from "../../../src/services/dns/zones/list-dns-records.ts";
import { tokenOrKeyHash } from "../../../src/surfaces/http/credential.ts";
import type { ListInPieces } from "../../../src/surfaces/operation.ts";
import { workOf } from "../../../src/surfaces/work.ts";
import { type Asker, answered, graphql } from "../../support/graphql-client.ts";
import { expectError } from "../../support/rest-client.ts";
import { signedIn } from "../accounts/accounts-stage.ts";
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

  test("?limit=, and the address in Link with its cursor, walk through the list in either filter", async () => {
    for (const [query, of] of [
      ["", () => true],
      ["&type=MX", ({ type }) => type === "MX"],
      ["&name=ab", ({ name }) => name === "ab.lists.test"],
    ] as const satisfies readonly (readonly [string, (record: RecordBody) => boolean])[]) {
      const walked: RecordBody[] = [];
      let next: string | null = `/records?limit=5${query}`;
      for (let pages = 0; next !== null; pages++) {
        expect(pages).toBeLessThan(10);
        const { status, body, headers } = await zone.ask("GET", next);
        expect({ status, isArray: Array.isArray(body) }).toEqual({ status: 200, isArray: true });
        walked.push(...body);
        next = nextOf(headers);
        expect(body.length).toBeLessThanOrEqual(5);
        expect(next === null || body.length === 5).toBe(true);
      }
      expect(walked).toEqual(sorted.filter(of));
    }
    const { headers } = await zone.ask("GET", `/records?limit=${sorted.length}`);
    expect(headers.get("link")).toBeNull();
    expect((await zone.ask("GET", "/records?offset=2")).headers.get("link")).toBeNull();
    expect((await zone.ask("GET", "/records?limit=5000")).body).toEqual(sorted);
  });

  test("a cursor goes on after its record, though the record is gone", async () => {
    const other = await customer.zone();
    for (const name of ["a", "b", "c"]) await other.add(text(name));
    const { body, headers } = await other.ask("GET", "/records?limit=2");
    await other.ask("DELETE", `/records/${body[1].id}`);
    const rest = await other.ask("GET", nextOf(headers) ?? "");
    expect(rest.body.map((each: RecordBody) => each.name)).toEqual([`c.${other.name}`]);
    expect(nextOf(rest.headers)).toBeNull();
    // The place is one of the zone.
    const cursor = new URL(nextOf(headers) ?? "", "http://selo.test").searchParams.get("cursor");
    expectError(await zone.ask("GET", `/records?cursor=${cursor}`), 422, "invalid_request", ["cursor"]);
    expectError(await other.ask("GET", `/records?cursor=${cursor}&offset=1`), 422, "invalid_request", ["offset"]);
    expectError(
      await (await stage.customer()).ask("GET", `/zones/${other.body.id}/records?cursor=${cursor}`),
      404,
      "not_found",
    );
    await other.ask("DELETE");
    expectError(await other.ask("GET", nextOf(headers) ?? ""), 404, "not_found");
  });

  test.each([
    "cursor=",
    "cursor=x",
    "cursor=%00",
    `cursor=${"a".repeat(601)}`,
    `cursor=${Buffer.from("list_dns_records 1 a TXT x").toString("base64url")}`,
    "limit=5001",
    "limit=0",
    "limit=-1",
    "limit=x",
    "limit=1.5",
    "offset=-1",
    "offset=x",
    "x=1",
  ])("?%s: 422", async (query) => {
    const [member = ""] = query.split("=");
    expectError(await zone.ask("GET", `/records?${query}`), 422, "invalid_request", [member]);
  });

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

/** The path below the zone that Link names; null on the last page. */
function nextOf(headers: Headers): string | null {
  const [, address] = /^<[^>]*(\/records\?[^>]*)>; rel="next"$/.exec(headers.get("link") ?? "") ?? [];
  return address ?? null;
}

describe("GET …/records of more than 5,000 records", () => {
  const RECORDS = 12_000;
  let zone: Zone;
  /** Fills a zone beside the rules, which would take seconds. */
  const fill = (id: number, records: number, bytes: number) =>
    stage.rows(
      `with counted as (update dns.usage set records = records + $2 where tenant_id = (select tenant_id from dns.zones where id = $1))
       insert into dns.records (tenant_id, zone_id, name, type, content, ttl)
       select tenant_id, id, 'host-' || place || '.' || name, 'TXT', repeat('é', $3 / 2), 300 from dns.zones, generate_series(1, $2::integer) as place
       where id = $1`,
      [id, records, bytes],
    );
  beforeAll(async () => {
    zone = await customer.zone();
    await fill(zone.body.id, RECORDS, 20);
  });

  test("are answered in pieces: all of them, in order, once, in each coding", async () => {
    const all = (
      await stage.rows<{ id: string }>("select id from dns.records where zone_id = $1 order by name, type, id", [
        zone.body.id,
      ])
    ).map(({ id }) => Number(id));
    const whole = await zone.ask("GET", "/records", undefined, { headers: { "accept-encoding": "identity" } });
    expect(whole.headers.get("transfer-encoding")).toBe("chunked");
    expect(whole.body.map(({ id }: RecordBody) => id)).toEqual(all);
    expect(whole.body[0]).toEqual((await zone.records("?limit=1"))[0]);
    for (const coding of ["gzip", "br", "zstd"]) {
      const coded = await zone.ask("GET", "/records", undefined, { headers: { "accept-encoding": coding } });
      expect(coded.headers.get("content-encoding")).toBe(coding);
      expect(coded.text === whole.text).toBe(true);
      const head = await zone.ask("HEAD", "/records", undefined, { headers: { "accept-encoding": coding } });
      for (const name of ["content-encoding", "etag", "vary"])
        expect(head.headers.get(name)).toBe(coded.headers.get(name));
    }
    expect((await zone.records("?offset=6500")).map(({ id }) => id)).toEqual(all.slice(6_500));
    expect((await zone.records("?type=A")).length).toBe(0);
    const { status, bytes } = await zone.ask("HEAD", "/records");
    expect({ status, bytes: bytes.length }).toEqual({ status: 200, bytes: 0 });
  });

  test("409 conflict if the zone changed before the first byte, 409 or 404 in the middle if it changed later", async () => {
    const pool = createPool(
      { url: stage.selo.database.appUrl, role: "selo_app", applicationName: "pieces" },
      4,
      () => {},
    );
    const parts = { database: new Database(pool) } as DnsParts;
    const origin = { requestId: "00000000-0000-4000-8000-000000000000", address: "", channel: "rest" as const };
    const credentialHash = tokenOrKeyHash(`Bearer ${customer.token}`);
    const work = workOf(parts, { credentialHash, origin, idempotency: null }, null);
    /** @param meanwhile called after each piece is read */
    const list = (id: number, meanwhile: (pieces: number) => Promise<unknown>) => {
      let pieces = 0;
      const call = async (...request: Parameters<typeof work.call>): Promise<Answer> => {
        const answer = await work.call(...request);
        await meanwhile(++pieces);
        return answer;
      };
      return listDnsRecords.run?.({ ...work, call }, { zone_id: String(id) } as never) as Promise<ListInPieces>;
    };
    const changeAfter = (piece: number) => (pieces: number) =>
      pieces === piece ? zone.add(text(`changed-${piece}`)) : Promise.resolve();
    try {
      const conflict = expect.objectContaining({ status: 409, code: "conflict" });
      await expect(list(zone.body.id, changeAfter(1))).rejects.toEqual(conflict);
      const { pieces } = await list(zone.body.id, changeAfter(2));
      const read: number[] = [];
      await expect(
        (async () => {
          for await (const piece of pieces) read.push(JSON.parse(piece).length);
        })(),
      ).rejects.toEqual(conflict);
      expect(read).toEqual([5_000, 5_000]);
      const gone = await customer.zone();
      await fill(gone.body.id, RECORDS, 20);
      const { pieces: ofGone } = await list(gone.body.id, (count) =>
        count === 2 ? gone.ask("DELETE") : Promise.resolve(),
      );
      await expect(
        (async () => {
          for await (const _ of ofGone);
        })(),
      ).rejects.toEqual(expect.objectContaining({ status: 404 }));
    } finally {
      await pool.end();
    }
  });

  test("a zone that changes while a slow reader takes its records: the answer breaks off", async () => {
    // Pieces of 20 MB: no buffer on the way takes one whole, and so the third is read last.
    const large = await customer.zone();
    await fill(large.body.id, RECORDS, 4_000);
    const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
      http
        .get(`${stage.selo.baseUrl}/v1/orgs/${customer.organization.number}/zones/${large.body.id}/records`, {
          headers: { authorization: `Bearer ${customer.token}`, "accept-encoding": "identity" },
        })
        .once("response", resolve)
        .once("error", reject);
    });
    response.pause();
    expect(response.statusCode).toBe(200);
    await large.add(text("changed"));
    const chunks: Buffer[] = [];
    const ended = new Promise<string>((resolve) => {
      response.once("end", () => resolve("whole"));
      response.once("error", ({ message }) => resolve(message));
    });
    response.on("data", (chunk: Buffer) => chunks.push(chunk)).resume();
    expect(await ended).toBe("aborted");
    expect(Buffer.concat(chunks).toString("latin1").endsWith("]")).toBe(false);
  });
});

describe("GET …/changes", () => {
  test("answers changes newest first, with serial, time, actor, key, request and records", async () => {
    const zone = await customer.zone();
    expect(await zone.changes()).toEqual([]);
    const made = await zone.post(text("a"));
    const updated = await zone.ask("PUT", `/records/${made.body.id}`, { content: "other" });
    const deleted = await zone.ask("DELETE", `/records/${made.body.id}`);
    const serial = await zone.serial();
    const [{ key_id, actor_id } = { key_id: 0, actor_id: "" }] = await stage.rows<{ key_id: number; actor_id: string }>(
      "select id as key_id, actor_id from dns.api_keys where tenant_id = $1",
      [customer.organization.id],
    );
    const who = { actor_type: "api_key", actor_id, key_id };
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    const idOf = (answer: typeof made) => answer.headers.get("x-request-id");
    expect(await zone.changes()).toEqual([
      { serial, at, ...who, request_id: idOf(deleted), added: [], removed: [updated.body] },
      { serial: serial - 1, at, ...who, request_id: idOf(updated), added: [updated.body], removed: [made.body] },
      { serial: serial - 2, at, ...who, request_id: idOf(made), added: [made.body], removed: [] },
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

describe("dnsChanges of GraphQL", () => {
  const CHANGE = `serial at actorType actorId keyId requestId
    added { recordId name type content ttl priority disabled comment } removed { recordId content }`;
  const ask = (zone: Zone, more = ", first: 20", asker: Asker = customer.token) =>
    graphql(stage.selo, asker, `{ dnsChanges(zoneId: "${zone.body.id}"${more}) { ${CHANGE} } }`);
  const listed = async (zone: Zone, more: string) =>
    answered<readonly Readonly<Record<string, unknown>>[]>(await ask(zone, more), "dnsChanges");

  test("pages back by the serial, and shows who did what: a key, and a person", async () => {
    const zone = await customer.zone();
    const made = await zone.add({ name: "a", type: "MX", content: "x.y", priority: 5, comment: "ours" });
    const { id: personId, headers } = await signedIn(stage.selo, customer.organization, "member");
    const update = `mutation { updateDnsRecord(input: {zoneId: "${zone.body.id}", recordId: "${made.id}", content: "other.y"}) { record { id } } }`;
    expect((await graphql(stage.selo, headers, update)).errors).toEqual([]);
    const serial = await zone.serial();
    const [ofPerson, ofKey] = await zone.changes();
    const [newest, ...others] = await listed(zone, ", first: 1");
    expect(others).toEqual([]);
    const { zone_id: _, created_at: __, id, ...members } = made;
    const record = { recordId: String(id), ...members };
    expect(newest).toEqual({
      serial: String(serial),
      at: ofPerson.at,
      actorType: "user",
      actorId: personId,
      keyId: null,
      requestId: ofPerson.request_id,
      added: [{ ...record, content: "other.y" }],
      removed: [{ recordId: record.recordId, content: "x.y" }],
    });
    expect(await listed(zone, `, first: 1, before: "${serial}"`)).toEqual([
      {
        serial: String(serial - 1),
        at: ofKey.at,
        actorType: "api_key",
        actorId: ofKey.actor_id,
        keyId: String(ofKey.key_id),
        requestId: ofKey.request_id,
        added: [record],
        removed: [],
      },
    ]);
    expect(await listed(zone, `, first: 20, before: "${serial - 1}"`)).toEqual([]);
    // The person reads the list, too; a stranger finds no zone.
    expect((await ask(zone, undefined, headers)).errors).toEqual([]);
    const { data, errors } = await ask(zone, undefined, (await stage.customer()).token);
    expect([data, errors[0]?.extensions.code]).toEqual([{ dnsChanges: null }, "not_found"]);
  });

  test("has 20 changes by default and 200 at most", async () => {
    const zone = await customer.zone();
    for (let count = 0; count < 51; count++) await zone.add(text("a", `text ${count}`));
    const ofFirst = (more: string) => customer.graphql(`{ dnsChanges(zoneId: "${zone.body.id}"${more}) { serial } }`);
    const count = async (more: string) => answered<readonly unknown[]>(await ofFirst(more), "dnsChanges").length;
    expect([await count(""), await count(", first: 200")]).toEqual([20, 51]);
    for (const first of [0, 201])
      expect((await ofFirst(`, first: ${first}`)).errors[0]?.extensions).toMatchObject({
        code: "invalid_request",
        fields: [{ field: "first", message: "must be between 1 and 200" }],
      });
  });
});
