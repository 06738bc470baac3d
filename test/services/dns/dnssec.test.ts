// DNSSEC over HTTP, row by row: dns-hosting §2, §3, §4, §7 and issue "DNS hosting II" §3.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectError } from "../../support/rest-client.ts";
import { type Customer, DnsStage, expectUnfitRecord, type Zone } from "./dns-stage.ts";
import { disable, enable, remove, rotate, status } from "./dnssec-stage.ts";

const OFF = { enabled: false, keys: [], chain: "unsigned", warnings: [] };
const KEY = {
  key_id: expect.any(Number),
  active: true,
  dnskey: expect.stringMatching(/^257 3 13 [A-Za-z0-9+/]{86}==$/),
  ds_records: [expect.stringMatching(/^\d+ 13 2 [0-9A-F]{64}$/), expect.stringMatching(/^\d+ 13 4 [0-9A-F]{96}$/)],
  algorithm: "ECDSAP256SHA256",
  created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
};

let stage: DnsStage;
let customer: Customer;
let zone: Zone;
beforeAll(async () => {
  stage = await DnsStage.open();
  customer = await stage.customer({ plan: "business" });
});
afterAll(() => stage?.close());
beforeEach(async () => {
  zone = await customer.zone();
});

const keysServed = () =>
  stage.rows<{ id: number; flags: number; active: boolean; published: boolean; content: string }>(
    "select id, flags, active, published, content from pdns.cryptokeys where domain_id = $1 order by id",
    [zone.body.id],
  );
const settingsServed = () =>
  stage.rows("select kind, content from pdns.domainmetadata where domain_id = $1 order by kind", [zone.body.id]);

describe("GET …/dnssec", () => {
  test("of a zone without DNSSEC: disabled, without keys", async () => {
    expect(await status(zone)).toEqual(OFF);
  });

  test("answers keys and DS records of a signed zone", async () => {
    const enabled = await enable(zone);
    expect(await status(zone)).toEqual(enabled);
  });
});

describe("POST …/dnssec", () => {
  test("201 with the new key including ds_records", async () => {
    expect(await enable(zone)).toEqual({ enabled: true, keys: [KEY], chain: "unknown", warnings: [] });
  });

  test("the zone shows dnssec_enabled", async () => {
    expect(zone.body.dnssec_enabled).toBe(false);
    await enable(zone);
    expect((await zone.ask("GET")).body.dnssec_enabled).toBe(true);
    const { body } = await customer.ask("GET", "/zones");
    expect(body.find(({ id }: { id: number }) => id === zone.body.id).dnssec_enabled).toBe(true);
  });

  test("409 dnssec_enabled when enabled, and nothing changes", async () => {
    const before = await enable(zone);
    expectError(await zone.ask("POST", "/dnssec"), 409, "dnssec_enabled");
    expect(await status(zone)).toEqual(before);
  });

  test("the nameservers get the private key, and the settings of narrow NSEC3", async () => {
    const { keys } = await enable(zone);
    expect(await keysServed()).toEqual([
      {
        id: keys[0]?.key_id,
        flags: 257,
        active: true,
        published: true,
        content: expect.stringMatching(
          /^Private-key-format: v1\.2\nAlgorithm: 13 \(ECDSAP256SHA256\)\nPrivateKey: [A-Za-z0-9+/]{43}=\n$/,
        ),
      },
    ]);
    expect(await settingsServed()).toEqual([
      { kind: "NSEC3NARROW", content: "1" },
      { kind: "NSEC3PARAM", content: "1 0 0 -" },
    ]);
  });

  test("no answer, event, and no row but PowerDNS' own has the private key", async () => {
    const { text } = await zone.ask("POST", "/dnssec", undefined, { headers: { "Idempotency-Key": "signed" } });
    const [served] = await keysServed();
    const secret = /PrivateKey: (\S+)/.exec(served?.content ?? "")?.[1] ?? "-";
    expect(secret).toHaveLength(44);
    expect(text).not.toContain(secret);
    const tables = await stage.rows<{ name: string }>(
      "select oid::regclass::text as name from pg_class where relkind in ('r', 'p') and relnamespace::regnamespace::text in ('dns', 'pdns', 'platform', 'webhooks', 'graphile_worker')",
    );
    const found = [];
    for (const { name } of tables) {
      const rows = await stage.rows(
        `select from ${name} as kept where strpos(kept::text, $1) > 0 or strpos(kept::text, encode(convert_to($1, 'UTF8'), 'hex')) > 0`,
        [secret],
      );
      if (rows.length > 0) found.push(name);
    }
    expect(found).toEqual(["pdns.cryptokeys"]);
  });

  test("raises no serial", async () => {
    const before = await zone.serial();
    await enable(zone);
    await rotate(zone);
    expect(await zone.serial()).toBe(before);
  });

  test("404 for an unknown zone and for another organization's", async () => {
    const other = await (await stage.customer()).zone();
    for (const id of ["0", "x", String(other.body.id)]) {
      for (const [method, path] of [
        ["GET", ""],
        ["POST", ""],
        ["POST", "/rotate"],
        ["DELETE", ""],
        ["DELETE", "/keys/1"],
      ] as const)
        expectError(await customer.ask(method, `/zones/${id}/dnssec${path}`), 404, "not_found");
    }
  });
});

