// GET …/setup: dns-hosting §2, issue "DNS hosting II" §1.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../../support/rest-client.ts";
import { DelegationStage, FOREIGN } from "./delegation-stage.ts";
import type { Customer, Zone } from "./dns-stage.ts";

let stage: DelegationStage;
let customer: Customer;
let brazilian: Customer;
beforeAll(async () => {
  stage = await DelegationStage.open();
  customer = await stage.dns.customer();
  brazilian = await stage.dns.customer({ language: "pt-BR" });
});
afterAll(() => stage?.close());

const setup = (zone: Zone, languages?: string) =>
  zone.ask("GET", "/setup", undefined, languages === undefined ? {} : { headers: { "accept-language": languages } });
const done = (body: { instructions: readonly { done: boolean }[] }) => body.instructions.map((each) => each.done);

describe("GET …/setup", () => {
  test("of a new zone: nothing is done", async () => {
    const zone = await customer.zone();
    stage.world.delegate(zone.name, FOREIGN);
    const { status, body, headers } = await setup(zone);
    const [one, other] = zone.body.nameservers ?? [];
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        assigned_ns: zone.body.nameservers,
        current_ns: FOREIGN,
        delegated: false,
        parent_ns: FOREIGN,
        parent_ds: [],
        ds_to_publish: [],
        instructions: [
          {
            step: 1,
            title: "Bring your records",
            text: expect.stringMatching(
              /quick scan .*, import the zone file .* one by one\. A quick scan never finds everything/,
            ),
            done: false,
          },
          {
            step: 2,
            title: "Change the nameservers",
            text: `Where the domain is registered, replace all its nameservers with these two: ${one} and ${other}. Leave none of the old ones. Now the domain points to: ${FOREIGN.join(", ")}.`,
            done: false,
          },
          {
            step: 3,
            title: "Wait until the change is seen",
            text: expect.stringContaining("every five minutes"),
            done: false,
          },
        ],
      },
    });
    expect(headers.get("content-language")).toBe("en");
  });

  test("marks what is done: records, the delegation, and that the zone is active", async () => {
    const zone = await customer.zone();
    await zone.add({ name: "@", type: "A", content: "192.0.2.1" });
    expect(done((await setup(zone)).body)).toEqual([true, false, false]);
    stage.world.delegate(zone.name, zone.body.nameservers);
    const { body } = await setup(zone);
    expect({ ...body, instructions: done(body) }).toMatchObject({ delegated: true, instructions: [true, true, false] });
    // It asks, and writes nothing.
    expect((await zone.ask("GET")).body).toEqual(zone.body);
    await stage.active(zone);
    expect(done((await setup(zone)).body)).toEqual([true, true, true]);
  });

  test("says null where nobody answered, and an empty list for a name that is not there", async () => {
    const zone = await customer.zone();
    expect((await setup(zone)).body).toMatchObject({ current_ns: [], parent_ns: [], delegated: false });
    for (const known of [stage.world.resolved, stage.world.referrals]) known.set(zone.name, "fails");
    expect((await setup(zone)).body).toMatchObject({
      current_ns: null,
      parent_ns: null,
      parent_ds: null,
      delegated: false,
    });
  });

  test("shows what the resolver says while two servers of the parent differ", async () => {
    const zone = await customer.zone();
    stage.world.referrals.set(zone.name, { "a.nic.test": [], "b.nic.test": FOREIGN, "c.nic.test": ["ns.test"] });
    stage.world.resolved.set(zone.name, FOREIGN);
    expect((await setup(zone)).body).toMatchObject({ current_ns: FOREIGN, parent_ns: null, delegated: false });
  });

  test("has a step for a DS record that the present provider left at the parent", async () => {
    const zone = await customer.zone();
    stage.world.delegate(zone.name, FOREIGN);
    stage.world.ds.set(zone.name, [{ keyTag: 1, algorithm: 13, digestType: 2, digest: Buffer.alloc(32) }]);
    const { body } = await setup(zone);
    expect(body.instructions.map(({ title }: { title: string }) => title)).toEqual([
      "Bring your records",
      "Remove the old DS record",
      "Change the nameservers",
      "Wait until the change is seen",
    ]);
    expect(body.parent_ds).toEqual([`1 13 2 ${"00".repeat(32)}`]);
    expect(body.instructions[1].text).toContain("wait a day before you change the nameservers");
    // Where the nameservers are changed already, there is nothing to wait for.
    stage.world.delegate(zone.name, zone.body.nameservers);
    for (const [language, text] of [
      [
        "en",
        "The registry publishes a DS record that belongs to no key of the zone. Remove it where the domain is registered: while it is there, many people cannot reach the domain.",
      ],
      [
        "pt-BR",
        "A zona pai publica um registro DS que não é de nenhuma chave da zona. Remova esse registro onde o domínio foi registrado: enquanto ele estiver lá, muita gente não consegue acessar o domínio.",
      ],
    ] as const)
      expect((await setup(zone, language)).body.instructions[1]).toMatchObject({ step: 2, text, done: false });
  });

  test("names nobody where the service has no nameservers", async () => {
    const zone = await customer.zone();
    await stage.dns.rows("update dns.zones set nameservers = null where id = $1", [zone.body.id]);
    const { body } = await setup(zone);
    expect(body).toMatchObject({ assigned_ns: [], delegated: false });
    expect(body.instructions[1]).toMatchObject({ title: "Ask for nameservers", done: false });
  });

  test("needs the scope zone:read alone, and a zone of the organization", async () => {
    const zone = await customer.zone();
    const key = await customer.key(["zone:read"]);
    expect((await zone.ask("GET", "/setup", undefined, { token: key })).status).toBe(200);
    const others = await customer.key(["zone:write", "record:read", "record:write"]);
    expectError(await zone.ask("GET", "/setup", undefined, { token: others }), 403, "missing_scope");
    expectError(await brazilian.ask("GET", `/zones/${zone.body.id}/setup`), 404, "not_found");
    for (const id of ["0", "x", "99999999999"])
      expectError(await customer.ask("GET", `/zones/${id}/setup`), 404, "not_found");
  });
});

