// Zone files that are imported: issue "DNS hosting I" §4, and dns-hosting §4, import rules.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../../support/rest-client.ts";
import { type Customer, DnsStage, type Zone } from "./dns-stage.ts";
import { importFile, recordsIn, skippedIn, tryImport } from "./import-stage.ts";

let stage: DnsStage;
let customer: Customer;
let zone: Zone;
beforeAll(async () => {
  stage = await DnsStage.open();
  customer = await stage.customer({ plan: "business" });
});
afterAll(() => stage?.close());

const fresh = async () => {
  zone = await customer.zone();
};
const A = "A 192.0.2.1";

/** Everything that an import may leave: counts of rows, and the serial. */
async function leftIn(of: Zone): Promise<unknown> {
  const rows = await stage.rows(
    `select (select count(*) from webhooks.events) as events, (select count(*) from platform.audit_events) as audit,
       (select count(*) from dns.changes) as changes, (select count(*) from graphile_worker.jobs) as jobs,
       (select json_agg(record order by id) from dns.records as record where zone_id = $1)::text as records,
       (select json_agg(served order by id) from pdns.records as served where domain_id = $1)::text as served`,
    [of.body.id],
  );
  return [rows, await of.serial(), await of.customer.usage()];
}

describe("POST …/import", () => {
  beforeAll(fresh);

  test("writes records in one change with one serial and one event, and answers what was skipped", async () => {
    const [serial, events] = [await zone.serial(), await countEvents()];
    const file = `$TTL 5m
@ IN SOA ns1.example.net. host.example.net. 1 2 3 4 5
@ NS ns1.example.net.
www ${A}
    AAAA 2001:DB8:0::1
@ MX 10 Mail
x HINFO a b
bad A 192.0.2.256
www.elsewhere.test. ${A}
www ${A} ; twice
`;
    const detail = expect.stringMatching(/^[A-Za-z].*\.$/);
    expect(await importFile(zone, file)).toEqual({
      imported: 3,
      deleted: 0,
      skipped: 6,
      skipped_records: [
        { line: 2, name: zone.name, type: "SOA", reason: "apex", detail },
        { line: 3, name: zone.name, type: "NS", reason: "apex", detail },
        {
          line: 7,
          name: `x.${zone.name}`,
          type: "HINFO",
          reason: "type_not_supported",
          detail: "The service does not serve records of type HINFO.",
        },
        {
          line: 8,
          name: `bad.${zone.name}`,
          type: "A",
          reason: "validation",
          detail: "content must be an IPv4 address, such as 192.0.2.1.",
        },
        {
          line: 9,
          name: "www.elsewhere.test",
          type: "A",
          reason: "out_of_zone",
          detail: `The name does not lie in the zone ${zone.name}.`,
        },
        { line: 10, name: `www.${zone.name}`, type: "A", reason: "exists", detail: "The file has the record twice." },
      ],
      warnings: [],
      serial: serial + 1,
      dry_run: false,
    });
    expect(await recordsIn(zone)).toEqual(
      [
        `www.${zone.name} 300 A 192.0.2.1`,
        `www.${zone.name} 300 AAAA 2001:db8::1`,
        `${zone.name} 300 MX 10 mail.${zone.name}`,
      ].toSorted((a, b) => (a.split(" ")[0] ?? "").localeCompare(b.split(" ")[0] ?? "")),
    );
    expect(await zone.serial()).toBe(serial + 1);
    const [change, before] = await zone.changes();
    expect(change).toMatchObject({ serial: serial + 1, removed: [] });
    expect(change.added).toHaveLength(3);
    expect(before).toBeUndefined();
    expect(await countEvents()).toBe(events + 1);
    expect(await customer.usage()).toMatchObject({ counted: (await customer.usage()).real });
  });

  const countEvents = async () =>
    (
      await stage.rows<{ count: number }>(
        "select count(*)::int from webhooks.events where type = 'zone.records_changed'",
      )
    )[0]?.count ?? 0;

  test("of the same file again changes nothing", async () => {
    const file = `a ${A}\nb TXT "one" "two"\nc TXT onetwo\n`;
    await importFile(zone, file);
    const before = await leftIn(zone);
    const body = await importFile(zone, file);
    expect(body).toMatchObject({ imported: 0, skipped: 3, serial: await zone.serial() });
    expect(body.skipped_records.map(({ detail }: { detail: string }) => detail)).toEqual(
      Array(3).fill("The zone has the record."),
    );
    expect(await leftIn(zone)).toEqual(before);
  });

  test("of an empty file changes nothing", async () => {
    const before = await leftIn(zone);
    for (const file of ["", "\n; nothing\n"])
      expect(await importFile(zone, file)).toEqual({
        imported: 0,
        deleted: 0,
        skipped: 0,
        skipped_records: [],
        warnings: [],
        serial: await zone.serial(),
        dry_run: false,
      });
    expect(await leftIn(zone)).toEqual(before);
  });

  test.each<[what: string, body: object, code: string, fields: readonly string[]]>([
    ["neither file nor scan", {}, "invalid_request", ["bind_file"]],
    ["a scan that is false", { quick_scan: false }, "invalid_request", ["bind_file"]],
    ["both file and scan", { bind_file: `a ${A}`, quick_scan: true }, "invalid_request", ["bind_file"]],
    ["a file that is no text", { bind_file: 5 }, "invalid_request", ["bind_file"]],
    ["a file with NUL", { bind_file: `a TXT "\0"` }, "invalid_request", ["bind_file"]],
    ["an unknown member", { bind_file: "", overwrite: true }, "invalid_request", ["overwrite"]],
    ["an option that is null", { bind_file: "", replace: null }, "invalid_request", ["replace"]],
  ])("refuses %s", async (_, body, code, fields) => {
    const before = await leftIn(zone);
    expectError(await zone.ask("POST", "/import", body), 422, code, fields);
    expect(await leftIn(zone)).toEqual(before);
  });

  test.each([
    [`a ${A}\n\n\n\n\n\n  TXT "x\n`, "line 7, column 7: the quotation mark has no end on this line"],
    [`a ${A}\n$INCLUDE x`, "line 2, column 1: $INCLUDE is not read"],
    [`a ${A}\n$GENERATE 1-2 a ${A}`, "line 2, column 1: $GENERATE is not read"],
    [
      `a ${A}\n;selo {"comment":"\\u0000"}\n`,
      'line 2, column 1: a line that begins with ";selo" must go on with "record" or with JSON of disabled, comment and content',
    ],
  ])("of an unreadable file writes nothing: %j", async (file, detail) => {
    const before = await leftIn(zone);
    for (const options of [{}, { replace: true }, { dry_run: true }]) {
      const answer = await tryImport(zone, file, options);
      expectError(answer, 422, "import_invalid", ["bind_file"]);
      expect(answer.body).toMatchObject({ detail, fields: [{ field: "bind_file", message: detail }] });
    }
    expect(await leftIn(zone)).toEqual(before);
  });

  test("of a file with several faults tells all of them, each with its line", async () => {
    const answer = await tryImport(zone, `a ${A}\n$INCLUDE x\nb A\nc TXT "x`);
    expectError(answer, 422, "import_invalid", ["bind_file", "bind_file", "bind_file"]);
    const faults = [
      "line 2, column 1: $INCLUDE is not read",
      "line 3, column 3: the record has no data",
      "line 4, column 7: the quotation mark has no end on this line",
    ];
    expect(answer.body).toMatchObject({
      detail: faults.join("; "),
      fields: faults.map((message) => ({ field: "bind_file", message })),
    });
  });

  test("with dry_run says what would happen, and writes nothing", async () => {
    const before = await leftIn(zone);
    const file = `dry ${A}\n@ CNAME x\nttl 5 ${A}\n`;
    const options = { replace: true, clamp_ttl: true };
    const body = await importFile(zone, file, { ...options, dry_run: true });
    expect(body).toMatchObject({ imported: 2, skipped: 1, dry_run: true, serial: (await zone.serial()) + 1 });
    expect(body.deleted).toBeGreaterThan(0);
    expect(await leftIn(zone)).toEqual(before);
    expect(await importFile(zone, file, options)).toEqual({ ...body, dry_run: false });
  });

  test("repeats its answer for the same Idempotency-Key", async () => {
    const ask = (file: string) => zone.ask("POST", "/import", { bind_file: file }, { key: "import-1" });
    const first = await ask(`again ${A}`);
    expect(first.body).toMatchObject({ imported: 1 });
    const second = await ask(`again ${A}`);
    expect([second.status, second.body, second.headers.get("idempotent-replayed")]).toEqual([200, first.body, "true"]);
    expectError(await ask(`other ${A}`), 409, "conflict");
    expect(await zone.records("?name=other")).toEqual([]);
  });

  test("needs the scope zone:write alone, and a zone of the organization", async () => {
    const body = { bind_file: `scope ${A}` };
    const others = ["zone:read", "record:read", "record:write"];
    const token = await customer.key(others);
    const before = await leftIn(zone);
    expectError(await zone.ask("POST", "/import", body, { token }), 403, "missing_scope");
    expect(await leftIn(zone)).toEqual(before);
    expect((await zone.ask("POST", "/import", body, { token: await customer.key(["zone:write"]) })).body.imported).toBe(
      1,
    );
    const stranger = await stage.customer();
    for (const id of [zone.body.id, 2_147_483_647, "0", "x", "99999999999"]) {
      expectError(await stranger.ask("POST", `/zones/${id}/import`, body), 404, "not_found");
      expectError(await stranger.ask("POST", `/zones/${id}/import`, { bind_file: "$" }), 404, "not_found");
    }
    expectError(
      await stranger.ask("POST", `/zones/${zone.body.id}/import`, body, { token: customer.token }),
      403,
      "forbidden",
    );
  });

  test("is done in GraphQL too", async () => {
    const run = async (file: string) =>
      customer.graphql(
        `mutation ($input: ImportDnsZoneInput!) { importDnsZone(input: $input) { imported deleted skipped skippedRecords { line name type reason detail } warnings { code message } serial dryRun } }`,
        { input: { zoneId: String(zone.body.id), bindFile: file } },
      );
    const serial = await zone.serial();
    expect((await run(`graph ${A}\ngraph A x`)).data?.importDnsZone).toEqual({
      imported: 1,
      deleted: 0,
      skipped: 1,
      skippedRecords: [
        { line: 2, name: `graph.${zone.name}`, type: "A", reason: "validation", detail: expect.any(String) },
      ],
      warnings: [],
      serial: String(serial + 1),
      dryRun: false,
    });
    const { errors } = await run("a\n");
    expect(errors[0]?.extensions).toMatchObject({ code: "import_invalid", fields: [{ field: expect.any(String) }] });
    expect(await zone.serial()).toBe(serial + 1);
  });
});

