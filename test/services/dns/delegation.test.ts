// Whether the public DNS delegates a zone to its nameservers: dns-hosting §3.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DnsWorld } from "../../support/dns-world.ts";
import { type Customer, DnsStage, NAMESERVERS } from "./dns-stage.ts";

let world: DnsWorld;
let stage: DnsStage;
let customer: Customer;
beforeAll(async () => {
  world = await DnsWorld.start();
  stage = await DnsStage.open(NAMESERVERS, world.environment);
  customer = await stage.customer({ plan: "growth" });
});
afterAll(async () => {
  await stage?.close();
  await world?.close();
});

test("a zone that its parent delegates to its nameservers becomes active", async () => {
  const zone = await customer.zone();
  expect(zone.body).toMatchObject({ status: "pending", checked_at: null });
  world.delegate(zone.name, zone.body.nameservers);
  const { status, body } = await zone.ask("POST", "/check-delegation");
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { ...zone.body, status: "active", checked_at: expect.any(String) },
  });
  expect((await zone.ask("GET")).body).toEqual(body);
});
