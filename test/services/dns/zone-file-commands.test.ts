// `selo zone import | export | diff`, against the real gateway: issue "DNS hosting I" §4; `selo zone scan`: "DNS hosting II" §4.
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DnsWorld, NXDOMAIN, PARENTS } from "../../support/dns-world.ts";
import type { RecordBody, Zone } from "./dns-stage.ts";
import { FILE, ZoneCommandStage } from "./zone-command-stage.ts";

let world: DnsWorld;
let stage: ZoneCommandStage;
beforeAll(async () => {
  world = await DnsWorld.start();
  stage = await ZoneCommandStage.open(world.environment);
});
afterAll(async () => {
  await stage?.close();
  await world?.close();
});

describe("zone import", () => {
  test("prints counts, and each skipped record with its line and reason", async () => {
    const zone = await stage.customer.zone();
    const given = stage.file(`${FILE}x 30 A 192.0.2.1\ny A 192.0.2.300\n`);
    expect((await stage.said("import", zone.name, given)).split("\n")).toEqual([
      "4 records imported, 0 deleted, 4 skipped",
      expect.stringMatching(`^  line 2: ${zone.name} SOA: apex: `),
      expect.stringMatching(`^  line 3: ${zone.name} NS: apex: `),
      expect.stringMatching(`^  line 8: x.${zone.name} A: validation: ttl `),
      expect.stringMatching(`^  line 9: y.${zone.name} A: validation: content `),
      expect.stringMatching(/^warning: .*clamp_ttl/),
      "",
    ]);
    expect(await zone.records()).toHaveLength(4);
  });

  test("--dry-run writes nothing, --clamp-ttl takes the nearest TTL, --replace deletes what the file lacks", async () => {
    const zone = await stage.filled();
    const given = stage.file("new 30 A 192.0.2.7\n");
    const before = await zone.records();
    const flags = ["--replace", "--clamp-ttl"];
    const dry = await stage.json<object>("import", zone.name, given, ...flags, "--dry-run");
    expect(dry).toMatchObject({ imported: 1, deleted: 4, skipped: 0, dry_run: true });
    expect(await stage.said("import", zone.name, given, ...flags, "--dry-run")).toMatch(/^dry run, nothing written/);
    expect(await zone.records()).toEqual(before);
    expect(await stage.json<object>("import", zone.name, given, ...flags)).toMatchObject({
      ...dry,
      serial: expect.any(Number),
      dry_run: false,
    });
    expect(await zone.records()).toMatchObject([{ name: `new.${zone.name}`, ttl: 60 }]);
  });

  test("a file that is no zone file is refused with line and column", async () => {
    const zone = await stage.customer.zone();
    expect(await stage.run(["import", zone.name, stage.file("a A 192.0.2.1\n$INCLUDE other\n")])).toEqual({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/^import_invalid: line 2, column 1: /),
    });
    expect(await zone.records()).toEqual([]);
  });
});

describe("a zone file of a stranger does not control the terminal", () => {
  const RED = "\u001b[31m";
  const CONTROL = /[\p{Cc}\p{Bidi_Control}]/u;

  test.each([
    ["a directive", `$${RED} x\n`],
    ["a name that is skipped", `${RED}.elsewhere.test. A 192.0.2.1\n`],
  ])("by %s", async (_, text) => {
    const zone = await stage.customer.zone();
    for (const command of ["import", "diff"]) {
      const { stdout, stderr } = await stage.run([command, zone.name, stage.file(text)]);
      const lines = `${stdout}${stderr}`.split("\n");
      expect(lines.join("")).toContain("\\u001b[31m");
      expect(lines.filter((line) => CONTROL.test(line))).toEqual([]);
    }
  });

  test("by a content that --json shows, which stays the same JSON", async () => {
    const zone = await stage.customer.zone();
    const content = "one \u202e two \u2066";
    await zone.add({ name: "@", type: "TXT", content });
    const said = await stage.said("records", zone.name, "--json");
    expect(said.trimEnd()).not.toMatch(CONTROL);
    expect(JSON.parse(said)).toMatchObject([{ content }]);
  });
});

