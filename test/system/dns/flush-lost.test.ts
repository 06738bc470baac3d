// A gateway and its worker are killed between the commit of a change and the flush, while PowerDNS, which another process runs, goes on.
import { afterAll, beforeAll, expect, test } from "vitest";
import { byLane } from "../../support/lane.ts";
import { DnsHouse } from "./dns-house.ts";
import { CONTROL_KEY, NameserverApart } from "./nameserver-apart.ts";
import { type Relay, startRelay } from "./relay.ts";
import { dig } from "./signed-tree.ts";

/** Long before the nameserver would forget an answer by itself, which takes a minute. */
const SEEN_MS = 30_000;
const ROUNDS = byLane({ lane: 1, full: 3 });

let relay: Relay;
let house: DnsHouse;
let nameserver: NameserverApart;
beforeAll(async () => {
  nameserver = await NameserverApart.prepare();
  relay = await startRelay({ host: "127.0.0.1", port: nameserver.controlPort });
  house = await DnsHouse.open({
    hasNameserver: false,
    environment: { NAMESERVER_CONTROL_URLS: relay.url, NAMESERVER_CONTROL_KEY: CONTROL_KEY },
  });
  await nameserver.start(house);
}, 400_000);
afterAll(async () => {
  await house?.close();
  await relay?.close();
  nameserver?.remove();
});

const ask = () => nameserver.ask("www.lost.test");

test(`kill -9 between commit and flush: the change is seen after the next start`, async () => {
  const zone = await house.zone("lost.test");
  const { id } = await house.record(zone, { name: "www", type: "A", content: "192.0.2.1" });
  for (let round = 1; round <= ROUNDS; round++) {
    // Its job flushes after each change, too.
    await house.untilIdle();
    const [old] = await ask();
    const held = relay.hold();
    const content = `10.0.0.${round}`;
    const lost = house.ask("PUT", `/zones/${zone.id}/records/${id}`, { content }).then(
      ({ status }) => status,
      () => "no answer",
    );
    await held;
    await house.kill();
    expect(await lost).toBe("no answer");
    relay.release();
    // The flush is lost: without another one, the old answer would stay for a minute.
    expect(await ask()).toEqual([old]);
    await house.start();
    const began = performance.now();
    await expect.poll(ask, { timeout: SEEN_MS, interval: 20 }).toEqual([content]);
    console.log(`round ${round}: seen ${Math.round(performance.now() - began)} ms after the start`);
    // The relay passes changes again.
    await house.change("PUT", `/zones/${zone.id}/records/${id}`, { content: `10.0.1.${round}` });
    expect(await ask()).toEqual([`10.0.1.${round}`]);
  }
}, 400_000);

test(`kill -9 between a key's record and the purge: the zone is signed after the next start, and no longer after a lost disable`, async () => {
  const zone = await house.zone("keys-lost.test");
  const server = { host: "127.0.0.1", port: nameserver.port };
  const served = () => dig(server, "keys-lost.test", "DNSKEY");
  for (const [method, body] of [
    ["POST", undefined],
    ["DELETE", { confirm: true }],
  ] as const) {
    await house.untilIdle();
    const before = await served();
    const held = relay.hold();
    const lost = house.ask(method, `/zones/${zone.id}/dnssec`, body).then(
      ({ status }) => status,
      () => "no answer",
    );
    await held;
    await house.kill();
    expect(await lost).toBe("no answer");
    relay.release();
    // The purge is lost.
    expect(await served()).toEqual(before);
    await house.start();
    const { keys } = (await house.ask("GET", `/zones/${zone.id}/dnssec`)).body;
    expect(keys).toHaveLength(method === "POST" ? 1 : 0);
    await expect
      .poll(served, { timeout: SEEN_MS, interval: 20 })
      .toEqual(keys.map(({ dnskey }: { dnskey: string }) => dnskey));
  }
}, 400_000);
