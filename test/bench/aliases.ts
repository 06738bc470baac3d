import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { Operator } from "../../src/postgres/operator/operator.ts";
import { issueKey } from "../../src/services/dns/store.ts";
import { DnsWorld } from "../support/dns-world.ts";
import { newOrganization } from "../support/gateway.ts";
import { startBenchGateway } from "./bench-gateway.ts";
import type { Measurement } from "./measurement.ts";

const CHANGES = 100;
const FOLLOWERS = 50;
const TARGETS = 1_000;

/**
 * How long it takes until an ALIAS has the addresses that its target got: in the tables that the nameserver reads, without one. A change of one record is
 * the limit.
 */
export async function aliases(): Promise<Measurement[]> {
  const world = await DnsWorld.start();
  const gateway = await startBenchGateway({ NAMESERVER_NAMES: "ns1.selo.test,ns2.selo.test", ...world.environment });
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
    for (let turn = 1; turn <= CHANGES; turn++) {
      changes?.push(await timed(() => one.address(alone, turn)));
      following?.push(await timed(() => one.address(followed, turn)));
      const content = await other.address(theirs, turn);
      crossing?.push(await timed(() => served(admin, across, content)));
    }

    const remote = await one.zone("remote.test");
    for (let number = 0; number < TARGETS; number++)
      world.addresses.set(`host-${number}.elsewhere.test`, ["203.0.113.1"]);
    const file = Array.from({ length: TARGETS }, (_, place) => `a${place} 300 IN ALIAS host-${place}.elsewhere.test.`);
    await one.ask("POST", `/zones/${remote}/import`, { bind_file: file.join("\n") });
    const all = `select count(distinct name) = ${TARGETS} as done from pdns.records where domain_id = $1 and content = $2`;
    const round = async (address: string) => {
      await admin.query("update dns.alias_targets set due_at = clock_timestamp()");
      await admin.query("select graphile_worker.add_job('dns__resolve_aliases')");
      for (;;) {
        const { rows } = await admin.query<{ done: boolean }>(all, [remote, address]);
        if (rows[0]?.done) return;
        await sleep(50);
      }
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
      row("from the answer until a zone of another organization has followed", crossing),
      {
        figure: `${TARGETS} targets elsewhere change: one worker`,
        value: `${(TARGETS / seconds).toFixed(0)} a second`,
      },
    ];
  } finally {
    await admin.end();
    await operator.close();
    await gateway.stop();
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

async function served(admin: pg.Pool, zone: number, content: string): Promise<void> {
  for (;;) {
    const { rowCount } = await admin.query("select from pdns.records where domain_id = $1 and content = $2", [
      zone,
      content,
    ]);
    if (rowCount === 1) return;
    await sleep(2);
  }
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
