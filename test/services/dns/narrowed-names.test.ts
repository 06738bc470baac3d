// Narrowed keys where the name of a zone passes to another organization, or is asked for: issue "DNS hosting II" §2 and §5.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { issueKey, type Narrowing } from "../../../src/services/dns/store.ts";
import { countRows, expectError } from "../../support/rest-client.ts";
import { DelegationStage } from "./delegation-stage.ts";
import { Customer, type Zone } from "./dns-stage.ts";
import { PowerDnsClient } from "./power-dns-client.ts";

let stage: DelegationStage;
let holder: Customer;
let taken: Zone;
let other: Zone;
beforeAll(async () => {
  stage = await DelegationStage.open();
  holder = await stage.dns.customer({ plan: "business" });
  [taken, other] = [await holder.zone(), await holder.zone()];
  await taken.add({ name: "www", type: "A", content: "192.0.2.1" });
});
afterAll(() => stage?.close());

async function narrowed(narrowing: Narrowing): Promise<Customer> {
  const { secret } = await issueKey(stage.dns.selo.operator, holder.organization.id, "narrow", null, narrowing);
  return new Customer(stage.dns, holder.organization, secret);
}
const NARROWINGS: [what: string, narrowing: () => Narrowing][] = [
  ["another zone", () => ({ zones: [other.body.id] })],
  ["TXT records of _acme-challenge", () => ({ acmeOnly: true })],
  ["TXT records of _acme-challenge in the zone", () => ({ zones: [taken.body.id], acmeOnly: true })],
];

describe("the export of a zone whose name another organization took", () => {
  let keys: Customer[];
  let own: Customer;
  beforeAll(async () => {
    // A key is narrowed to zones that are there.
    keys = await Promise.all(NARROWINGS.map(([, narrowing]) => narrowed(narrowing())));
    own = await narrowed({ zones: [taken.body.id] });
    const owner = await stage.dns.customer({ plan: "business" });
    const { detail } = (await owner.ask("POST", "/zones", { name: taken.name })).body;
    const [, record = "", content = ""] = /TXT record (\S+) with the content "([^"]+)"/.exec(detail) ?? [];
    stage.world.texts.set(record, [content]);
    expect((await owner.ask("POST", "/zones", { name: taken.name })).status).toBe(201);
  });
  const file = (customer: Customer) => customer.ask("GET", `/zones/${taken.body.id}/export`);

  test.each(NARROWINGS.map(([what], place) => [what, place] as const))(
    "is 403 forbidden for a key of %s",
    async (_, place) => {
      expectError(await file(keys[place] as Customer), 403, "forbidden");
    },
  );

  test("is there for a key of that zone, and for a key of all zones", async () => {
    for (const customer of [own, holder]) {
      const { status, text } = await file(customer);
      expect(status).toBe(200);
      expect(text).toContain("www 3600 IN A 192.0.2.1");
    }
  });
});

describe("a narrowed key that asks for a new zone is 403 forbidden, and the public DNS is not asked", () => {
  test.each([
    ["zones", () => ({ zones: [other.body.id] })],
    ["TXT records of _acme-challenge", () => ({ acmeOnly: true })],
  ] satisfies [string, () => Narrowing][])("a key of %s", async (_, narrowing) => {
    const customer = await narrowed(narrowing());
    const name = stage.dns.newName();
    const rows = await countRows(stage.dns.selo);
    expectError(await customer.ask("POST", "/zones", { name }), 403, "forbidden");
    const client = new PowerDnsClient(stage.dns.selo, customer.token);
    expect((await client.create({ name: `${name}.`, kind: "Native" })).status).toBe(403);
    expect(await countRows(stage.dns.selo)).toEqual(rows);
    expect(stage.world.asked(`NS ${name}`)).toBe(0);
    // A key of all zones asks it.
    expect((await holder.ask("POST", "/zones", { name })).status).toBe(201);
    expect(stage.world.asked(`NS ${name}`)).toBeGreaterThan(0);
  });
});
