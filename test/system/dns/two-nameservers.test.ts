// Two nameservers on one Postgres, of which one is away: a change is answered, says so, and the other answers with it when it is back.
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { RecordBody, ZoneBody } from "../../services/dns/dns-stage.ts";
import type { DnssecBody } from "../../services/dns/dnssec-stage.ts";
import type { RestResponse } from "../../support/rest-client.ts";
import { confirmedBy, DnsDeployment } from "./dns-deployment.ts";
import { CONTROL_KEY, NameserverApart } from "./nameserver-apart.ts";
import { type Relay, startRelay } from "./relay.ts";
import { dig } from "./signed-tree.ts";

/** A change waits two seconds for a nameserver that hangs. On any machine, one that took less has not waited. */
const WAITED_MS = 1_900;
/** Longer than the waits between attempts of the job (graphile-worker: exp(attempts) seconds), and shorter than the minute that caches last. */
const SOON_MS = 40_000;

let near: NameserverApart;
let far: NameserverApart;
/** Before the control of the far one. */
let relay: Relay;
let deployment: DnsDeployment;
let zone: ZoneBody;
let record: RecordBody;
let changes = 0;
beforeAll(async () => {
  near = await NameserverApart.prepare();
  far = await NameserverApart.prepare();
  relay = await startRelay({ host: "127.0.0.1", port: far.controlPort });
  deployment = await DnsDeployment.open({
    hasNameserver: false,
    environment: {
      NAMESERVER_CONTROL_URLS: `http://127.0.0.1:${near.controlPort},${relay.url}`,
      NAMESERVER_CONTROL_KEY: CONTROL_KEY,
    },
  });
  await Promise.all([near.start(deployment), far.start(deployment)]);
  zone = await deployment.zone("two.test", "2/2");
  record = await deployment.record(zone, { name: "www", type: "A", content: "192.0.2.1" }, "2/2");
}, 400_000);
afterAll(async () => {
  await deployment?.close();
  await relay?.close();
  near?.remove();
  far?.remove();
});
beforeEach(async () => {
  // Both have the present answer in their caches, and no job of an earlier change flushes them.
  await deployment.untilIdle();
  expect(await far.ask("www.two.test")).toEqual(await near.ask("www.two.test"));
});

/** Gives the record another address. */
async function change(): Promise<{ readonly answer: RestResponse; readonly address: string; readonly ms: number }> {
  changes++;
  const address = `10.2.0.${changes}`;
  const began = performance.now();
  const answer = await deployment.ask("PUT", `/zones/${zone.id}/records/${record.id}`, { content: address });
  expect(answer).toMatchObject({ status: 200, body: { content: address } });
  return { answer, address, ms: performance.now() - began };
}

/** The condition is outside of this process, so there is no event to await. */
const untilFarSays = (name: string, served: readonly string[] | string) =>
  expect.poll(() => far.ask(name).catch(() => null), { timeout: SOON_MS, interval: 50 }).toEqual(served);

test("both are here: Selo-Nameservers is 2/2, and both answer with the change", async () => {
  const { answer, address } = await change();
  expect(confirmedBy(answer)).toBe("2/2");
  expect(await near.ask("www.two.test")).toEqual([address]);
  expect(await far.ask("www.two.test")).toEqual([address]);
});

test("a zone that is signed, given a second key, rid of the first one and signed no longer has the same keys on both, at the first question after each response", async () => {
  const signed = await deployment.zone("signed.test", "2/2");
  // dig, as those who check the keys have it.
  const keysOf = ({ port }: NameserverApart) => dig({ host: "127.0.0.1", port }, "signed.test", "DNSKEY");
  const both = async () => Promise.all([near, far].map(keysOf));
  const change = async (method: string, path = "", body?: object) => {
    const { body: answer } = await deployment.change(method, `/zones/${signed.id}/dnssec${path}`, body, "2/2");
    const served = await both();
    const keys = ((answer?.keys ?? []) as DnssecBody["keys"]).map(({ dnskey }) => dnskey).sort();
    expect(served, `${method} ${path}`).toEqual([keys, keys]);
    return answer as DnssecBody;
  };
  // Both have cached that the zone has no keys.
  expect(await both()).toEqual([[], []]);
  expect((await change("POST")).keys).toHaveLength(1);
  const { keys } = await change("POST", "/rotate");
  expect(keys).toHaveLength(2);
  const left = await change("DELETE", `/keys/${keys[0]?.key_id}`);
  expect(left.keys.map(({ key_id }) => key_id)).toEqual([keys[1]?.key_id]);
  expect((await change("DELETE", "", { confirm: true })).keys).toEqual([]);
}, 400_000);