describe("POST …/dnssec/rotate", () => {
  test("200 with both keys listed, the old one still active", async () => {
    const before = await enable(zone);
    const after = await rotate(zone);
    expect(after).toMatchObject({ enabled: true, keys: [before.keys[0], KEY], chain: "unknown" });
    expect(new Set(after.keys.map(({ dnskey }) => dnskey)).size).toBe(2);
    expect((await keysServed()).map(({ active, published }) => [active, published])).toEqual([
      [true, true],
      [true, true],
    ]);
  });

  test("409 dnssec_disabled when DNSSEC is not enabled", async () => {
    expectError(await zone.ask("POST", "/dnssec/rotate"), 409, "dnssec_disabled");
    expect(await status(zone)).toEqual(OFF);
  });

  test("409 rotation_in_progress while there are two keys", async () => {
    await enable(zone);
    const before = await rotate(zone);
    expectError(await zone.ask("POST", "/dnssec/rotate"), 409, "rotation_in_progress");
    expect(await status(zone)).toEqual(before);
  });

  test("409 dnssec_enabled for an enable while there are two keys", async () => {
    await enable(zone);
    await rotate(zone);
    expectError(await zone.ask("POST", "/dnssec"), 409, "dnssec_enabled");
  });

  test("again, once the old key is removed", async () => {
    const { keys } = await enable(zone);
    await rotate(zone);
    const left = await remove(zone, keys[0]);
    expect((await rotate(zone)).keys).toEqual([left.keys[0], KEY]);
  });
});

describe("DELETE …/dnssec/keys/{key_id}", () => {
  test("200 with the remaining keys; the removed one signs no longer", async () => {
    await enable(zone);
    const { keys } = await rotate(zone);
    expect((await remove(zone, keys[0])).keys).toEqual([keys[1]]);
    expect((await keysServed()).map(({ id }) => id)).toEqual([keys[1]?.key_id]);
  });

  test("either key can be removed", async () => {
    await enable(zone);
    const { keys } = await rotate(zone);
    expect((await remove(zone, keys[1])).keys).toEqual([keys[0]]);
  });

  test("404 for an unknown key_id, also when disabled", async () => {
    const ids = ["0", "x", "1", "9".repeat(30), "-1"];
    for (const id of ids) expectError(await zone.ask("DELETE", `/dnssec/keys/${id}`), 404, "not_found");
    await enable(zone);
    const { keys } = await rotate(zone);
    for (const id of [...ids, `0${keys[0]?.key_id}`])
      expectError(await zone.ask("DELETE", `/dnssec/keys/${id}`), 404, "not_found");
    expect((await status(zone)).keys).toEqual(keys);
  });

  test("404 for the key of another zone", async () => {
    const other = await customer.zone();
    await enable(other);
    const { keys } = await rotate(other);
    await enable(zone);
    await rotate(zone);
    expectError(await zone.ask("DELETE", `/dnssec/keys/${keys[0]?.key_id}`), 404, "not_found");
    expect((await status(other)).keys).toEqual(keys);
  });

  test("422 last_key for the last key", async () => {
    const before = await enable(zone);
    expectUnfitRecord(await zone.ask("DELETE", `/dnssec/keys/${before.keys[0]?.key_id}`), "last_key");
    expect(await status(zone)).toEqual(before);
  });
});