describe("the language", () => {
  const titleIn = async (zone: Zone, languages?: string) => {
    const { body, headers } = await setup(zone, languages);
    return [headers.get("content-language"), body.instructions[1].title];
  };

  test.each([
    [undefined, "en"],
    ["pt-BR", "pt-BR"],
    ["pt", "pt-BR"],
    ["pt-PT, en;q=0.5", "pt-BR"],
    ["fr, en-GB;q=0.4, pt;q=0.6", "pt-BR"],
    ["en-US,en;q=0.9,pt;q=0.8", "en"],
    ["fr", "en"],
    ["*", "en"],
    ["pt;q=0", "en"],
    [",;;q=", "en"],
    ["x".repeat(5_000), "en"],
  ])("is that of Accept-Language: %s is %s", async (languages, language) => {
    const title = language === "en" ? "Change the nameservers" : "Troque os servidores DNS";
    expect(await titleIn(await customer.zone(), languages)).toEqual([language, title]);
  });

  test("is else that of the organization", async () => {
    const zone = await brazilian.zone();
    expect(await titleIn(zone)).toEqual(["pt-BR", "Troque os servidores DNS"]);
    expect(await titleIn(zone, "fr")).toEqual(["pt-BR", "Troque os servidores DNS"]);
    expect(await titleIn(zone, "en")).toEqual(["en", "Change the nameservers"]);
  });
});

describe("dnsSetup of GraphQL", () => {
  const SETUP = "assignedNs currentNs delegated parentNs parentDs dsToPublish instructions { step title text done }";
  const ask = (zone: Zone, languages?: string, asker = zone.customer) =>
    asker.graphql(
      `{ dnsSetup(zoneId: "${zone.body.id}") { ${SETUP} } }`,
      {},
      languages === undefined ? {} : { "accept-language": languages },
    );

  test("answers what REST answers, in the language of Accept-Language, else of the organization", async () => {
    const zone = await brazilian.zone();
    stage.world.delegate(zone.name, FOREIGN);
    for (const languages of [undefined, "en", "fr, pt;q=0.5"]) {
      const { data, headers } = await ask(zone, languages);
      const { body, headers: ofRest } = await setup(zone, languages);
      const { assigned_ns, current_ns, delegated, parent_ns, parent_ds, ds_to_publish, instructions } = body;
      expect(data?.["dnsSetup"]).toEqual({
        assignedNs: assigned_ns,
        currentNs: current_ns,
        delegated,
        parentNs: parent_ns,
        parentDs: parent_ds,
        dsToPublish: ds_to_publish,
        instructions,
      });
      expect(headers.get("content-language")).toBe(ofRest.get("content-language"));
      expect(instructions[1].title).toMatch(languages === "en" ? /^Change/ : /^Troque/);
    }
  });

  test("of another organization's zone is not found", async () => {
    const { data, errors } = await ask(await brazilian.zone(), undefined, customer);
    expect([data, errors[0]?.extensions.code]).toEqual([{ dnsSetup: null }, "not_found"]);
  });

  test("is asked once in a document, under any name, and beside no export: nothing is asked of the public DNS then", async () => {
    const zone = await customer.zone();
    const field = `dnsSetup(zoneId: "${zone.body.id}") { delegated }`;
    let asked = 0;
    stage.world.servers.set("127.0.0.1", async (question) => {
      asked++;
      return stage.world.honest("127.0.0.1", question);
    });
    try {
      for (const document of [
        `{ a: ${field} b: ${field} }`,
        `{ ${field} dnsZoneExport(zoneId: "${zone.body.id}") }`,
        `{ ${field} ...More } fragment More on Query { b: ${field} }`,
      ]) {
        const { status, data, errors } = await customer.graphql(document);
        expect({ status, data, errors: errors.map(({ extensions }) => extensions) }).toMatchObject({
          status: 400,
          data: undefined,
          errors: [
            {
              code: "invalid_request",
              fields: [{ field: "query", message: "must have only one field of dnsSetup, dnsZoneExport" }],
            },
          ],
        });
      }
      expect(asked).toBe(0);
      expect((await customer.graphql(`{ a: ${field} dnsZone(id: ${zone.body.id}) { id } }`)).errors).toEqual([]);
      expect(asked).toBeGreaterThan(0);
    } finally {
      stage.world.servers.clear();
    }
  });
});
