// Zones in the API of PowerDNS 4.7, as its documentation has them: issue "DNS hosting II" §5.
import { describe, expect, test } from "vitest";
import { countRows } from "../../support/rest-client.ts";
import type { Zone } from "./dns-stage.ts";
import { PowerDnsClient } from "./power-dns-client.ts";
import { client, one, setUpPowerDns, stage } from "./power-dns-stage.ts";

const ZONES = "/api/v1/servers/localhost/zones";

setUpPowerDns();

describe("zones", () => {
  test("are listed with the members that PowerDNS has, without records", async () => {
    const customer = await stage.customer();
    const own = new PowerDnsClient(stage.selo, customer.token);
    const [second, first] = [await customer.zone("b-list.test"), await customer.zone("a-list.test")];
    const listed = async (zone: Zone) => ({
      id: `${zone.name}.`,
      name: `${zone.name}.`,
      url: `${ZONES}/${zone.name}.`,
      kind: "Native",
      account: "",
      dnssec: false,
      masters: [],
      serial: await zone.serial(),
      edited_serial: await zone.serial(),
      notified_serial: 0,
      last_check: 0,
    });
    expect((await own.zones()).body).toEqual([await listed(first), await listed(second)]);
    expect((await own.zones("?zone=b-list.test.")).body).toEqual([await listed(second)]);
    expect((await own.zones("?zone=B-List.test")).body).toEqual([await listed(second)]);
    expect((await own.zones("?zone=nobody.example.")).body).toEqual([]);
    const { dnssec, edited_serial, ...fast } = await listed(first);
    expect((await own.zones("?dnssec=false&zone=a-list.test.&unknown=1")).body).toEqual([fast]);
  });

  test("one is read with its sets, whatever the case of its name, with a final dot or without", async () => {
    const zone = await one.zone();
    await zone.add({ name: "www", type: "A", content: "192.0.2.1", ttl: 60, comment: "ours" });
    await zone.add({ name: "www", type: "A", content: "192.0.2.2", ttl: 60, disabled: true });
    const serial = await zone.serial();
    const { body } = await client.zone(zone.name);
    expect(body).toMatchObject({
      id: `${zone.name}.`,
      kind: "Native",
      serial,
      api_rectify: false,
      nsec3param: "",
      nsec3narrow: false,
      soa_edit: "",
    });
    expect(body.rrsets).toEqual([
      {
        name: `www.${zone.name}.`,
        type: "A",
        ttl: 60,
        records: [
          { content: "192.0.2.1", disabled: false },
          { content: "192.0.2.2", disabled: true },
        ],
        comments: [{ account: "", content: "ours", modified_at: expect.any(Number) }],
      },
      set(
        zone.name,
        "NS",
        (zone.body.nameservers ?? []).map((name) => `${name}.`),
      ),
      set(zone.name, "SOA", [`${zone.body.nameservers?.[0]}. hostmaster.selo.test. ${serial} 10800 3600 604800 3600`]),
    ]);
    for (const id of [zone.name, zone.name.toUpperCase(), `${zone.name.replace(".", "=2E")}.`])
      expect((await client.ask("GET", `${ZONES}/${id}`)).body).toEqual(body);
    const { rrsets, ...without } = body;
    expect((await client.zone(zone.name, "?rrsets=false")).body).toEqual(without);
    expect((await client.zone(zone.name, `?rrset_name=WWW.${zone.name}.&rrset_type=a`)).body.rrsets).toEqual([
      rrsets[0],
    ]);
  });

  test("one is created, also with records, and answered whole with 201", async () => {
    const name = stage.newName();
    const created = await client.create({
      name: `${name.toUpperCase()}.`,
      kind: "Native",
      masters: [],
      nameservers: [],
      dnssec: false,
      soa_edit_api: "DEFAULT",
      rrsets: [
        {
          name: `www.${name}.`,
          type: "A",
          ttl: 300,
          records: [{ content: "192.0.2.1", disabled: false }],
          comments: [],
        },
        {
          name: `${name}.`,
          type: "MX",
          ttl: 300,
          changetype: "REPLACE",
          records: [{ content: "10 mail.example.net." }],
        },
      ],
    });
    expect([created.status, created.body.id]).toEqual([201, `${name}.`]);
    expect(created.body).toEqual((await client.zone(name)).body);
    expect(created.headers.get("selo-nameservers")).toBeNull();
    expect(created.body.rrsets.map(({ type }: { type: string }) => type)).toEqual(["A", "MX", "NS", "SOA"]);
  });

  test.each([
    ["Slave", {}, /kind/],
    ["Native", { zone: "@ A 192.0.2.1" }, /zone/],
    [
      "Native",
      { nameservers: ["ns1.elsewhere.example."] },
      /^The service assigns the nameservers of the zone: ns\d\.selo\.test\., ns\d\.selo\.test\./,
    ],
    [
      "Native",
      { rrsets: [{ name: "www.other.example.", type: "A", ttl: 60, records: [{ content: "192.0.2.1" }] }] },
      /must lie in the zone/,
    ],
    ["Native", { rrsets: [{ name: "@", type: "A", ttl: 60, records: [{ content: "192.0.2.1" }] }] }, /dot at its end/],
  ])("of the kind %s with %j is refused, and nothing is made", async (kind, more, words) => {
    const rows = await countRows(stage.selo);
    const answer = await client.create({ name: `${stage.newName()}.`, kind, ...more });
    expect([answer.status, answer.body]).toEqual([422, { error: expect.stringMatching(words) }]);
    expect(await countRows(stage.selo)).toEqual(rows);
  });

  test("the nameservers that the service assigns may be named", async () => {
    const name = stage.newName();
    const words = (await client.create({ name: `${name}.`, kind: "Native", nameservers: ["ns1.elsewhere.example."] }))
      .body.error;
    const nameservers = words.match(/ns\d\.selo\.test\./g);
    expect((await client.create({ name: `${name}.`, kind: "Native", nameservers: nameservers.reverse() })).status).toBe(
      201,
    );
  });

  test("texts at their limits are read, and longer ones are not", async () => {
    const zone = await one.zone();
    for (const [query, most] of [
      ["rrset_name", 1_000],
      ["rrset_type", 20],
    ] as const) {
      expect((await client.zone(zone.name, `?${query}=${"a".repeat(most)}`)).body.rrsets).toEqual([]);
      expect((await client.zone(zone.name, `?${query}=${"a".repeat(most + 1)}`)).status).toBe(422);
    }
    const error = async (body: object) => (await client.create({ kind: "Native", ...body })).body.error;
    expect(await error({ name: `${"a".repeat(999)}.` })).toContain("3 to 253 characters");
    expect(await error({ name: `${"a".repeat(1_000)}.` })).toContain("at most 1000 characters");
    const name = `${stage.newName()}.`;
    expect(await error({ name, nameservers: Array(20).fill("ns1.elsewhere.example.") })).toContain("assigns");
    expect(await error({ name, nameservers: Array(21).fill("ns1.elsewhere.example.") })).toContain(
      "at most 20 entries",
    );
  });

  test("a name without its final dot is 422, a name that is taken 409, a public suffix 403", async () => {
    const zone = await one.zone();
    expect((await client.create({ name: stage.newName(), kind: "Native" })).status).toBe(422);
    expect((await client.create({ name: `${zone.name}.`, kind: "Native" })).status).toBe(409);
    expect((await client.create({ name: "com.br.", kind: "Native" })).status).toBe(403);
    expect((await client.create({ kind: "Native" })).status).toBe(422);
  });

  test("one is deleted with 204", async () => {
    const zone = await one.zone();
    const { status, text } = await client.delete(zone.name);
    expect([status, text]).toEqual([204, ""]);
    expect((await client.zone(zone.name)).status).toBe(404);
    expect((await client.delete(zone.name)).status).toBe(404);
  });

  test("notify and rectify are answered, and change nothing", async () => {
    const zone = await one.zone();
    const serial = await zone.serial();
    for (const [what, result] of [
      ["notify", "Notification queued"],
      ["rectify", "Rectified"],
    ]) {
      const { status, body } = await client.ask(
        "PUT",
        `${ZONES}/${zone.name}./${what}`,
        what === "notify" ? undefined : {},
      );
      expect({ status, body }).toEqual({ status: 200, body: { result } });
    }
    expect(await zone.serial()).toBe(serial);
  });

  test("export answers the zone file, which an import reads", async () => {
    const zone = await one.zone();
    await zone.add({ name: "www", type: "TXT", content: "some text" });
    const { status, headers, text } = await client.ask("GET", `${ZONES}/${zone.name}./export`);
    expect([status, headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
    expect(text).toBe((await zone.ask("GET", "/export")).text);
    const imported = (await zone.ask("POST", "/import", { bind_file: text })).body;
    expect(imported.skipped_records.map(({ reason }: { reason: string }) => reason).sort()).toEqual([
      "apex",
      "apex",
      "apex",
      "exists",
    ]);
  });
});

/** A set as it is answered. */
function set(name: string, type: string, contents: readonly string[]) {
  return {
    name: `${name}.`,
    type,
    ttl: 3600,
    records: contents.map((content) => ({ content, disabled: false })),
    comments: [],
  };
}