describe("DELETE …/dnssec", () => {
  test("200 with no keys; nothing of them is left", async () => {
    await enable(zone);
    await rotate(zone);
    expect(await disable(zone)).toEqual(OFF);
    expect(await keysServed()).toEqual([]);
    expect(await settingsServed()).toEqual([]);
    expect(await stage.rows("select from dns.dnssec_keys where zone_id = $1", [zone.body.id])).toEqual([]);
    expect((await zone.ask("GET")).body.dnssec_enabled).toBe(false);
  });

  test.each([[undefined], [{}], [{ confirm: false }], [{ confirm: null }]])(
    "422 confirm_required with a detail, for the body %j, before anything else",
    async (body) => {
      expectError(await zone.ask("DELETE", "/dnssec", body), 422, "confirm_required", ["confirm"]);
      const before = await enable(zone);
      const answer = await zone.ask("DELETE", "/dnssec", body);
      expectError(answer, 422, "confirm_required", ["confirm"]);
      expect(answer.body.detail).toMatch(/confirm/);
      expect(await status(zone)).toEqual(before);
    },
  );

  test.each([[{ confirm: "yes" }], [{ confirm: 1 }], [{ confirm: true, force: true }]])(
    "422 invalid_request for %j",
    async (body) => {
      await enable(zone);
      expect(await zone.ask("DELETE", "/dnssec", body)).toMatchObject({
        status: 422,
        body: { code: "invalid_request", detail: expect.any(String) },
      });
      expect((await status(zone)).enabled).toBe(true);
    },
  );

  test("409 dnssec_disabled when DNSSEC is not enabled", async () => {
    expectError(await zone.ask("DELETE", "/dnssec", { confirm: true }), 409, "dnssec_disabled");
  });

  test("and enabled again, the zone has another key", async () => {
    const before = await enable(zone);
    await disable(zone);
    const after = await enable(zone);
    expect(after.keys[0]?.dnskey).not.toBe(before.keys[0]?.dnskey);
    expect(after.keys[0]?.key_id).not.toBe(before.keys[0]?.key_id);
  });
});

describe("scopes", () => {
  const asked = [
    ["GET", "", ["zone:read"]],
    ["POST", "", ["zone:write"]],
    ["POST", "/rotate", ["zone:write"]],
    ["DELETE", "/keys/1", ["zone:write"]],
    ["DELETE", "", ["zone:write"]],
  ] as const;

  test.each(asked)("%s …/dnssec%s needs %s, and no other will do", async (method, path, [needed]) => {
    const all = ["zone:read", "zone:write", "record:read", "record:write"];
    const token = await customer.key(all.filter((scope) => scope !== needed));
    expectError(await zone.ask(method, `/dnssec${path}`, undefined, { token }), 403, "missing_scope");
    const enough = await customer.key([needed]);
    expect((await zone.ask(method, `/dnssec${path}`, undefined, { token: enough })).status).not.toBe(403);
  });
});

test("a repeated request with its Idempotency-Key has the same answer, and makes no second key", async () => {
  const request = { headers: { "Idempotency-Key": "once" } };
  const first = await zone.ask("POST", "/dnssec", undefined, request);
  const second = await zone.ask("POST", "/dnssec", undefined, request);
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(second.body).toEqual(first.body);
  expect((await status(zone)).keys).toHaveLength(1);
});
