import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { askDns } from "../../src/adapters/nameserver/ask.ts";
import { startAsking } from "./dns-asking.ts";
import { type DnsBench, startDnsBench } from "./dns-bench.ts";
import { largeZone } from "./large-zone.ts";
import { type Measurement, ROUNDS } from "./measurement.ts";
import { percentile } from "./webhooks-support.ts";

/** Of each kind in each zone, in each round. */
const CHANGES = 100;
const WARM_UP = 20;
const LARGE = 50_000;
const SMALL = 10;
const ASKED_CHANGES = 1_000;
/** The names that are asked meanwhile, and change. */
const NAMES = 10;
/** An old answer that comes into a cache after the first look would stay there for a minute. */
const LATER_MS = 5;
/** What a commit writes of a change of one record, about. */
const COMMIT_BYTES = 8_192;

interface Zone {
  readonly id: number;
  readonly name: string;
  readonly records: number;
  /** Of the records that change. */
  readonly ids: readonly number[];
}

/** How long a change takes until it is answered, PowerDNS' caches flushed, in a small and in a large zone; and whether first answers after it are old. Aims: p99 50 ms, 0 of 1,000. */
export async function dnsChanges(): Promise<Measurement[]> {
  const bench = await startDnsBench();
  try {
    const small = await zoneOf(bench, "small.test", SMALL);
    const large = await zoneOf(bench, "large.test", LARGE);
    await bench.gateway.analyze();
    return [...(await alone(bench, [small, large])), ...(await whileAsked(bench, small))];
  } finally {
    await bench.stop();
  }
}

async function zoneOf(bench: DnsBench, name: string, records: number): Promise<Zone> {
  const addresses = Array.from({ length: NAMES }, (_, place) => `asked-${place} 300 IN A 192.0.2.1`).join("\n");
  const file = records === NAMES ? addresses : `${addresses}\n${largeZone(records - NAMES)}`;
  const id = await bench.importZone(name, file);
  const ids: number[] = [];
  for (let place = 0; place < NAMES; place++) {
    const { text } = await bench.ask("GET", `/zones/${id}/records?name=asked-${place}.${name}`);
    ids.push((JSON.parse(text) as { readonly id: number }[])[0]?.id ?? 0);
  }
  return { id, name, records, ids };
}

/** Changes in turns: in each zone, created and changed, with a nameserver and without; and pieces of a change alone. */
async function alone(bench: DnsBench, zones: readonly Zone[]): Promise<Measurement[]> {
  const times = new Map<string, number[]>();
  const note = (key: string, ms: number) => times.set(key, [...(times.get(key) ?? []), ms]);
  const disk = fs.openSync(path.join(os.tmpdir(), `selo-bench-dns-${process.pid}`), "w");
  const page = Buffer.alloc(COMMIT_BYTES, 1);
  try {
    for (let turn = -WARM_UP; turn < ROUNDS * CHANGES; turn++) {
      for (const isTold of [true, false]) {
        bench.tellNameserver(isTold);
        for (const zone of zones) {
          const keep = (kind: string, ms: number) => turn >= 0 && note(`${zone.name} ${kind} ${isTold}`, ms);
          const content = `10.${isTold ? 1 : 2}.${(turn >> 8) & 255}.${turn & 255}`;
          const created = await timed(bench, isTold, "POST", `/zones/${zone.id}/records`, {
            name: "new",
            type: "A",
            content,
          });
          keep("POST", created.ms);
          const record = zone.ids[(turn + WARM_UP) % NAMES];
          keep("PUT", (await timed(bench, isTold, "PUT", `/zones/${zone.id}/records/${record}`, { content })).ms);
          const { id } = JSON.parse(created.text) as { readonly id: number };
          await bench.ask("DELETE", `/zones/${zone.id}/records/${id}`);
        }
      }
      const pieces = {
        disk: () => {
          fs.writeSync(disk, page);
          fs.fdatasyncSync(disk);
        },
        flush: () => bench.powerDns.flush(zones[0]?.name ?? ""),
        purge: () => bench.powerDns.purge(zones[0]?.name ?? ""),
      };
      for (const [name, run] of Object.entries(pieces)) {
        const begun = performance.now();
        await run();
        if (turn >= 0) note(name, performance.now() - begun);
      }
    }
  } finally {
    fs.closeSync(disk);
    fs.rmSync(path.join(os.tmpdir(), `selo-bench-dns-${process.pid}`));
    bench.tellNameserver(true);
  }
  const part = (key: string, share: number) => percentile([...(times.get(key) ?? [])].sort(byValue), share);
  const shown = (key: string, share: number) => `${part(key, share).toFixed(1)} ms`;
  return [
    ...zones.flatMap((zone) =>
      ["POST", "PUT"].map((kind) => {
        const [key, bare] = [`${zone.name} ${kind} true`, `${zone.name} ${kind} false`];
        return {
          figure: `${kind} of one record until answered and flushed, in a zone of ${zone.records.toLocaleString("en")}`,
          value: `${times.get(key)?.length} changes`,
          peer: `without a nameserver: p50 ${shown(bare, 0.5)}, p99 ${shown(bare, 0.99)}; aim: p99 at most 50 ms`,
          ratio: (part(bare, 0.5) / part(key, 0.5)).toFixed(2),
          p50: shown(key, 0.5),
          p99: shown(key, 0.99),
        };
      }),
    ),
    ...[
      ["disk", "fdatasync of 8 KiB"],
      ["flush", "PowerDNS' flush through its API; each change has one"],
      ["purge", "PowerDNS' purge through its control socket; each change has two"],
    ].map(([key = "", what = ""]) => ({
      figure: `… in between, ${what}`,
      value: `${times.get(key)?.length} times`,
      p50: shown(key, 0.5),
      p99: shown(key, 0.99),
    })),
  ];
}