describe("large files", () => {
  const MiB = 1024 * 1024;
  const file = (bytes: number) => `a ${A}\n;${"x".repeat(bytes - 16)}\n`;

  test("of 16 MiB are read, one byte more is refused", async () => {
    await fresh();
    expect(file(16 * MiB)).toHaveLength(16 * MiB);
    expect(await importFile(zone, file(16 * MiB))).toMatchObject({ imported: 1 });
    const over = await tryImport(zone, file(16 * MiB + 1));
    expectError(over, 422, "import_invalid", ["bind_file"]);
    expect(over.body.detail).toBe("line 1, column 1: the file has more than 16 MiB");
  });

  test("may be escaped in JSON, in a body of 32 MiB and no more", async () => {
    const body = (bytes: number) => {
      const text = JSON.stringify({ bind_file: `b ${A}\n` });
      return text + " ".repeat(bytes - text.length);
    };
    const ask = (text: string) => customer.ask("POST", `/zones/${zone.body.id}/import`, undefined, { body: text });
    expect((await ask(body(32 * MiB))).body).toMatchObject({ imported: 1 });
    expectError(await ask(body(32 * MiB + 1)), 413, "too_large");
  });
});

describe("at the same moment", () => {
  const many = (prefix: string) => Array.from({ length: 300 }, (_, place) => `${prefix}${place} ${A}`).join("\n");

  test("two imports into a zone are made one after the other", async () => {
    await fresh();
    const files = [`${many("a")}\n${many("same")}`, `${many("b")}\n${many("same")}`];
    const serial = await zone.serial();
    const bodies = await Promise.all(files.map((each) => importFile(zone, each)));
    expect(bodies.map(({ imported }) => imported).toSorted()).toEqual([300, 600]);
    expect(bodies.map((body) => body.serial).toSorted()).toEqual([serial + 1, serial + 2]);
    expect(await zone.records()).toHaveLength(900);
  });

  test("two imports with replace leave one of the files", async () => {
    await fresh();
    await Promise.all(["a", "b"].map((each) => importFile(zone, many(each), { replace: true })));
    const names = (await zone.records()).map(({ name }) => name[0]);
    expect([names.length, new Set(names).size]).toEqual([300, 1]);
  });

  test("an import into a zone that is deleted is 404 or deleted with it", async () => {
    for (let turn = 0; turn < 5; turn++) {
      const own = await stage.customer({ plan: "business" });
      const gone = await own.zone();
      const [answer, deleted] = await Promise.all([tryImport(gone, many("a")), gone.ask("DELETE")]);
      expect(deleted.status).toBe(204);
      expect([200, 404]).toContain(answer.status);
      expect(await own.usage()).toEqual({ counted: [0, 0], real: [0, 0] });
      expect(await stage.rows("select 1 from pdns.records where domain_id = $1", [gone.body.id])).toEqual([]);
    }
  });

  test("two imports into two zones do not go past the plan", async () => {
    const free = await stage.customer({ plan: "free" });
    const zones = [await free.zone(), await free.zone()];
    const bodies = await Promise.all(zones.map((each) => importFile(each, many("a"))));
    expect(bodies.map(({ imported }) => imported).toSorted()).toEqual([200, 300]);
    expect(new Set(bodies.flatMap((body) => skippedIn(body).map((each) => each.split(" ")[1])))).toEqual(
      new Set(["limit"]),
    );
    expect(await free.usage()).toEqual({ counted: [2, 500], real: [2, 500] });
  });
});
