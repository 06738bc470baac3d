// The requests that acme.sh, octoDNS, dnscontrol, external-dns and Terraform send, in the order in which their sources send them. None of them is in Debian or npm, so their
// requests are written down here. lego and lexicon run themselves: test/system/dns/lego.test.ts, lexicon.test.ts.
import { describe, expect, test } from "vitest";
import { recordsOf } from "../../../src/adapters/crypto/dnssec-key.ts";
import { MasterKeyring } from "../../../src/adapters/crypto/master-keyring.ts";
import { parseMasterKey } from "../../../src/adapters/crypto/sealed-secret.ts";
import { rebuildServed } from "../../../src/services/dns/nameserver/rebuild-served.ts";
import { TEST_MASTER_KEY } from "../../support/global-setup.ts";
import { countRows, type RestResponse } from "../../support/rest-client.ts";
import { enable, rotate, status } from "./dnssec-stage.ts";
import { client, one, setUpPowerDns, stage } from "./power-dns-stage.ts";

const SERVER = "/api/v1/servers/localhost";

setUpPowerDns();

interface Rrset {
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  readonly records: readonly { readonly content: string; readonly disabled: boolean }[];
}

async function expectStatus(status: number, answer: Promise<RestResponse>): Promise<RestResponse["body"]> {
  const { status: answered, body } = await answer;
  expect({ answered, body }).toMatchObject({ answered: status });
  return body;
}
const setOf = (zone: { readonly rrsets: readonly Rrset[] }, name: string, type: string) =>
  zone.rrsets.find((each) => each.name === name && each.type === type);

