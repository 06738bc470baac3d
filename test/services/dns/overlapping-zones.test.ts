// Zones below and above those of others: issue "DNS hosting I" §2.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectError } from "../../support/rest-client.ts";
import { type Customer, DnsStage, type Zone } from "./dns-stage.ts";

let stage: DnsStage;
let one: Customer;
let other: Customer;
beforeAll(async () => {
  stage = await DnsStage.open();
  [one, other] = [await stage.customer({ plan: "growth" }), await stage.customer({ plan: "growth" })];
});
afterAll(() => stage?.close());

const make = (customer: Customer, name: string) => customer.ask("POST", "/zones", { name });
const delegate = (zone: Zone, name: string, more: object = {}) =>
  zone.add({ name, type: "NS", content: "ns.example.net", ...more });

describe("a name below a zone of another organization", () => {
  test.each(["www", "a.b", "a.b.c.d"])("is refused: %s", async (relative) => {
    const zone = await one.zone();
    expectError(await make(other, `${relative}.${zone.name}`), 403, "zone_not_allowed");
  });

  test("is allowed with NS records for it", async () => {
    const zone = await one.zone();
    await delegate(zone, "sub");
    expect((await make(other, `sub.${zone.name}`)).status).toBe(201);
  });

  test("is allowed with NS records for a name between", async () => {
    const zone = await one.zone();
    await delegate(zone, "b");
    expect((await make(other, `c.a.b.${zone.name}`)).status).toBe(201);
  });

  test.each([
    ["for a name below it", "a.sub", {}],
    ["for a name beside it", "xsub", {}],
    ["that are disabled", "sub", { disabled: true }],
  ])("is refused with NS records %s", async (_, name, more) => {
    const zone = await one.zone();
    await delegate(zone, name, more);
    expectError(await make(other, `sub.${zone.name}`), 403, "zone_not_allowed");
  });

  test("is refused with records of other types there, and after the NS records are gone", async () => {
    const zone = await one.zone();
    await zone.add({ name: "sub", type: "TXT", content: "ns.example.net" });
    expectError(await make(other, `sub.${zone.name}`), 403, "zone_not_allowed");
    const { id } = await delegate(zone, "sub");
    await zone.ask("DELETE", `/records/${id}`);
    expectError(await make(other, `sub.${zone.name}`), 403, "zone_not_allowed");
  });

  test("needs the delegation of every zone above it", async () => {
    const zone = await one.zone();
    await delegate(zone, "b");
    const between = await other.zone(`b.${zone.name}`);
    const third = await stage.customer();
    expectError(await make(third, `a.${between.name}`), 403, "zone_not_allowed");
    await delegate(between, "a");
    expect((await make(third, `a.${between.name}`)).status).toBe(201);
  });
});

describe("a name above a zone of another organization", () => {
  test("is refused, however far above", async () => {
    const name = `a.b.${stage.newName()}`;
    await one.zone(name);
    for (const above of [name.replace("a.", ""), name.replace("a.b.", "")])
      expectError(await make(other, above), 403, "zone_not_allowed");
  });

  test("is allowed once that zone is deleted", async () => {
    const above = stage.newName();
    const zone = await one.zone(`a.${above}`);
    await zone.ask("DELETE");
    expect((await make(other, above)).status).toBe(201);
  });
});

test("an organization may have zones below and above its own", async () => {
  const zone = await one.zone();
  for (const name of [`a.${zone.name}`, `c.b.a.${zone.name}`, `b.a.${zone.name}`])
    expect((await make(one, name)).status).toBe(201);
});

test("names that only end or begin alike do not overlap", async () => {
  await one.zone("alike.test");
  for (const name of ["notalike.test", "alike.test.example.org", "alike-test.test", "like.test", "alike.tes"])
    expect({ name, status: (await make(other, name)).status }).toEqual({ name, status: 201 });
});

test("409 comes before the refusal of a name that also lies above a zone of another", async () => {
  const zone = await one.zone();
  await delegate(zone, "sub");
  await other.zone(`sub.${zone.name}`);
  expectError(await make(await stage.customer(), zone.name), 409, "zone_exists");
});
