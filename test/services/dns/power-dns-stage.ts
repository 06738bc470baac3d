// One gateway, one customer and his client of PowerDNS for all tests of a file.
import { afterAll, beforeAll } from "vitest";
import { type Customer, DnsStage } from "./dns-stage.ts";
import { PowerDnsClient } from "./power-dns-client.ts";

/** The stage of the file whose tests run. */
export let stage: DnsStage;
export let one: Customer;
export let client: PowerDnsClient;

/** @param plan of the customer */
export function setUpPowerDns(plan?: string): void {
  beforeAll(async () => {
    stage = await DnsStage.open();
    one = await stage.customer(plan === undefined ? {} : { plan });
    client = new PowerDnsClient(stage.selo, one.token);
  });
  afterAll(() => stage?.close());
}