describe("zone scan", () => {
  /** A zone whose present provider has these addresses, by name. */
  async function present(addresses: Readonly<Record<string, readonly string[]>>, ttl = 300): Promise<Zone> {
    const zone = await stage.customer.zone();
    world.delegate(zone.name, ["c.nic.test"]);
    world.servers.set(PARENTS["c.nic.test"], ({ name, type }) => {
      const found = addresses[name.replace(`.${zone.name}`, "")];
      if (found === undefined) return { aa: true, rcode: name === zone.name ? 0 : NXDOMAIN };
      return { aa: true, answers: type === "A" ? found.map((data) => ({ name, type, data, ttl })) : [] };
    });
    return zone;
  }

  test("prints counts, skipped records without lines, and that a scan is never complete", async () => {
    const zone = await present({ www: ["192.0.2.1", "192.0.2.2"], mail: ["192.0.2.3"] });
    await zone.add({ name: "mail", type: "A", content: "192.0.2.3" });
    expect((await stage.said("scan", zone.name)).split("\n")).toEqual([
      "2 records imported, 0 deleted, 1 skipped",
      expect.stringMatching(`^  mail.${zone.name} A: exists: `),
      expect.stringMatching(/^warning: .*never complete/),
      "",
    ]);
    expect((await zone.records()).map(({ content }) => content).toSorted()).toEqual([
      "192.0.2.1",
      "192.0.2.2",
      "192.0.2.3",
    ]);
  });

  test("--dry-run writes nothing, --clamp-ttl takes the nearest TTL, --json prints the answer", async () => {
    const zone = await present({ www: ["192.0.2.1"] }, 5);
    const dry = await stage.json<object>("scan", zone.name, "--dry-run", "--clamp-ttl");
    expect(dry).toMatchObject({
      imported: 1,
      dry_run: true,
      warnings: [{ code: "scan_incomplete" }, { code: expect.any(String) }],
    });
    expect(await zone.records()).toEqual([]);
    await stage.dns.rows("update dns.zones set scanned_at = null where id = $1", [zone.body.id]);
    expect(await stage.said("scan", zone.name, "--dry-run")).toMatch(/^dry run, nothing written: 0 records/);
    await stage.dns.rows("update dns.zones set scanned_at = null where id = $1", [zone.body.id]);
    expect(await stage.json<object>("scan", zone.name, "--clamp-ttl")).toMatchObject({ imported: 1, dry_run: false });
    expect(await zone.records()).toMatchObject([{ name: `www.${zone.name}`, ttl: 60 }]);
  });

  test("a second one within a minute ends with 1 and says when", async () => {
    const zone = await present({});
    await stage.said("scan", zone.name);
    const { code, stdout, stderr } = await stage.run(["scan", zone.name]);
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: "", stderr: expect.stringMatching(/^rate_limited: /) });
  });

  test.each<[string, string[], RegExp]>([
    ["an unknown zone", ["no-such.test"], /^not_found: /],
    ["--replace", ["no-such.test", "--replace"], /unknown option/],
  ])("%s is refused", async (_, words, message) => {
    const { code, stderr } = await stage.run(["scan", ...words]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(message) });
  });
});

