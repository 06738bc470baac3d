import { setTimeout as pause } from "node:timers/promises";
import { startAsking } from "./dns-asking.ts";
import { type DnsAnswer, type DnsBench, type SecondNameserver, startDnsBench } from "./dns-bench.ts";
import { isServed } from "./dns-changes.ts";
import { type Measurement, ROUNDS } from "./measurement.ts";
import { percentile } from "./webhooks-support.ts";

/** Of each kind, in each round. */
const CHANGES = 100;
const WARM_UP = 20;
const ASKED_CHANGES = 1_000;
/** To each nameserver. */
const QUESTIONS_PER_SECOND = 1_000;
const NAMES = 10;
/** An old answer that comes into a cache after the first look would stay there for a minute. */
const LATER_MS = 5;
/** After so many late answers in a row, changes do not wait. */
const MOST_LATE = 3;

/** A zone, and the gateway and the nameservers of its changes. */
interface Side {
  readonly zone: { readonly id: number; readonly name: string; readonly ids: readonly number[] };
  readonly ask: DnsBench["ask"];
  readonly confirmed: string;
  readonly nameservers: readonly Pick<DnsBench, "nameserver">[];
}

/** How long a change takes until two nameservers on one Postgres have confirmed it, beside one alone; whether both serve it then; and the same while one of them hangs. */
export async function twoNameservers(): Promise<Measurement[]> {
  const bench = await startDnsBench();
  try {
    const second = await bench.startSecond();
    const one: Side = { zone: await zoneOf(bench, "one.test"), ask: bench.ask, confirmed: "1/1", nameservers: [bench] };
    const two: Side = {
      zone: await zoneOf(bench, "two.test"),
      ask: second.ask,
      confirmed: "2/2",
      nameservers: [bench, second],
    };
    // The second nameserver hears of the zones by this.
    await two.ask("PUT", `/zones/${two.zone.id}/records/${two.zone.ids[0]}`, { content: "192.0.2.2" });
    await bench.gateway.analyze();
    return [...(await inTurns(one, two)), ...(await whileAsked(two)), ...(await whileOneHangs(one, two, second))];
  } finally {
    await bench.stop();
  }
}

async function zoneOf(bench: DnsBench, name: string): Promise<Side["zone"]> {
  const file = Array.from({ length: NAMES }, (_, place) => `n${place} 300 IN A 192.0.2.1`).join("\n");
  const id = await bench.importZone(name, file);
  const ids: number[] = [];
  for (let place = 0; place < NAMES; place++) {
    const { text } = await bench.ask("GET", `/zones/${id}/records?name=n${place}.${name}`);
    ids.push((JSON.parse(text) as { readonly id: number }[])[0]?.id ?? 0);
  }
  return { id, name, ids };
}

/** A change of one record, and how many of the nameservers answer with something else right after the response, and a little later. */
async function change({ zone, ask, nameservers }: Side, number: number, part: number) {
  const place = number % NAMES;
  const content = `10.${part}.${(number >> 8) & 255}.${number & 255}`;
  const begun = performance.now();
  const answer: DnsAnswer = await ask("PUT", `/zones/${zone.id}/records/${zone.ids[place]}`, { content });
  const ms = performance.now() - begun;
  const stale = async () => {
    const served = await Promise.all(nameservers.map((each) => isServed(each, `n${place}.${zone.name}`, content)));
    return served.filter((isNew) => !isNew).length;
  };
  return { ms, stale, confirmed: answer.confirmed };
}

function require(side: Side, confirmed: string | null): void {
  if (confirmed !== side.confirmed) throw new Error(`confirmed by ${confirmed} nameservers, not ${side.confirmed}`);
}

const sorted = (values: readonly number[]) => [...values].sort((left, right) => left - right);
const shown = (times: readonly number[], share: number) => `${percentile(sorted(times), share).toFixed(1)} ms`;
const ratioOf = (peer: readonly number[], own: readonly number[]) =>
  (percentile(sorted(peer), 0.5) / percentile(sorted(own), 0.5)).toFixed(2);