const byValue = (left: number, right: number) => left - right;

async function timed(bench: DnsBench, isTold: boolean, method: string, pathBelow: string, body: object) {
  const begun = performance.now();
  const { text, confirmed } = await bench.ask(method, pathBelow, body);
  const ms = performance.now() - begun;
  if (confirmed !== (isTold ? "1/1" : null)) throw new Error(`${method}: confirmed by ${confirmed} nameservers`);
  return { text, ms };
}

/** Changes of names that are asked all the time: the first answer after each change, and one a little later. */
async function whileAsked(bench: DnsBench, zone: Zone): Promise<Measurement[]> {
  const names = zone.ids.map((_, place) => `asked-${place}.${zone.name}`);
  const load = await startAsking(bench.nameserver.port, names, 2_000);
  const stale = { first: 0, later: 0 };
  const times: number[] = [];
  try {
    for (let number = 0; number < ASKED_CHANGES; number++) {
      const place = number % NAMES;
      const content = `10.3.${number >> 8}.${number & 255}`;
      const { ms } = await timed(bench, true, "PUT", `/zones/${zone.id}/records/${zone.ids[place]}`, { content });
      if (!(await isServed(bench, names[place] ?? "", content))) stale.first += 1;
      times.push(ms);
      await pause(LATER_MS);
      if (!(await isServed(bench, names[place] ?? "", content))) stale.later += 1;
    }
  } finally {
    load.end();
  }
  const { rate, answered } = await load.report();
  times.sort(byValue);
  return [
    {
      figure: `first answers after a change that are old, while the same ${NAMES} names are asked ${rate.toLocaleString("en")} times a second (${(answered * 100).toFixed(1)} % answered)`,
      value: `${stale.first} of ${times.length.toLocaleString("en")}; ${LATER_MS} ms later ${stale.later}`,
      peer: "aim: 0 of 1,000",
      p50: `${percentile(times, 0.5).toFixed(1)} ms until the change is answered`,
      p99: `${percentile(times, 0.99).toFixed(1)} ms`,
    },
  ];
}

/** Whether a nameserver answers with this content alone. */
export async function isServed(
  { nameserver }: Pick<DnsBench, "nameserver">,
  name: string,
  content: string,
): Promise<boolean> {
  const { answers } = await askDns(nameserver, { name, type: "A" });
  return answers.length === 1 && answers[0]?.type === "A" && answers[0].data === content;
}
