// What a gateway tells the nameservers of a change, and when: issue "DNS hosting II" §3.
import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { RestResponse } from "../../support/rest-client.ts";
import { type Customer, DnsStage, NAMESERVERS, type Zone } from "./dns-stage.ts";

/** The zones of each request to one of two controls. */
const told: string[][][] = [[], []];
/** A zone that the second control does not have forgotten. */
let failing: string | null = null;

const controls = told.map((requests, place) =>
  http.createServer(async (request, response) => {
    if (request.url !== "/flush") return response.writeHead(204).end();
    const { zones } = JSON.parse(Buffer.concat(await request.toArray()).toString("utf8"));
    requests.push([...zones].sort());
    return response.writeHead(place === 1 && zones.includes(failing) ? 503 : 204).end();
  }),
);
let stage: DnsStage;
let customer: Customer;
beforeAll(async () => {
  for (const each of controls) await new Promise<void>((resolve) => each.listen(0, "127.0.0.1", resolve));
  const urls = controls.map((each) => `http://127.0.0.1:${(each.address() as AddressInfo).port}`);
  stage = await DnsStage.open(NAMESERVERS, {
    NAMESERVER_CONTROL_URLS: urls.join(","),
    NAMESERVER_CONTROL_KEY: "k".repeat(32),
  });
  customer = await stage.customer({ plan: "business" });
});
afterAll(async () => {
  await stage?.close();
  for (const each of controls) {
    each.closeAllConnections();
    each.close();
  }
});
beforeEach(() => {
  failing = null;
  for (const requests of told) requests.splice(0);
});

const confirmedBy = ({ headers }: RestResponse) => headers.get("selo-nameservers");
const isReplayed = ({ headers }: RestResponse) => headers.get("idempotent-replayed") === "true";

describe("a change that ALIAS names of other zones follow", () => {
  let zones: Zone[];
  let names: string[];
  let record: { readonly id: number };
  beforeAll(async () => {
    zones = [await customer.zone(), await customer.zone(), await customer.zone()];
    names = zones.map(({ name }) => name).sort();
    const [target, ...followers] = zones as [Zone, ...Zone[]];
    record = await target.add({ name: "www", type: "A", content: "192.0.2.1" });
    for (const each of followers) await each.add({ name: "@", type: "ALIAS", content: `www.${target.name}` });
  });
  const change = (content: string) =>
    zones[0]?.ask("PUT", `/records/${record.id}`, { content }) as Promise<RestResponse>;

  test("is one request to each nameserver, with all zones", async () => {
    expect(confirmedBy(await change("192.0.2.2"))).toBe("2/2");
    expect(told).toEqual([[names], [names]]);
  });

  test("Selo-Nameservers counts a nameserver that confirmed every zone", async () => {
    for (const { name } of zones) {
      failing = name;
      expect(confirmedBy(await change(`10.0.0.${zones.findIndex((each) => each.name === name)}`)), name).toBe("1/2");
      // So that it is not late.
      failing = null;
      expect(confirmedBy(await change("192.0.2.3"))).toBe("2/2");
    }
  });
});

describe("a repeated request", () => {
  const headers = (key: string) => ({ headers: { "idempotency-key": key } });

  test("has the nameservers told again, so that what the first one did not tell them is not left", async () => {
    const zone = await customer.zone();
    const body = { name: "www", type: "A", content: "192.0.2.1" };
    for (const requests of told) requests.splice(0);
    failing = zone.name;
    const first = await zone.ask("POST", "/records", body, headers("once"));
    expect([first.status, isReplayed(first), confirmedBy(first)]).toEqual([201, false, "1/2"]);
    failing = null;
    const second = await zone.ask("POST", "/records", body, headers("once"));
    expect([second.status, isReplayed(second), confirmedBy(second)]).toEqual([201, true, "2/2"]);
    expect(second.body).toEqual(first.body);
    expect(told).toEqual([
      [[zone.name], [zone.name]],
      [[zone.name], [zone.name]],
    ]);
  });

  test("names the zones whose ALIAS names followed the first one", async () => {
    const [target, follower] = [await customer.zone(), await customer.zone()];
    const { id } = await target.add({ name: "www", type: "A", content: "192.0.2.1" });
    await follower.add({ name: "@", type: "ALIAS", content: `www.${target.name}` });
    for (const requests of told) requests.splice(0);
    const change = () => target.ask("PUT", `/records/${id}`, { content: "192.0.2.9" }, headers("followed"));
    const both = [target.name, follower.name].sort();
    expect([isReplayed(await change()), isReplayed(await change())]).toEqual([false, true]);
    expect(told).toEqual([
      [both, both],
      [both, both],
    ]);
  });

  test("of what changed nothing tells them nothing", async () => {
    const zone = await customer.zone();
    for (const requests of told) requests.splice(0);
    const sets = { sets: [{ name: "www", type: "A", records: [{ content: "192.0.2.1" }] }], dry_run: true };
    for (const replayed of [false, true]) {
      const answer = await zone.ask("PUT", "/records", sets, headers("nothing"));
      expect([answer.status, isReplayed(answer), confirmedBy(answer)]).toEqual([200, replayed, null]);
    }
    expect(told).toEqual([[], []]);
  });
});
