// The API of PowerDNS, as its clients know it: issue "DNS hosting II" §5.
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Customer, DnsStage, type Zone } from "./dns-stage.ts";
import { PowerDnsClient } from "./power-dns-client.ts";

let stage: DnsStage;
let one: Customer;
let zone: Zone;
let client: PowerDnsClient;
beforeAll(async () => {
  stage = await DnsStage.open();
  one = await stage.customer();
  zone = await one.zone();
  client = new PowerDnsClient(stage.selo, one.token);
});
afterAll(() => stage?.close());

test("thin", async () => {
  console.log(await client.ask("GET", "/api"));
  console.log(await client.ask("GET", "/api/v1/servers"));
  console.log((await client.ask("GET", "/api/v1/servers/localhost/zones")).text);
  console.log((await client.zone(zone.name)).text);
  const answer = await client.patch(zone.name, [
    {
      name: `_acme-challenge.${zone.name}.`,
      type: "TXT",
      ttl: 120,
      changetype: "REPLACE",
      records: [{ content: '"x y"' }],
    },
  ]);
  console.log(answer.status, answer.text);
  console.log((await client.zone(zone.name)).text);
  expect(await zone.records()).toEqual([]);
});
