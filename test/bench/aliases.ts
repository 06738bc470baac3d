import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { Operator } from "../../src/postgres/operator/operator.ts";
import { issueKey } from "../../src/services/dns/store.ts";
import { DnsWorld } from "../support/dns-world.ts";
import { newOrganization } from "../support/gateway.ts";
import { type DnsBench, startDnsBench } from "./dns-bench.ts";
import { isServed } from "./dns-changes.ts";
import type { Measurement } from "./measurement.ts";

const CHANGES = 100;
const FOLLOWERS = 50;
const TARGETS = 1_000;

/**
 * How long it takes until the nameserver answers an ALIAS with the addresses that its target got. It has the old ones in its caches: each name is asked for
 * before its target changes. A change of one record is the limit.
 */
export async function aliases(): Promise<Measurement[]> {
  const world = await DnsWorld.start();
  const bench = await startDnsBench(world.environment);
  const { gateway } = bench;
  const operator = await Operator.connect(gateway.adminUrl);
  const admin = new pg.Pool({ connectionString: gateway.adminUrl });
  try {
    const [one, other] = [await customer(operator, gateway.url), await customer(operator, gateway.url)];
    const alone = await one.zone("alone.test");
    const followed = await one.zone("followed.test");
    const theirs = await other.zone("theirs.test");
    for (const [zone, owner] of [
      [alone, one],
      [followed, one],
      [theirs, other],
    ] as const)
      await owner.address(zone, 0);
    const zones: number[] = [];
    for (let number = 0; number < FOLLOWERS; number++) {
      const zone = await one.zone(`follower-${number}.test`);
      zones.push(zone);
      await one.set(zone, "@", "ALIAS", "www.followed.test");
    }
    // The worker would find that nobody delegates it.
    await admin.query("update dns.zones set status = 'active', due_at = 'infinity' where id = $1", [theirs]);
    const across = await one.zone("across.test");
    await one.set(across, "@", "ALIAS", "www.theirs.test");
    await gateway.startWorker();
    await gateway.analyze();

    const [changes, following, crossing]: number[][] = [[], [], []];
    const followers = Array.from({ length: FOLLOWERS }, (_, number) => `follower-${number}.test`);
    const old = (names: readonly string[], content: string) => countOld(bench, names, content);
    let stale = 0;
    for (let turn = 1; turn <= CHANGES; turn++) {
      const content = `192.0.2.${turn}`;
      // Into the caches.
      await old([...followers, "across.test", "www.alone.test"], content);
      changes?.push(await timed(() => one.address(alone, turn)));
      following?.push(await timed(() => one.address(followed, turn)));
      stale += await old([...followers, "www.alone.test"], content);
      await other.address(theirs, turn);
      crossing?.push(await timed(() => untilServed(bench, ["across.test"], content)));
    }

    const remote = await one.zone("remote.test");
    for (let number = 0; number < TARGETS; number++)
      world.addresses.set(`host-${number}.elsewhere.test`, ["203.0.113.1"]);
    const file = Array.from({ length: TARGETS }, (_, place) => `a${place} 300 IN ALIAS host-${place}.elsewhere.test.`);
    await one.ask("POST", `/zones/${remote}/import`, { bind_file: file.join("\n") });
    const names = Array.from({ length: TARGETS }, (_, place) => `a${place}.remote.test`);
    const round = async (address: string) => {
      await admin.query("update dns.alias_targets set due_at = clock_timestamp()");
      await admin.query("select graphile_worker.add_job('dns__resolve_aliases')");
      await untilServed(bench, names, address);
    };
    await round("203.0.113.1");
    for (let number = 0; number < TARGETS; number++)
      world.addresses.set(`host-${number}.elsewhere.test`, ["203.0.113.2"]);
    const seconds = (await timed(() => round("203.0.113.2"))) / 1_000;

    const limit = at(changes, 0.5);
    return [
      row("a record is changed that no ALIAS follows", changes),
      {
        ...row(`a record is changed that ${FOLLOWERS} zones of the organization follow`, following),
        ratio: (at(following, 0.5) / limit).toFixed(1),
      },
      {
        figure: `… first answers after it that are old, of these ${FOLLOWERS} and of the record itself`,
        value: `${stale} of ${CHANGES * (FOLLOWERS + 1)}`,
        peer: "aim: 0",
      },
      row("from the answer until a zone of another organization is answered with the new address", crossing),
      {
        figure: `${TARGETS} targets elsewhere change: one worker`,
        value: `${(TARGETS / seconds).toFixed(0)} a second`,
      },
    ];
  } finally {
    await admin.end();
    await operator.close();
    await bench.stop();
    await world.close();
  }
}

async function customer(operator: Operator, url: string) {
  const organization = await newOrganization(operator, { plan: "business" });
  const { secret } = await issueKey(operator, organization.id, "bench");
  const ask = async (method: string, path: string, body: object): Promise<{ readonly id: number }> => {
    const response = await fetch(`${url}/v1/orgs/${organization.number}${path}`, {
      method,
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
    return JSON.parse(text);
  };
  const set = (zone: number, name: string, type: string, content: string) =>
    ask("PUT", `/zones/${zone}/records`, { sets: [{ name, type, ttl: 300, records: [{ content }] }] });
  return {
    ask,
    set,
    zone: async (name: string) => (await ask("POST", "/zones", { name })).id,
    /** Gives `www` an address of its turn, and answers it. */
    address: async (zone: number, turn: number) => {
      const content = `192.0.2.${turn}`;
      await set(zone, "www", "A", content);
      return content;
    },
  };
}

/** Of so many names, how many the nameserver answers with something else. */
async function countOld(bench: DnsBench, names: readonly string[], content: string): Promise<number> {
  const served = await Promise.all(names.map((name) => isServed(bench, name, content)));
  return served.filter((isNew) => !isNew).length;
}

/** Asks until each of the names has been answered with this address. */
async function untilServed(bench: DnsBench, names: readonly string[], content: string): Promise<void> {
  for (const name of names) while (!(await isServed(bench, name, content))) await sleep(2);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

const at = (times: readonly number[] = [], part: number): number =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length * part)] ?? Number.NaN;

const row = (figure: string, times: readonly number[] = []): Measurement => ({
  figure,
  value: `${at(times, 0.5).toFixed(1)} ms`,
  p50: `${at(times, 0.5).toFixed(1)} ms`,
  p99: `${at(times, 0.99).toFixed(1)} ms`,
});
