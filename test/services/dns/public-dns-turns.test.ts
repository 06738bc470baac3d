// Organizations take turns at the public DNS: the silent zones of one keep no other waiting. Issue "DNS hosting II" §2.
import { afterAll, beforeAll, expect, test } from "vitest";
import { issueKey } from "../../../src/services/dns/store.ts";
import { PARENTS } from "../../support/dns-world.ts";
import { expectError } from "../../support/rest-client.ts";
import { DelegationStage } from "./delegation-stage.ts";
import { Customer, type Zone } from "./dns-stage.ts";

/** What runs or waits of one organization. */
const MOST = 50;

let stage: DelegationStage;
let hostile: Customer;
let other: Customer;
let silent: Zone;
let zone: Zone;
beforeAll(async () => {
  stage = await DelegationStage.open();
  hostile = await stage.dns.customer({ plan: "business" });
  other = await stage.dns.customer({ plan: "business" });
  [silent, zone] = [await hostile.zone(), await other.zone()];
});
afterAll(() => stage?.close());

test("another organization is answered within its time, and too many requests of one are 503 unavailable", async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  for (const address of ["127.0.0.1", ...Object.values(PARENTS)])
    stage.world.servers.set(address, async (asked) => {
      if (asked.name === silent.name) await held;
      return stage.world.honest(address, asked);
    });
  // Two keys of one organization have no more than one.
  const { secret } = await issueKey(stage.dns.selo.operator, hostile.organization.id, "second");
  const keys = [hostile, new Customer(stage.dns, hostile.organization, secret)];
  const asking = Array.from({ length: MOST + 10 }, (_, place) => {
    const customer = keys[place % 2] as Customer;
    return customer.ask("GET", `/zones/${silent.body.id}/setup`);
  });
  try {
    const refused = await Promise.race(asking);
    expectError(refused, 503, "unavailable");
    expect(refused.headers.get("retry-after")).toBe("5");
    for (const answer of await Promise.all([
      silent.ask("POST", "/check-delegation"),
      hostile.ask("POST", "/zones", { name: stage.dns.newName() }),
    ]))
      expectError(answer, 503, "unavailable");
    // Neither a check, nor a setup, nor a new zone of the other one waits.
    const began = performance.now();
    stage.world.delegate(zone.name, zone.body.nameservers);
    expect(await stage.status(zone)).toBe("active");
    expect((await zone.ask("GET", "/setup")).status).toBe(200);
    await other.zone();
    expect(performance.now() - began).toBeLessThan(5_000);
  } finally {
    release();
  }
  const statuses = (await Promise.all(asking)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(MOST);
  expect(statuses.filter((status) => status === 503)).toHaveLength(10);
  stage.world.servers.clear();
});