async function inTurns(one: Side, two: Side): Promise<Measurement[]> {
  const times = new Map<Side, number[]>([
    [one, []],
    [two, []],
  ]);
  let stale = 0;
  for (let turn = -WARM_UP; turn < ROUNDS * CHANGES; turn++)
    for (const side of turn % 2 === 0 ? [one, two] : [two, one]) {
      const made = await change(side, turn + WARM_UP, side === one ? 1 : 2);
      require(side, made.confirmed);
      stale += await made.stale();
      if (turn >= 0) times.get(side)?.push(made.ms);
    }
  const [alone, both] = [times.get(one) ?? [], times.get(two) ?? []];
  return [
    {
      figure: "PUT of one record until answered with 2/2",
      value: `${both.length} changes; ${stale} old answers of both right after it`,
      peer: `one nameserver alone, 1/1: p50 ${shown(alone, 0.5)}, p99 ${shown(alone, 0.99)}`,
      ratio: ratioOf(alone, both),
      p50: shown(both, 0.5),
      p99: shown(both, 0.99),
    },
  ];
}

/** Changes of names that both are asked for all the time. */
async function whileAsked(two: Side): Promise<Measurement[]> {
  const names = two.zone.ids.map((_, place) => `n${place}.${two.zone.name}`);
  const loads = await Promise.all(
    two.nameservers.map(({ nameserver }) => startAsking(nameserver.port, names, QUESTIONS_PER_SECOND)),
  );
  const stale = { first: 0, later: 0 };
  const times: number[] = [];
  try {
    for (let number = 0; number < ASKED_CHANGES; number++) {
      const made = await change(two, number, 3);
      require(two, made.confirmed);
      stale.first += await made.stale();
      await pause(LATER_MS);
      stale.later += await made.stale();
      times.push(made.ms);
    }
  } finally {
    for (const load of loads) load.end();
  }
  const reports = await Promise.all(loads.map((each) => each.report()));
  return [
    {
      figure: `first answers of both after a change that are old, while each is asked for the same ${NAMES} names ${reports.map(({ rate }) => rate.toLocaleString("en")).join(" and ")} times a second`,
      value: `${stale.first} of ${times.length.toLocaleString("en")} changes; ${LATER_MS} ms later ${stale.later}`,
      peer: "aim: 0 of 1,000",
      p50: `${shown(times, 0.5)} until the change is answered with 2/2`,
      p99: shown(times, 0.99),
    },
  ];
}

/** PowerDNS of the second one is stopped: what changes take once it is late, and when it is back with all of them. */
async function whileOneHangs(one: Side, two: Side, second: SecondNameserver): Promise<Measurement[]> {
  const waited: number[] = [];
  const times: number[] = [];
  const alone: number[] = [];
  const first = { ...two, nameservers: two.nameservers.slice(0, 1) };
  let number = 0;
  let stale = 0;
  let backAfter: number;
  process.kill(second.powerDnsPid, "SIGSTOP");
  try {
    for (let turn = 0; turn < MOST_LATE; turn++) waited.push((await change(first, number++, 4)).ms);
    for (let turn = 0; turn < ROUNDS * CHANGES; turn++) {
      const made = await change(first, number++, 4);
      if (made.confirmed !== "1/2") throw new Error(`confirmed by ${made.confirmed} nameservers, not 1/2`);
      times.push(made.ms);
      alone.push((await change(one, number, 5)).ms);
    }
  } finally {
    process.kill(second.powerDnsPid, "SIGCONT");
  }
  const begun = performance.now();
  for (;;) {
    const made = await change(two, number++, 4);
    if (made.confirmed !== "2/2") continue;
    backAfter = performance.now() - begun;
    stale += await made.stale();
    break;
  }
  for (let place = 0; place < NAMES; place++) {
    const last = number - 1 - place;
    const content = `10.4.${(last >> 8) & 255}.${last & 255}`;
    if (!(await isServed(second, `n${last % NAMES}.${two.zone.name}`, content))) stale += 1;
  }
  return [
    {
      figure: `PUT of one record until answered with 1/2, while the other PowerDNS is stopped, after the first ${MOST_LATE} changes (${waited.map((ms) => `${(ms / 1_000).toFixed(2)} s`).join(", ")})`,
      value: `${times.length} changes`,
      peer: `one nameserver alone, 1/1: p50 ${shown(alone, 0.5)}, p99 ${shown(alone, 0.99)}`,
      ratio: ratioOf(alone, times),
      p50: shown(times, 0.5),
      p99: shown(times, 0.99),
    },
    {
      figure: "… until a change is answered with 2/2 after it goes on",
      value: `${(backAfter / 1_000).toFixed(2)} s; ${stale} of its ${NAMES} names old`,
      peer: "a probe each second",
    },
  ];
}