test("one cannot be reached: 200 with 1/2 after two seconds, and the job has it answer with the change when it can", async () => {
  const [old] = await far.ask("www.two.test");
  const held = relay.hold();
  const first = await change();
  await held;
  expect(confirmedBy(first.answer)).toBe("1/2");
  expect(first.ms).toBeGreaterThan(WAITED_MS);
  // The other one did not wait for it. This one still has the old answer: nothing but a flush changes that within the minute.
  expect(await near.ask("www.two.test")).toEqual([first.address]);
  expect(await far.ask("www.two.test")).toEqual([old]);
  // A new zone, too. The far one does not know it.
  const made = await deployment.ask("POST", "/zones", { name: "made.test" });
  expect({ status: made.status, confirmed: confirmedBy(made) }).toEqual({ status: 201, confirmed: "1/2" });
  const www = { name: "www", type: "A", content: "192.0.2.7" };
  expect(confirmedBy(await deployment.ask("POST", `/zones/${made.body.id}/records`, www))).toBe("1/2");
  expect(await near.ask("www.made.test")).toEqual(["192.0.2.7"]);
  expect(await far.ask("www.made.test")).toBe("REFUSED");
  relay.release();
  await untilFarSays("www.two.test", [first.address]);
  await untilFarSays("www.made.test", ["192.0.2.7"]);
  // It was late three times: late-nameserver.test.ts.
  await expect.poll(async () => confirmedBy((await change()).answer), { interval: 50 }).toBe("2/2");
}, 400_000);

test("one was killed: 200 with 1/2 at once, and it begins with the change", async () => {
  await far.kill();
  const [first, { answer, address, ms }] = [await change(), await change()];
  expect([first.answer, answer].map(confirmedBy)).toEqual(["1/2", "1/2"]);
  // A busy machine may take its time for one of them.
  expect(Math.min(first.ms, ms)).toBeLessThan(WAITED_MS);
  expect(await near.ask("www.two.test")).toEqual([address]);
  await far.start(deployment);
  expect(await far.ask("www.two.test")).toEqual([address]);
  const next = await change();
  expect(confirmedBy(next.answer)).toBe("2/2");
  expect(await far.ask("www.two.test")).toEqual([next.address]);
}, 400_000);

test("the PowerDNS of one hangs: 200 with 1/2 after two seconds, and it answers with the change when it goes on", async () => {
  await change();
  await far.ask("www.two.test");
  const stopped = far.powerDnsPid();
  process.kill(stopped, "SIGSTOP");
  let address: string;
  try {
    const late = await change();
    ({ address } = late);
    expect(confirmedBy(late.answer)).toBe("1/2");
    expect(await near.ask("www.two.test")).toEqual([address]);
  } finally {
    process.kill(stopped, "SIGCONT");
  }
  await untilFarSays("www.two.test", [address]);
  // The same process: its caches are those from before.
  expect(far.powerDnsPid()).toBe(stopped);
}, 400_000);

test("the PowerDNS of one was stopped while nobody could tell it anything: it goes on with the change, though no attempt of the job is left", async () => {
  await far.ask("www.two.test");
  const stopped = far.powerDnsPid();
  const held = relay.hold();
  process.kill(stopped, "SIGSTOP");
  let address: string;
  try {
    const late = await change();
    ({ address } = late);
    await held;
    expect(confirmedBy(late.answer)).toBe("1/2");
    await deployment.database("delete from graphile_worker._private_jobs where key like 'dns\\_\\_flush\\_zone %'");
    // For longer than three seconds together with the change: then it may have missed more than a flush that is still repeated.
    await pause(2_500);
  } finally {
    process.kill(stopped, "SIGCONT");
  }
  // Long before its caches end.
  await untilFarSays("www.two.test", [address]);
  expect(far.powerDnsPid()).toBe(stopped);
  relay.release();
  await expect
    .poll(() => far.process?.output.stderr)
    .toContain("The nameserver was away for a while and has forgotten all answers.");
  expect(confirmedBy((await change()).answer)).toBe("2/2");
}, 400_000);

test("both are away: 200 with 0/2", async () => {
  const stopped = [near, far].map((each) => each.powerDnsPid());
  let address: string;
  for (const pid of stopped) process.kill(pid, "SIGSTOP");
  try {
    const late = await change();
    ({ address } = late);
    expect(confirmedBy(late.answer)).toBe("0/2");
  } finally {
    for (const pid of stopped) process.kill(pid, "SIGCONT");
  }
  await untilFarSays("www.two.test", [address]);
  await expect.poll(() => near.ask("www.two.test"), { timeout: SOON_MS }).toEqual([address]);
}, 400_000);
