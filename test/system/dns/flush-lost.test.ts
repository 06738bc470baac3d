// A gateway and its worker are killed between the commit of a change and the flush, while PowerDNS, which another process runs, goes on.
import { afterAll, beforeAll, expect, test } from "vitest";
import { byLane } from "../../support/lane.ts";
import { DnsDeployment } from "./dns-deployment.ts";
import { CONTROL_KEY, NameserverApart } from "./nameserver-apart.ts";
import { type Relay, startRelay } from "./relay.ts";
import { dig } from "./signed-tree.ts";

/** Long before the nameserver would forget an answer by itself, which takes a minute. */
const SEEN_MS = 30_000;
const ROUNDS = byLane({ lane: 1, full: 3 });

let relay: Relay;
let deployment: DnsDeployment;
let nameserver: NameserverApart;
beforeAll(async () => {
  nameserver = await NameserverApart.prepare();
  relay = await startRelay({ host: "127.0.0.1", port: nameserver.controlPort });
  deployment = await DnsDeployment.open({
    hasNameserver: false,
    environment: { NAMESERVER_CONTROL_URLS: relay.url, NAMESERVER_CONTROL_KEY: CONTROL_KEY },
  });
  await nameserver.start(deployment);
}, 400_000);
afterAll(async () => {
  await deployment?.close();
  await relay?.close();
  nameserver?.remove();
});

const ask = () => nameserver.ask("www.lost.test");

test(`kill -9 between commit and flush: the change is seen after the next start`, async () => {
  const zone = await deployment.zone("lost.test");
  const { id } = await deployment.record(zone, { name: "www", type: "A", content: "192.0.2.1" });
  for (let round = 1; round <= ROUNDS; round++) {
    // Its job flushes after each change, too.
    await deployment.untilIdle();
    const [old] = await ask();
    const held = relay.hold();
    const content = `10.0.0.${round}`;
    const lost = deployment.ask("PUT", `/zones/${zone.id}/records/${id}`, { content }).then(
      ({ status }) => status,
      () => "no answer",
    );
    await held;
    await deployment.kill();
    expect(await lost).toBe("no answer");
    relay.release();
    // The flush is lost: without another one, the old answer would stay for a minute.
    expect(await ask()).toEqual([old]);
    await deployment.start();
    const began = performance.now();
    await expect.poll(ask, { timeout: SEEN_MS, interval: 20 }).toEqual([content]);
    console.log(`round ${round}: seen ${Math.round(performance.now() - began)} ms after the start`);
    // The relay passes changes again.
    await deployment.change("PUT", `/zones/${zone.id}/records/${id}`, { content: `10.0.1.${round}` });
    expect(await ask()).toEqual([`10.0.1.${round}`]);
  }
}, 400_000);

test(`kill -9 between a key's record and the purge: the zone is signed after the next start, and no longer after a lost disable`, async () => {
  const zone = await deployment.zone("keys-lost.test");
  const server = { host: "127.0.0.1", port: nameserver.port };
  const served = () => dig(server, "keys-lost.test", "DNSKEY");
  for (const [method, body] of [
    ["POST", undefined],
    ["DELETE", { confirm: true }],
  ] as const) {
    await deployment.untilIdle();
    const before = await served();
    const held = relay.hold();
    const lost = deployment.ask(method, `/zones/${zone.id}/dnssec`, body).then(
      ({ status }) => status,
      () => "no answer",
    );
    await held;
    await deployment.kill();
    expect(await lost).toBe("no answer");
    relay.release();
    // The purge is lost.
    expect(await served()).toEqual(before);
    await deployment.start();
    const { keys } = (await deployment.ask("GET", `/zones/${zone.id}/dnssec`)).body;
    expect(keys).toHaveLength(method === "POST" ? 1 : 0);
    await expect
      .poll(served, { timeout: SEEN_MS, interval: 20 })
      .toEqual(keys.map(({ dnskey }: { dnskey: string }) => dnskey));
  }
}, 400_000);