describe("acme.sh 3.1 (dns_pdns)", () => {
  test("finds the zone in the text of the list, keeps other challenges, and removes its own", async () => {
    const zone = await one.zone();
    const name = `_acme-challenge.${zone.name}`;
    // It has no reader of JSON: it takes the space between tokens away, and looks for pieces of text.
    const text = async (path: string) =>
      JSON.stringify(await expectStatus(200, client.ask("GET", `${SERVER}/zones${path}`)));
    const challenges = async () => {
      const [set] = (await text(`/${zone.name}.`)).match(new RegExp(`"name":"${name}[^\\]]*}`)) ?? [""];
      return [...set.matchAll(/content":"\\"([^\\]*)/g)].map(([, value]) => value as string);
    };
    const set = (change: object) => client.patch(zone.name, [{ name: `${name}.`, type: "TXT", ...change }]);
    const replace = async (...values: readonly string[]) => {
      const records = values.map((value) => ({ content: `"${value}"`, disabled: false }));
      await expectStatus(204, set({ changetype: "REPLACE", ttl: 60, records }));
      // With an empty form, as curl sends it for an empty body.
      await expectStatus(
        200,
        client.ask("PUT", `${SERVER}/zones/${zone.name}./notify`, "", {
          headers: { "content-type": "application/x-www-form-urlencoded" },
        }),
      );
    };

    expect(await text("")).toContain(`"name":"${zone.name}."`);
    expect(await challenges()).toEqual([]);
    await replace("first");
    await replace("second", ...(await challenges()));
    expect((await challenges()).toSorted()).toEqual(["first", "second"]);
    await expectStatus(204, set({ changetype: "DELETE" }));
    await replace("second");
    await expectStatus(204, set({ changetype: "DELETE" }));
    expect(await zone.records()).toEqual([]);
  });
});

describe("octoDNS (octodns-powerdns 1.2)", () => {
  test("asks for the version, finds no zone, creates it with its records, then plans nothing", async () => {
    const zone = stage.newName();
    const { version } = await expectStatus(200, client.ask("GET", SERVER));
    // From 4.2 on, it takes 404 for a zone that is missing.
    expect(version.split(".").map(Number)[0]).toBeGreaterThanOrEqual(4);
    await expectStatus(404, client.ask("GET", `${SERVER}/config`));
    await expectStatus(404, client.ask("GET", `${SERVER}/zones/${zone}.`));
    const mods = [
      {
        name: `www.${zone}.`,
        type: "A",
        ttl: 300,
        changetype: "REPLACE",
        records: [
          { content: "192.0.2.1", disabled: false },
          { content: "192.0.2.2", disabled: false },
        ],
      },
      {
        name: `${zone}.`,
        type: "MX",
        ttl: 3600,
        changetype: "REPLACE",
        records: [{ content: "10 mail.example.net.", disabled: false }],
      },
      {
        name: `_dmarc.${zone}.`,
        type: "TXT",
        ttl: 3600,
        changetype: "REPLACE",
        records: [{ content: '"v=DMARC1\\; p=none"', disabled: false }],
      },
      {
        // It sends a text of any length as one string, and joins the strings that it reads.
        name: `mail._domainkey.${zone}.`,
        type: "TXT",
        ttl: 3600,
        changetype: "REPLACE",
        records: [{ content: `"v=DKIM1\\; p=${"k".repeat(392)}"`, disabled: false }],
      },
      {
        name: `${zone}.`,
        type: "CAA",
        ttl: 3600,
        changetype: "REPLACE",
        records: [{ content: '0 issue "ca.example.net"', disabled: false }],
      },
    ];
    await expectStatus(404, client.patch(zone, mods));
    const made = {
      name: `${zone}.`,
      kind: "master",
      masters: [],
      nameservers: [],
      rrsets: mods,
      soa_edit_api: "default",
      serial: 0,
    };
    await expectStatus(201, client.create(made));
    const read = await expectStatus(200, client.ask("GET", `${SERVER}/zones/${zone}.`));
    for (const { name, type, ttl } of mods) expect(setOf(read, name, type)).toMatchObject({ ttl });
    // It writes a semicolon with a backslash, and reads it with one.
    for (const { name, type, records } of mods)
      expect(setOf(read, name, type)?.records.map(({ content }) => content.replaceAll('" "', ""))).toEqual(
        records.map(({ content }) => content.replace("\\;", ";")),
      );
  });

  test("turns an address into a CNAME, deletes, and accepts the NS that the zone has", async () => {
    const zone = await one.zone();
    await zone.add({ name: "www", type: "A", content: "192.0.2.1" });
    const read = await expectStatus(200, client.zone(zone.name));
    const ns = setOf(read, `${zone.name}.`, "NS") as Rrset;
    // It sorts DELETE before REPLACE.
    await expectStatus(
      204,
      client.patch(zone.name, [
        {
          name: `www.${zone.name}.`,
          type: "A",
          ttl: 3600,
          changetype: "DELETE",
          records: [{ content: "192.0.2.1", disabled: false }],
        },
        {
          name: `www.${zone.name}.`,
          type: "CNAME",
          ttl: 300,
          changetype: "REPLACE",
          records: [{ content: "host.example.net.", disabled: false }],
        },
        { name: ns.name, type: "NS", ttl: ns.ttl, changetype: "REPLACE", records: ns.records },
      ]),
    );
    expect(await zone.records()).toMatchObject([{ type: "CNAME", content: "host.example.net" }]);
    await expectStatus(200, client.ask("PUT", `${SERVER}/zones/${zone.name}./notify`));
    const names = (await expectStatus(200, client.zones())).map(({ name }: { name: string }) => name);
    expect(names).toContain(`${zone.name}.`);
  });
});

describe("dnscontrol", () => {
  test("reads the keys of a zone, and gives the NS at the apex its own TTL, which is left as it is", async () => {
    const zone = await one.zone();
    const keys = () => expectStatus(200, client.ask("GET", `${SERVER}/zones/${zone.name}./cryptokeys`));
    expect(await keys()).toEqual([]);
    const read = await expectStatus(200, client.zone(zone.name));
    const ns = setOf(read, `${zone.name}.`, "NS") as Rrset;
    await expectStatus(
      204,
      client.patch(zone.name, [
        { name: ns.name, type: "NS", ttl: 300, changetype: "REPLACE", records: ns.records },
        { name: `www.${ns.name}`, type: "A", ttl: 300, changetype: "REPLACE", records: [{ content: "192.0.2.1" }] },
      ]),
    );
    const after = await expectStatus(200, client.zone(zone.name));
    expect(setOf(after, `${zone.name}.`, "NS")).toEqual(ns);
    expect(setOf(after, `www.${zone.name}.`, "A")).toMatchObject({ ttl: 300 });
    const { keys: made } = await enable(zone);
    expect(await keys()).toEqual([
      {
        type: "Cryptokey",
        id: made[0]?.key_id,
        keytype: "csk",
        active: true,
        published: true,
        flags: 257,
        dnskey: made[0]?.dnskey,
        ds: made[0]?.ds_records,
        algorithm: "ECDSAP256SHA256",
        bits: 256,
      },
    ]);
    await rotate(zone);
    expect((await keys()).map(({ id }: { id: number }) => id)).toEqual(
      (await status(zone)).keys.map(({ key_id }) => key_id),
    );
  });

  test("creates a zone with dnssec: it is signed, and its key can be decrypted and served anew", async () => {
    const name = stage.newName();
    const asked = { name: `${name.toUpperCase()}.`, kind: "Native", dnssec: true, nameservers: [] };
    const again = { headers: { "idempotency-key": name } };
    const made = await expectStatus(201, client.ask("POST", `${SERVER}/zones`, asked, again));
    expect(made).toMatchObject({ name: `${name}.`, dnssec: true });
    // The same request again makes neither a second zone nor a second key.
    expect(await expectStatus(201, client.ask("POST", `${SERVER}/zones`, asked, again))).toEqual(made);
    const [key, ...others] = await expectStatus(200, client.ask("GET", `${SERVER}/zones/${name}./cryptokeys`));
    expect(others).toEqual([]);
    const [point = ""] = key.dnskey.split(" ").slice(3);
    expect(key.ds).toEqual(recordsOf(name, Buffer.from(point, "base64")).dsRecords);

    const served = () =>
      stage.rows<{ content: string }>(
        "select content from pdns.cryptokeys where domain_id = (select id from dns.zones where name = $1)",
        [name],
      );
    const before = await served();
    expect(before).toHaveLength(1);
    await stage.rows("delete from pdns.cryptokeys where domain_id = (select id from dns.zones where name = $1)", [
      name,
    ]);
    const keys = new MasterKeyring(parseMasterKey(TEST_MASTER_KEY), []);
    expect(await rebuildServed(stage.selo.operator, async () => keys)).toEqual([]);
    expect(await served()).toEqual(before);
  });

  test("creates a zone with dnssec and wrong records: nothing is made", async () => {
    const name = stage.newName();
    const rows = await countRows(stage.selo);
    const rrsets = [{ name: `a.${name}.`, type: "A", ttl: 60, records: [{ content: "no address" }] }];
    await expectStatus(422, client.create({ name: `${name}.`, kind: "Native", dnssec: true, rrsets }));
    expect(await countRows(stage.selo)).toEqual(rows);
  });
});

describe("external-dns", () => {
  test("lists zones, reads each, and sends the whole zone back with the sets that change", async () => {
    const zone = await one.zone();
    const listed = (await expectStatus(200, client.zones())).find(
      ({ name }: { name: string }) => name === `${zone.name}.`,
    );
    expect((await expectStatus(200, client.ask("GET", `${SERVER}/zones/${listed.id}`))).rrsets).toHaveLength(2);
    const patch = (rrsets: readonly object[]) =>
      expectStatus(204, client.ask("PATCH", `${SERVER}/zones/${listed.id}`, { ...listed, rrsets }));
    const owner = '"heritage=external-dns,external-dns/owner=default,external-dns/resource=ingress/default/app"';
    await patch([
      { name: `app.${zone.name}.`, type: "A", ttl: 300, changetype: "REPLACE", records: [{ content: "192.0.2.1" }] },
      { name: `app.${zone.name}.`, type: "TXT", ttl: 300, changetype: "REPLACE", records: [{ content: owner }] },
    ]);
    await patch([
      { name: `app.${zone.name}.`, type: "A", ttl: 300, changetype: "REPLACE", records: [{ content: "192.0.2.2" }] },
      {
        name: `ext.${zone.name}.`,
        type: "ALIAS",
        ttl: 300,
        changetype: "REPLACE",
        records: [{ content: "lb.example.net." }],
      },
    ]);
    const read = await expectStatus(200, client.zone(zone.name));
    expect(setOf(read, `app.${zone.name}.`, "A")?.records).toEqual([{ content: "192.0.2.2", disabled: false }]);
    expect(setOf(read, `app.${zone.name}.`, "TXT")?.records[0]?.content).toBe(owner);
    expect(setOf(read, `ext.${zone.name}.`, "ALIAS")?.records[0]?.content).toBe("lb.example.net.");
    // A deletion has the records, and no ttl.
    await patch([
      { name: `app.${zone.name}.`, type: "A", changetype: "DELETE", records: [{ content: "192.0.2.2" }] },
      { name: `app.${zone.name}.`, type: "TXT", changetype: "DELETE", records: [{ content: owner }] },
      { name: `ext.${zone.name}.`, type: "ALIAS", changetype: "DELETE", records: [{ content: "lb.example.net." }] },
    ]);
    expect(await zone.records()).toEqual([]);
  });
});

describe("Terraform (provider powerdns)", () => {
  test("creates a zone of the kind Native, and reads back what it wrote", async () => {
    const zone = stage.newName();
    await expectStatus(200, client.ask("GET", "/api/v1/servers"));
    // The two nameservers that the service gives the zone: the refusal names them.
    const asked = { name: `${zone}.`, kind: "Native", dnsssec: false, serial: 0, soa_edit_api: "", id: "", url: "" };
    const { error } = await expectStatus(422, client.create({ ...asked, nameservers: ["ns1.example.net."] }));
    const nameservers = error.match(/ns\d\.selo\.test\./g);
    const made = await expectStatus(201, client.create({ ...asked, nameservers }));
    const read = await expectStatus(200, client.ask("GET", `${SERVER}/zones/${made.id}`));
    expect(read).toMatchObject({ name: `${zone}.`, kind: "Native", soa_edit_api: "" });
    expect(
      setOf(read, `${zone}.`, "NS")
        ?.records.map(({ content }) => content)
        .sort(),
    ).toEqual(nameservers.sort());

    const name = `www.${zone}.`;
    const record = (content: string) => ({ name: "", type: "", content, ttl: 0, disabled: false, "set-ptr": false });
    await expectStatus(
      204,
      client.patch(zone, [{ name, type: "A", changetype: "REPLACE", ttl: 300, records: [record("192.0.2.1")] }]),
    );
    expect(setOf(await expectStatus(200, client.zone(zone)), name, "A")).toMatchObject({
      ttl: 300,
      records: [{ content: "192.0.2.1" }],
    });
    await expectStatus(204, client.patch(zone, [{ name, type: "A", changetype: "DELETE", ttl: 0 }]));
    expect(setOf(await expectStatus(200, client.zone(zone)), name, "A")).toBeUndefined();

    await expectStatus(204, client.ask("DELETE", `${SERVER}/zones/${made.id}`));
    await expectStatus(404, client.ask("GET", `${SERVER}/zones/${made.id}`));
  });
});

describe("lego, with the answers that it reads", () => {
  test("its later versions, too, change a zone at the address that the zone says", async () => {
    const zone = await one.zone();
    const { url } = await expectStatus(200, client.zone(zone.name));
    const name = `_acme-challenge.${zone.name}.`;
    const record = { content: '"token"', disabled: false, name, type: "TXT", ttl: 120 };
    const rrsets = [{ name, changetype: "REPLACE", type: "TXT", kind: "Master", ttl: 120, records: [record] }];
    const { status, text } = await client.ask("PATCH", url, { rrsets });
    expect([status, text]).toEqual([204, ""]);
  });
});

test("a request with the empty object for a body, as lexicon sends every one, is read", async () => {
  const zone = await one.zone();
  const { hostname, port } = new URL(stage.selo.baseUrl);
  const { request } = await import("node:http");
  const send = (method: string, path: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { "x-api-key": one.token, "content-type": "application/json", "content-length": 2 };
      request({ hostname, port, method, path, headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on("error", reject)
        .end("{}");
    });
  expect(await send("GET", `${SERVER}/zones/${zone.name}.`)).toBe(200);
  expect(await send("PUT", `${SERVER}/zones/${zone.name}/notify`)).toBe(200);
  expect(await send("DELETE", `${SERVER}/zones/${zone.name}.`)).toBe(204);
});