describe("zone export", () => {
  const bare = (records: readonly RecordBody[], zone: string) =>
    records.map(({ id: _, zone_id: __, created_at: ___, ...record }) => ({
      ...record,
      name: record.name.replace(zone, ""),
      content: record.content.replace(zone, ""),
    }));

  test("what it writes is what an import reads: into another zone, and back", async () => {
    const zone = await stage.filled();
    await zone.add({ name: "@", type: "ALIAS", content: "host.elsewhere.test", comment: 'a "word"\\' });
    const target = path.join(stage.folder, "exported");
    expect(await stage.said("export", zone.name, target)).toBe("");
    const text = fs.readFileSync(target, "utf8");
    expect(await stage.said("export", zone.name)).toBe(text);
    expect(await stage.said("diff", zone.name, target)).toBe("");
    const other = await stage.customer.zone();
    await stage.said("import", other.name, stage.file(text.replaceAll(zone.name, other.name)));
    expect(bare(await other.records(), other.name)).toEqual(bare(await zone.records(), zone.name));
  });

  test("a file that cannot be written ends with 1", async () => {
    const zone = await stage.customer.zone();
    const { code, stderr } = await stage.run(["export", zone.name, path.join(stage.folder, "nowhere", "file")]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/ENOENT/) });
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

describe("zone diff", () => {
  /** What it prints, with Z for the name of the zone. */
  async function diff(zone: Zone, content: string, ...flags: string[]) {
    const { code, stdout, stderr } = await stage.run(["diff", zone.name, stage.file(content), ...flags]);
    const lines = (text: string) => text.replaceAll(zone.name, "Z").split("\n").slice(0, -1);
    return { code, changes: lines(stdout), skipped: lines(stderr) };
  }

  test("ends with 0 and prints nothing where the file says the same in other words", async () => {
    const zone = await stage.filled();
    await zone.add({ name: "www", type: "CAA", content: '0 issue "ca.test"' });
    await zone.add({ name: "_s._tcp", type: "SRV", content: "5 443 host.elsewhere.test", priority: 1 });
    const same = `${FILE.replace("2001:DB8:0::1", "2001:0db8::0001")}WWW IN CAA 000 ISSUE ca.test\n_S._tcp SRV 1 005 443 Host.Elsewhere.Test.\n`;
    expect(await diff(zone, same)).toEqual({ code: 0, changes: [], skipped: [] });
  });

  test("ends with 1 and prints + - ~ by name, the apex first", async () => {
    const zone = await stage.filled();
    const other = FILE.replace("www 300 A 192.0.2.1", "www 300 A 192.0.2.2").replace("@ MX", "@ 60 MX");
    expect(await diff(zone, `${other.replace(/^txt.*\n/m, "")};selo {"comment":"mine"}\na A 192.0.2.3\n`)).toEqual({
      code: 1,
      changes: [
        "~ Z 60 MX 10 mail.Z (was Z 3600 MX 10 mail.Z)",
        "+ a.Z 3600 A 192.0.2.3 ; mine",
        '- txt.Z 3600 TXT "one" "two"',
        "- www.Z 300 A 192.0.2.1",
        "+ www.Z 300 A 192.0.2.2",
      ],
      skipped: [],
    });
    expect(await zone.records()).toHaveLength(4);
  });

  test("says which records an import leaves out, and why", async () => {
    const zone = await stage.filled();
    const more = "x 30 A 192.0.2.1\ny TLSA 3 1 1 ab\nz.elsewhere.test. A 192.0.2.1\nwww 300 A 192.0.2.1\n";
    expect(await diff(zone, FILE + more)).toEqual({
      code: 0,
      changes: [],
      skipped: [
        expect.stringMatching(/^skipped line 8: x\.Z A: .*--clamp-ttl/),
        expect.stringMatching(/^skipped line 9: y\.Z TLSA: .*type/),
        expect.stringMatching(/^skipped line 10: z\.elsewhere\.test A: .*zone Z/),
        expect.stringMatching(/^skipped line 11: www\.Z A: .*twice/),
      ],
    });
    expect((await diff(zone, FILE + more, "--clamp-ttl")).changes).toEqual(["+ x.Z 60 A 192.0.2.1"]);
  });

  test("says what the import then does: after it, nothing is left", async () => {
    const zone = await stage.filled();
    const added = ';selo {"disabled":true}\n;selo-record b A 192.0.2.4\nc 30 A 192.0.2.5\n';
    const content = FILE.replace("192.0.2.1", "192.0.2.8").replace('"one" "two"', '"onetwo"') + added;
    const before = await diff(zone, content, "--clamp-ttl");
    expect(before.code).toBe(1);
    const result = await stage.json<{ imported: number; deleted: number }>(
      "import",
      zone.name,
      stage.file(content),
      "--replace",
      "--clamp-ttl",
    );
    const signs = before.changes.map(([sign]) => sign);
    expect(signs.filter((sign) => sign !== "-")).toHaveLength(result.imported);
    expect(signs.filter((sign) => sign === "-")).toHaveLength(result.deleted);
    expect(await diff(zone, content, "--clamp-ttl")).toEqual({ code: 0, changes: [], skipped: [] });
  });

  test.each<[string, () => string[], RegExp]>([
    ["an unknown zone", () => ["no-such.test", stage.file("")], /^not_found: /],
    ["a file that is not there", () => ["no-such.test", path.join(stage.folder, "none")], /^error: .*none: ENOENT/],
    ["missing words", () => ["no-such.test"], /missing required argument 'file'/],
    ["an unknown option", () => ["no-such.test", "-", "--nothing"], /unknown option/],
  ])("%s ends it with 2", async (_, words, message) => {
    const ran = await stage.run(["diff", ...words()]);
    expect(ran).toEqual({ code: 2, stdout: "", stderr: expect.stringMatching(message) });
  });

  test("a file that is no zone file ends it with 2, line and column", async () => {
    const zone = await stage.customer.zone();
    const { code, stderr } = await stage.run(["diff", zone.name, stage.file('a TXT "open\n')]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/^line 1, column \d+: /) });
  });
});
