// Zones that are exported as zone files: issue "DNS hosting I" §4.
import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeZoneFile } from "../../../src/services/dns/zone-file/write-zone-file.ts";
import { byLane } from "../../support/lane.ts";
import { expectError } from "../../support/rest-client.ts";
import { type Customer, DnsStage, type Zone } from "./dns-stage.ts";
import { importFile, recordsIn } from "./import-stage.ts";
import { randomZones } from "./zone-file/random-zone.ts";

/** Random zones that are exported and imported again. */
const ZONES = byLane({ lane: 2, full: 60 });

let stage: DnsStage;
let customer: Customer;
beforeAll(async () => {
  stage = await DnsStage.open();
  customer = await stage.customer({ plan: "business" });
});
afterAll(() => stage?.close());

const exported = async (zone: Zone) => {
  const answer = await zone.ask("GET", "/export");
  expect(answer.status).toBe(200);
  return answer;
};

test("GET …/export answers a zone file, and dnsZoneExport of GraphQL the same text, to its organization alone", async () => {
  const zone = await customer.zone();
  const ns = zone.body.nameservers ?? [];
  await zone.add({ name: "www", type: "A", content: "192.0.2.1", ttl: 60, disabled: true, comment: 'say "é"' });
  await zone.add({ name: "", type: "ALIAS", content: "x.y" });
  await zone.add({ name: "", type: "TXT", content: '"quoted"' });
  await zone.add({ name: "a.b", type: "MX", content: "x.y", priority: 5 });
  const { headers, text } = await exported(zone);
  expect(headers.get("content-type")).toBe("text/dns; charset=utf-8");
  expect(headers.get("content-disposition")).toContain(`${zone.name}.zone`);
  const document = `{ dnsZoneExport(zoneId: "${zone.body.id}") }`;
  expect((await customer.graphql(document)).data).toEqual({ dnsZoneExport: text });
  const { data, errors } = await (await stage.customer()).graphql(document);
  expect([data, errors[0]?.extensions.code]).toEqual([{ dnsZoneExport: null }, "not_found"]);
  const serial = await zone.serial();
  const [head, origin, soa, ...lines] = text.split("\n");
  expect(head).toContain(`${zone.name}, serial ${serial}.`);
  expect(origin).toBe(`$ORIGIN ${zone.name}.`);
  expect(soa).toMatch(new RegExp(`^@ \\d+ IN SOA ${ns[0]}\\. \\S+\\.selo\\.test\\. ${serial} \\d+ \\d+ \\d+ \\d+$`));
  expect(lines).toEqual([
    expect.stringMatching(`^@ \\d+ IN NS ${ns[0]}\\.$`),
    expect.stringMatching(`^@ \\d+ IN NS ${ns[1]}\\.$`),
    ...[
      ["a.b", "a.b 3600 IN MX 5 x.y."],
      ["www", ';selo {"disabled":true,"comment":"say \\"é\\""}', ";selo record www 60 IN A 192.0.2.1"],
      [zone.name, ";selo record @ 3600 IN ALIAS x.y.", ';selo {"content":"\\"quoted\\""}', '@ 3600 IN TXT "quoted"'],
    ]
      .toSorted(([a], [b]) => Buffer.compare(Buffer.from(nameOf(a ?? "", zone)), Buffer.from(nameOf(b ?? "", zone))))
      .flatMap(([, ...each]) => each),
    "",
  ]);
});

const nameOf = (name: string, zone: Zone) => (name === zone.name ? name : `${name}.${zone.name}`);

test("of an empty zone has SOA and NS records alone", async () => {
  const { text } = await exported(await customer.zone());
  expect(
    text
      .split("\n")
      .filter((line) => /^[^;$]/.test(line))
      .map((line) => line.split(" ")[3]),
  ).toEqual(["SOA", "NS", "NS"]);
});

test("is answered like other files: ETag, ranges, HEAD", async () => {
  const zone = await customer.zone();
  await zone.add({ name: "www", type: "TXT", content: "não" });
  const whole = await exported(zone);
  const etag = whole.headers.get("etag") ?? "";
  expect(etag).toBe(`"${createHash("sha256").update(whole.bytes).digest("base64url")}"`);
  const get = (headers: Record<string, string>, method = "GET") => zone.ask(method, "/export", undefined, { headers });
  expect((await get({ "if-none-match": etag })).status).toBe(304);
  const part = await get({ range: "bytes=5-14", "if-range": etag });
  expect([part.status, part.text]).toEqual([206, whole.text.slice(5, 15)]);
  expect(part.headers.get("content-range")).toBe(`bytes 5-14/${whole.bytes.length}`);
  expectError(await get({ range: `bytes=${whole.bytes.length}-` }), 416, "range_not_satisfiable");
  const head = await get({}, "HEAD");
  expect([head.status, head.bytes.length, head.headers.get("content-length")]).toEqual([
    200,
    0,
    String(whole.bytes.length),
  ]);
  await zone.add({ name: "www", type: "TXT", content: "outra" });
  expect((await exported(zone)).headers.get("etag")).not.toBe(etag);
});

test("needs the scope record:read alone, and a zone of the organization", async () => {
  const zone = await customer.zone();
  const get = async (scopes: readonly string[]) =>
    zone.ask("GET", "/export", undefined, { token: await customer.key(scopes) });
  expectError(await get(["zone:read", "zone:write", "record:write"]), 403, "missing_scope");
  expect((await get(["record:read"])).status).toBe(200);
  const stranger = await stage.customer();
  for (const id of [zone.body.id, "x", "0"])
    expectError(await stranger.ask("GET", `/zones/${id}/export`), 404, "not_found");
  expectError(await zone.ask("POST", "/export"), 405, "method_not_allowed");
});

test("and imported again, changes nothing; imported into a new zone, gives the same records", async () => {
  let count = 0;
  for (const random of randomZones(11, ZONES)) {
    const name = stage.newName();
    const zone = await customer.zone(name);
    // What does not go together is skipped: the rest is what the zone has.
    const file = [...writeZoneFile(random)].join("").replaceAll(random.name, name);
    const { imported } = await importFile(zone, file);
    count += imported;
    const [before, serial, records] = [await exported(zone), await zone.serial(), await recordsIn(zone)];
    expect(records).toHaveLength(imported);
    const apex = 1 + (zone.body.nameservers?.length ?? 0);
    for (const options of [{}, { replace: true }])
      expect(await importFile(zone, before.text, options)).toMatchObject({
        imported: 0,
        deleted: 0,
        skipped: imported + apex,
        serial,
      });
    expect((await exported(zone)).text).toBe(before.text);
    expect((await zone.ask("DELETE")).status).toBe(204);
    const again = await customer.zone(name);
    expect(await importFile(again, before.text)).toMatchObject({ imported, skipped: apex, warnings: [] });
    expect(await recordsIn(again)).toEqual(records);
    const bare = (text: string) => text.replaceAll(/serial \d+|^@ \d+ IN (SOA|NS).*$/gm, "");
    expect(bare((await exported(again)).text)).toBe(bare(before.text));
  }
  expect(count).toBeGreaterThan(3 * ZONES);
}, 300_000);
