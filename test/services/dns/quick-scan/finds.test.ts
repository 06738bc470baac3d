// What POST …/import with quick_scan finds: issue "DNS hosting II" §4.
import { describe, expect, test } from "vitest";
import { SCAN_NAMES } from "../../../../src/services/dns/quick-scan/scan-names.ts";
import { NXDOMAIN, PARENTS, REFUSED, type Says, SERVFAIL } from "../../../support/dns-world.ts";
import { codes, SERVER, setUpScans, stage } from "./scan-stage.ts";

/** A second server of the provider. */
const [SECOND_SERVER, SECOND] = ["b.nic.test", PARENTS["b.nic.test"]];

setUpScans();

describe("finds", () => {
  test("records of all types at common names, and answers as for a file, without lines", async () => {
    stage.has("@", "A", "192.0.2.1");
    stage.has("@", "AAAA", "2001:db8::1");
    stage.has("@", "MX", { preference: 10, exchange: `mail.${stage.zone.name}` });
    stage.has(
      "@",
      "TXT",
      ["v=spf1 -all"].map((text) => Buffer.from(text)),
    );
    stage.has("@", "CAA", { flags: 0, tag: "issue", value: 'ca.example; a="b"' });
    stage.has("www", "CNAME", "host.example.net");
    stage.has(
      "selector1._domainkey",
      "TXT",
      ["a".repeat(255), "b"].map((text) => Buffer.from(text)),
    );
    stage.has("_sip._tcp", "SRV", { priority: 1, weight: 2, port: 5060, target: "sip.example.net" });
    stage.has("m", "PTR", "host.example.net");
    const serial = await stage.zone.serial();
    const body = await stage.scanned();
    expect(body).toEqual({
      imported: 9,
      deleted: 0,
      skipped: 0,
      skipped_records: [],
      warnings: [{ code: "scan_incomplete", message: expect.stringMatching(/never complete/) }],
      serial: serial + 1,
      dry_run: false,
    });
    expect(await stage.found()).toEqual([
      "_sip._tcp.Z 300 SRV 1 2 5060 sip.example.net",
      "m.Z 300 PTR host.example.net",
      `selector1._domainkey.Z 300 TXT ${"a".repeat(255)}b`,
      "www.Z 300 CNAME host.example.net",
      "Z 300 A 192.0.2.1",
      "Z 300 AAAA 2001:db8::1",
      'Z 300 CAA 0 issue "ca.example; a=\\"b\\""',
      "Z 300 MX 10 mail.Z",
      "Z 300 TXT v=spf1 -all",
    ]);
  });

  test("an alias to a name that does not exist: its answer is NXDOMAIN (RFC 6604 §3)", async () => {
    stage.has("www", "CNAME", stage.whole("gone"));
    stage.answers(({ name, type }) => {
      const says = stage.provider(name, type);
      return stage.relative(name) === "www" ? { ...(says as object), rcode: NXDOMAIN } : says;
    });
    await stage.scanned();
    expect(await stage.found()).toEqual(["www.Z 300 CNAME gone.Z"]);
  });

  test("delegations, but not the SOA and NS records of the apex", async () => {
    stage.has("@", "NS", SERVER);
    stage.has("@", "SOA", {
      mname: SERVER,
      rname: "x.example",
      serial: 1,
      refresh: 1,
      retry: 1,
      expire: 1,
      minimum: 1,
    });
    stage.has("dev", "NS", "ns1.example.net");
    stage.has("dev", "NS", "ns2.example.net");
    const before = stage.world.asked(`NS ${stage.zone.name}`);
    expect(await stage.scanned()).toMatchObject({ imported: 2, skipped: 0 });
    // The resolver alone.
    expect(stage.world.asked(`NS ${stage.zone.name}`)).toBe(before + 1);
    expect(await stage.found()).toEqual(["dev.Z 300 NS ns1.example.net", "dev.Z 300 NS ns2.example.net"]);
  });

  test("what is judged as records of a file are: skipped with the reason, or with the nearest TTL", async () => {
    stage.has("@", "A", "192.0.2.1", 5);
    stage.has("www", "A", "192.0.2.1");
    await stage.zone.add({ name: "www", type: "A", content: "192.0.2.1" });
    const body = await stage.scanned();
    expect(body).toMatchObject({ imported: 0, skipped: 2 });
    expect(body.skipped_records).toEqual([
      { line: null, name: stage.zone.name, type: "A", reason: "validation", detail: expect.stringMatching(/^ttl /) },
      { line: null, name: `www.${stage.zone.name}`, type: "A", reason: "exists", detail: expect.any(String) },
    ]);
    expect(codes(body)).toEqual(["scan_incomplete", "ttl_out_of_range"]);
    await stage.later();
    expect(await stage.scanned({ clamp_ttl: true })).toMatchObject({ imported: 1, skipped: 1 });
  });

  test("nothing more than a dry run says", async () => {
    stage.has("www", "A", "192.0.2.1");
    const dry = await stage.scanned({ dry_run: true });
    expect(dry).toMatchObject({ imported: 1, dry_run: true });
    expect(await stage.zone.records()).toEqual([]);
    await stage.later();
    expect(await stage.scanned()).toEqual({ ...dry, dry_run: false });
  });

  test("from the second server what the first does not answer", async () => {
    stage.world.delegate(stage.zone.name, [SECOND_SERVER, SERVER]);
    stage.has("www", "A", "192.0.2.1");
    for (const says of [
      { rcode: SERVFAIL },
      { rcode: REFUSED },
      { authorities: [{ name: "test", type: "NS", data: "a.nic.test" }] },
    ] as const) {
      stage.world.servers.set(SECOND, () => says as Says);
      await stage.later();
      expect(codes(await stage.scanned())).toEqual(["scan_incomplete"]);
    }
    expect(await stage.zone.records()).toHaveLength(1);
  });

  test("with GraphQL too", async () => {
    stage.has("www", "A", "192.0.2.1");
    const { data } = await stage.customer.graphql(
      "mutation ($id: ID!) { importDnsZone(input: {zoneId: $id, quickScan: true}) { imported warnings { code } skippedRecords { line } } }",
      { id: String(stage.zone.body.id) },
    );
    expect(data?.importDnsZone).toEqual({ imported: 1, warnings: [{ code: "scan_incomplete" }], skippedRecords: [] });
  });
});

