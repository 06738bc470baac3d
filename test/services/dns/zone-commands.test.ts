// `selo zone list | create | delete | records | restore`, against the real gateway: issue "DNS hosting I" §4.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { runSelo } from "./command-line.ts";
import type { RecordBody, ZoneBody } from "./dns-stage.ts";
import { ZoneCommandStage } from "./zone-command-stage.ts";

let stage: ZoneCommandStage;
beforeAll(async () => {
  stage = await ZoneCommandStage.open();
});
afterAll(() => stage?.close());

describe("zone create, list and delete", () => {
  test("create prints the nameservers and what to do at the registrar", async () => {
    const name = stage.dns.newName();
    const text = await stage.said("create", `${name.toUpperCase()}.`);
    const [zone] = (await stage.json<ZoneBody[]>("list")).filter((each) => each.name === name);
    expect(text).toContain(`Created ${name} with the id ${zone?.id}.`);
    expect(text).toMatch(/At the registrar/);
    expect(zone?.nameservers).toHaveLength(2);
    for (const each of zone?.nameservers ?? []) expect(text).toContain(`  ${each}\n`);
  });

  test("--json is the answer as it came", async () => {
    const made = await stage.json<ZoneBody>("create", stage.dns.newName());
    expect((await stage.customer.ask("GET", `/zones/${made.id}`)).body).toEqual(made);
    expect(await stage.json("list")).toEqual((await stage.customer.ask("GET", "/zones")).body);
  });

  test("list is a table for people", async () => {
    const { name, body } = await stage.customer.zone();
    const servers = body.nameservers?.join(" ");
    expect(await stage.said("list")).toMatch(
      new RegExp(`^id +name +status +nameservers\\n[^]*^${body.id} +${name} +pending +${servers}$`, "m"),
    );
    const nobody = await stage.dns.customer();
    expect((await stage.run(["list"], { SELO_DNS_KEY: nobody.token })).stdout).toBe("no zones\n");
  });

  test("delete finds the zone by its name, and needs --yes on a terminal", async () => {
    const zone = await stage.customer.zone();
    Object.defineProperty(process.stdout, "isTTY", { value: true, configurable: true });
    onTestFinished(() => void Reflect.deleteProperty(process.stdout, "isTTY"));
    const { code, stdout, stderr } = await stage.run(["delete", zone.name]);
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: "", stderr: expect.stringContaining("add --yes") });
    expect((await zone.ask("GET")).status).toBe(200);
    expect(await stage.said("delete", zone.name, "--yes")).toBe(`Deleted ${zone.name}.\n`);
    expect((await zone.ask("GET")).status).toBe(404);
  });

  test("delete needs no --yes in a pipe", async () => {
    const zone = await stage.customer.zone();
    expect(await stage.json("delete", `${zone.name}.`)).toEqual(zone.body);
    expect((await zone.ask("GET")).status).toBe(404);
  });

  test("an internationalized name is found in both its forms", async () => {
    const zone = await stage.customer.zone("bücher.test");
    expect(zone.name).toBe("xn--bcher-kva.test");
    expect(await stage.said("records", "Bücher.test")).toBe("no records\n");
    expect(await stage.said("records", zone.name)).toBe("no records\n");
  });
});

describe("zone records", () => {
  test("prints records by name and type, with their state and comment", async () => {
    const zone = await stage.filled();
    const { id } = await zone.add({ name: "old", type: "A", content: "192.0.2.9", comment: "until May" });
    await zone.ask("PUT", `/records/${id}`, { disabled: true });
    const lines = (await stage.said("records", zone.name)).split("\n").map((line) => line.replaceAll(/ +/g, " "));
    expect(lines[0]).toBe("id name ttl type priority state content");
    expect(lines).toContain(`${id} old.${zone.name} 3600 A - disabled 192.0.2.9 ; until May`);
    expect(lines.find((line) => line.includes(" MX "))).toContain(` 3600 MX 10 enabled mail.${zone.name}`);
    expect(await stage.json("records", zone.name)).toEqual(await zone.records());
  });

  test("of a name and a type", async () => {
    const zone = await stage.filled();
    const of = async (...words: string[]) =>
      (await stage.json<RecordBody[]>("records", zone.name, ...words)).map(({ type }) => type);
    expect(await of("--name", "www")).toEqual(["A", "AAAA"]);
    expect(await of("--name", `www.${zone.name}`, "--type", "aaaa")).toEqual(["AAAA"]);
    expect(await of("--name", "@")).toEqual(["MX"]);
    expect(await stage.said("records", zone.name, "--name", "nothing")).toBe("no records\n");
  });
});

describe("dns-key create", () => {
  const create = (...words: string[]) =>
    runSelo(["dns-key", "create", "--org", stage.customer.organization.id, "--name", "narrow", ...words], {
      SELO_DATA_DIR: stage.folder,
      DATABASE_URL: stage.dns.selo.database.appUrl,
      DATABASE_ADMIN_URL: stage.dns.selo.database.adminUrl,
    });

  test("narrows a key to zones and to TXT records of _acme-challenge, with the documented members", async () => {
    const [one, other] = [await stage.customer.zone(), await stage.customer.zone()];
    const { code, stdout } = await create("--zones", `${other.body.id}, ${one.body.id}`, "--acme-only", "--json");
    expect(code).toBe(0);
    const made = JSON.parse(stdout);
    const members = [
      "id",
      "name",
      "prefix",
      "scopes",
      "zones",
      "acme_only",
      "created_at",
      "last_used_at",
      "revoked_at",
      "secret",
    ];
    expect(Object.keys(made)).toEqual(members);
    expect(made).toMatchObject({ zones: [one.body.id, other.body.id], acme_only: true });
    const whole = JSON.parse((await create("--json")).stdout);
    expect(whole).toMatchObject({ zones: null, acme_only: false });
  });

  test.each([["a"], ["0"], ["1,b"], ["-1"], ["999999999"], [","]])("to the zones %s is refused", async (zones) => {
    const { code, stdout, stderr } = await create("--zones", zones);
    expect({ code, stdout, stderr }).toEqual({
      code: expect.toSatisfy((ended) => ended > 0),
      stdout: "",
      stderr: expect.stringMatching(/zones/),
    });
  });
});

describe("zone restore", () => {
  const restore = (...words: string[]) =>
    stage.run(["restore", ...words], {
      DATABASE_URL: stage.dns.selo.database.appUrl,
      DATABASE_ADMIN_URL: stage.dns.selo.database.adminUrl,
    });

  test("makes a deleted zone again with its records, for the operator", async () => {
    const zone = await stage.filled();
    const before = (await zone.records()).map(({ name, type, content }) => [name, type, content]);
    await stage.said("delete", zone.name);
    const words = [zone.name.toUpperCase(), "--org", String(stage.customer.organization.number)];
    const { code, stdout } = await restore(...words);
    expect(code).toBe(0);
    const id = Number(/^Restored with 4 records. Its id is (\d+).\n$/.exec(stdout)?.[1]);
    const { body } = await stage.customer.ask("GET", `/zones/${id}/records`);
    expect(body.map(({ name, type, content }: RecordBody) => [name, type, content])).toEqual(before);
    expect(await restore(...words)).toEqual({ code: 1, stdout: "", stderr: expect.stringMatching(/^not_found: /) });
  });

  test("of an organization that did not delete it is refused", async () => {
    const zone = await stage.filled();
    await stage.said("delete", zone.name);
    const other = await stage.dns.customer();
    const { code, stderr } = await restore(zone.name, "--org", other.organization.id);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^not_found: /) });
  });
});