describe("says what it could not ask", () => {
  const incomplete = expect.objectContaining({ code: "scan_incomplete" });
  test.each([
    ["no delegation", () => stage.world.delegate(stage.zone.name, null)],
    ["a silent resolver", () => stage.world.resolved.set(stage.zone.name, "silent")],
    ["a server without an address", () => stage.world.delegate(stage.zone.name, ["nowhere.test"])],
    [
      "a server inside a network",
      () => {
        stage.world.addresses.set("inside.test", ["10.0.0.1", "169.254.169.254", "::ffff:10.0.0.1"]);
        stage.world.delegate(stage.zone.name, ["inside.test"]);
      },
    ],
  ])("%s: nothing is imported", async (_, make) => {
    make();
    const body = await stage.scanned();
    expect(body).toMatchObject({
      imported: 0,
      serial: await stage.zone.serial(),
      warnings: [incomplete, { code: "scan_no_servers" }],
    });
  });

  test("questions without an answer, some by name", async () => {
    stage.has("www", "A", "192.0.2.1");
    stage.answers(({ name, type }) =>
      type === "TXT" && name === stage.whole("www") ? { rcode: SERVFAIL } : stage.provider(name, type),
    );
    const body = await stage.scanned();
    expect(body).toMatchObject({
      imported: 1,
      warnings: [
        incomplete,
        {
          code: "scan_unanswered",
          message: `In the time of the scan, 1 of its queries got no answer, such as ${stage.whole("www")} TXT.`,
        },
      ],
    });
  });
});

test("there are some sixty common names, each once", () => {
  expect(new Set(SCAN_NAMES).size).toBe(SCAN_NAMES.length);
  expect(SCAN_NAMES.length).toBeGreaterThanOrEqual(55);
  expect(SCAN_NAMES.length).toBeLessThanOrEqual(75);
});
