// Nameservers that hang, refuse, are gone or come back, as a gateway tells them of changes: real control servers, scripted PowerDNS.
import http from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ControlServer, startControl } from "../../../src/adapters/nameserver/control-server.ts";
import { Nameservers } from "../../../src/adapters/nameserver/nameservers.ts";
import { ConfigError } from "../../../src/config/config.ts";

const KEY = "k".repeat(32);
/** In place of two seconds: longer than a test may last, so that nothing is late because the machine is slow. */
const NEVER_MS = 60_000;
/** Where a test waits for the deadline. */
const BRIEF_MS = 50;
const PROBE_EVERY_MS = 10;
const ANSWER_MS = 10;
const PROBE = "nameserver-probe.invalid";

/** A PowerDNS that does what a test says, and keeps what it was told in its order. */
class Scripted {
  readonly told: string[] = [];
  fails = false;
  /** Null while it goes on. */
  #halt: { readonly until: Promise<void>; readonly end: () => void } | null = null;
  /** Called when everything is to be forgotten; that waits for it. */
  beforePurge: () => Promise<void> = async () => {};
  readonly #remember: (zone: string | null) => void;

  /** @param remember called when it forgets a zone, or everything (null), and has the true content from then on */
  constructor(remember: (zone: string | null) => void = () => {}) {
    this.#remember = remember;
  }

  /** Like SIGSTOP and SIGCONT: what it was told while it hung happens when it goes on. */
  set hangs(hangs: boolean) {
    this.#halt?.end();
    this.#halt = null;
    if (!hangs) return;
    const { promise: until, resolve: end } = Promise.withResolvers<void>();
    this.#halt = { until, end };
  }

  async isReady() {
    return this.#halt === null;
  }
  async flush(zone: string) {
    await this.#act();
    this.told.push(zone);
    this.#remember(zone);
  }
  async purge() {}
  async purgeAll() {
    await this.#act();
    this.told.push("ALL");
    this.#remember(null);
    // The way back of the answer, in which changes commit.
    await sleep(ANSWER_MS);
  }
  async learnZones() {
    await this.#act();
    await this.beforePurge();
    this.told.push("ZONES");
  }
  async statistics() {
    return new Map<string, number>();
  }
  async #act() {
    await this.#halt?.until;
    if (this.fails) throw new Error("scripted");
  }
  get flushed() {
    return this.told.filter((each) => each !== "ALL" && each !== "ZONES" && each !== PROBE);
  }
  get probes() {
    return this.told.filter((each) => each === PROBE).length;
  }
  get wholePurges() {
    return this.told.filter((each) => each === "ZONES").length;
  }
}

let near: Scripted;
let far: Scripted;
let controls: ControlServer[];
let nameservers: Nameservers;
let messages: string[];
let urls: string[];
let key: string;
let deadlineMs: number;
/** What the far one was told, as its metric counts it. */
let outcomes: string[];
/** An address that no other program listens at, so that a port which is closed for a moment is still free then. */
const FAR_ADDRESS = "127.0.83.17";
const control = (address: string, powerDns: () => Scripted, port = 0) =>
  startControl({
    ...{ address, port, key: KEY, tls: null, powerDns, log: () => {} },
    ...(address === FAR_ADDRESS ? { told: (outcome) => void outcomes.push(outcome) } : {}),
  });
beforeEach(async () => {
  near = new Scripted();
  far = new Scripted();
  controls = [await control("127.0.0.1", () => near), await control(FAR_ADDRESS, () => far)];
  urls = controls.map(({ url }) => url);
  key = KEY;
  deadlineMs = NEVER_MS;
  messages = [];
  outcomes = [];
  nameservers = started((message) => void messages.push(message));
});
afterEach(async () => {
  await nameservers.stop();
  for (const each of controls) await each.close();
});

const started = (log: (message: string) => void = () => {}) =>
  new Nameservers({
    access: () => ({ urls, key, ca: null }),
    named: 2,
    log,
    get deadlineMs() {
      return deadlineMs;
    },
    probeEveryMs: PROBE_EVERY_MS,
  });
const farUrl = () => controls[1]?.url ?? "";
const farState = () => nameservers.stateOf(farUrl());
/** Three changes that the far one misses, one after the other. */
async function makeLate(): Promise<void> {
  for (const zone of ["one.test", "two.test", "three.test"])
    expect(await nameservers.flush([zone])).toEqual({ confirmed: 1, of: 2 });
  expect(farState()).toBe("late");
}
/** The same, and it hangs then. */
async function makeHang(): Promise<void> {
  far.fails = true;
  await makeLate();
  far.hangs = true;
  far.fails = false;
}
/** Waits for what goes on in the background. */
const eventually = <Value>(value: () => Value) => expect.poll(value, { interval: 2, timeout: 30_000 });
const untilBack = () => eventually(farState).toBe("answering");
const untilReturning = () => eventually(farState).toBe("returning");

test("one that hangs delays three changes until their deadline, and not the fourth", async () => {
  far.hangs = true;
  const both = urls;
  urls = [farUrl()];
  deadlineMs = BRIEF_MS;
  for (const zone of ["one.test", "two.test", "three.test"]) {
    const began = performance.now();
    expect(await nameservers.flush([zone])).toEqual({ confirmed: 0, of: 1 });
    // Timers count whole milliseconds.
    expect(performance.now() - began).toBeGreaterThan(BRIEF_MS - 2);
  }
  urls = both;
  deadlineMs = NEVER_MS;
  expect(await nameservers.flush(["four.test"])).toEqual({ confirmed: 1, of: 2 });
  expect(near.flushed).toEqual(["four.test"]);
  expect(messages).toEqual([
    `The nameserver at ${farUrl()} was late three times in a row. Changes do not wait for it any more.`,
  ]);
});

test("many changes at once miss a pause once", async () => {
  far.hangs = true;
  const both = urls;
  urls = [farUrl()];
  deadlineMs = BRIEF_MS;
  const zones = Array.from({ length: 10 }, (_, n) => `zone-${n}.test`);
  const flushed = await Promise.all(zones.map((zone) => nameservers.flush([zone])));
  expect(flushed).toEqual(zones.map(() => ({ confirmed: 0, of: 1 })));
  expect(farState()).toBe("answering");
  far.hangs = false;
  urls = both;
  deadlineMs = NEVER_MS;
  expect(await nameservers.flush(["next.test"])).toEqual({ confirmed: 2, of: 2 });
});

test("a change of many zones is one request to each, and one nameserver confirms it with all of its zones only", async () => {
  const zones = Array.from({ length: 1_001 }, (_, n) => `zone-${n}.test`);
  const bodies: string[][] = [];
  let failing = "";
  const server = http.createServer(async (request, response) => {
    const asked = JSON.parse(Buffer.concat(await request.toArray()).toString("utf8")).zones as string[];
    bodies.push(asked);
    response.writeHead(asked.includes(failing) ? 503 : 204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  urls = [`http://127.0.0.1:${(server.address() as AddressInfo).port}`];
  expect(await nameservers.flush(zones.slice(0, 1_000))).toEqual({ confirmed: 1, of: 1 });
  expect(bodies.splice(0)).toEqual([zones.slice(0, 1_000)]);
  // The control takes a thousand zones.
  expect(await nameservers.flush(zones)).toEqual({ confirmed: 1, of: 1 });
  expect(bodies.splice(0)).toEqual([zones.slice(0, 1_000), zones.slice(1_000)]);
  for (failing of ["zone-0.test", "zone-1000.test"])
    expect(await nameservers.flush(zones)).toEqual({ confirmed: 0, of: 1 });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test("the metric of zones that a nameserver was told leaves probes out", async () => {
  far.fails = true;
  await makeLate();
  expect(outcomes).toEqual(["failed", "failed", "failed"]);
  // A probe that fails, and one that is confirmed.
  await sleep(5 * PROBE_EVERY_MS);
  far.fails = false;
  await untilBack();
  expect(far.probes).toBe(1);
  expect(outcomes).toHaveLength(3);
  await nameservers.flush(["a.test", "b.test"]);
  expect(outcomes.slice(3)).toEqual(["forgotten", "forgotten"]);
});

test("changes that wait for it when it becomes late go on at once", async () => {
  far.fails = true;
  for (const zone of ["one.test", "two.test"]) await nameservers.flush([zone]);
  far.hangs = true;
  deadlineMs = BRIEF_MS;
  const third = nameservers.flush(["three.test"]);
  // Would wait beyond the third.
  deadlineMs = NEVER_MS;
  expect(await nameservers.flush(["four.test"])).toEqual({ confirmed: 1, of: 2 });
  await third;
  expect(farState()).toBe("late");
});

test("one that is back is probed, forgets everything and learns its zones once, and is waited for again", async () => {
  await makeHang();
  far.hangs = false;
  await untilBack();
  expect(far.told.slice(-5)).toEqual([PROBE, "ZONES", "ALL", "ALL", "ALL"]);
  expect(await nameservers.flush(["five.test"])).toEqual({ confirmed: 2, of: 2 });
  expect(far.flushed.at(-1)).toBe("five.test");
  expect(messages.at(-1)).toBe(
    `The nameserver at ${farUrl()} is back and has forgotten all old answers. Changes wait for it again.`,
  );
  // Nothing goes on in the background.
  const told = far.told.length;
  await sleep(5 * PROBE_EVERY_MS);
  expect(far.told).toHaveLength(told);
});

test("a change beside the whole purge tells it without waiting, and is not counted as confirmed", async () => {
  await makeHang();
  const { promise: purging, resolve: finish } = Promise.withResolvers<void>();
  far.beforePurge = () => purging;
  far.hangs = false;
  await untilReturning();
  far.hangs = true;
  expect(await nameservers.flush(["beside.test"])).toEqual({ confirmed: 1, of: 2 });
  far.hangs = false;
  await eventually(() => far.flushed.at(-1)).toBe("beside.test");
  expect(farState()).toBe("returning");
  finish();
  await untilBack();
});

test("a flush that is missed beside the purge has it forget everything once more", async () => {
  await makeHang();
  let purges = 0;
  const { promise: purging, resolve: finish } = Promise.withResolvers<void>();
  far.beforePurge = async () => {
    purges++;
    if (purges === 1) await purging;
  };
  far.hangs = false;
  await eventually(() => purges).toBe(1);
  far.fails = true;
  expect(await nameservers.flush(["missed.test"])).toEqual({ confirmed: 1, of: 2 });
  await eventually(farState).toBe("late");
  far.fails = false;
  finish();
  await untilBack();
  expect(far.wholePurges).toBe(2);
});

test("whatever comes beside its return, no zone is left with what was true before", async () => {
  const truth = new Map<string, number>();
  const served = new Map<string, number>();
  const zones = Array.from({ length: 5 }, (_, n) => `zone-${n}.test`);
  far = new Scripted((zone) => {
    for (const each of zones) if (zone === null || zone === each) served.set(each, truth.get(each) ?? 0);
  });
  let change = 0;
  const changeOne = () => {
    change++;
    const zone = zones[change % zones.length] ?? "";
    truth.set(zone, change);
    return nameservers.flush([zone]);
  };
  const both = urls;
  for (let round = 0; round < 5; round++) {
    far.hangs = true;
    urls = [farUrl()];
    deadlineMs = BRIEF_MS;
    while (farState() !== "late") await Promise.all([changeOne(), changeOne(), changeOne()]);
    far.hangs = false;
    // A change that waits for nobody would let nothing else happen.
    urls = both;
    deadlineMs = NEVER_MS;
    // Changes go on all the time while it returns.
    while (farState() !== "answering") await changeOne();
    // The last ones beside the purge may be under way.
    await eventually(() => [...served].sort()).toEqual([...truth].sort());
    expect(await changeOne()).toEqual({ confirmed: 2, of: 2 });
  }
});

describe("what counts as late", () => {
  test("nobody listens: it delays nobody, is late after three changes, and comes back on the same port", async () => {
    const { port } = controls[1] as ControlServer;
    await controls[1]?.close();
    await makeLate();
    controls[1] = await control(FAR_ADDRESS, () => far, port);
    await untilBack();
    expect(await nameservers.flush(["five.test"])).toEqual({ confirmed: 2, of: 2 });
  });

  test("it does not take the key", async () => {
    key = "x".repeat(32);
    for (let time = 0; time < 3; time++) expect(await nameservers.flush(["a.test"])).toEqual({ confirmed: 0, of: 2 });
    expect([...nameservers.states.values()]).toEqual(["late", "late"]);
    expect(near.told).toEqual([]);
    key = KEY;
    await eventually(() => [...nameservers.states.values()]).toEqual(["answering", "answering"]);
  });

  test("its PowerDNS fails", async () => {
    far.fails = true;
    await makeLate();
    far.fails = false;
    await untilBack();
  });
});

test("while it is late changes skip it, and a confirmed probe with a failed purge leaves it late", async () => {
  await makeHang();
  far.beforePurge = async () => {
    throw new Error("scripted");
  };
  far.hangs = false;
  await eventually(() => far.probes).toBeGreaterThan(2);
  expect(farState()).toBe("late");
  expect(await nameservers.flush(["skipped.test"])).toEqual({ confirmed: 1, of: 2 });
  expect(far.flushed).not.toContain("skipped.test");
  far.beforePurge = async () => {};
  await untilBack();
});

test("two processes that bring it back share whole purges that are under way", async () => {
  const gateways = Array.from({ length: 6 }, () => started());
  far.hangs = true;
  urls = [farUrl()];
  deadlineMs = BRIEF_MS;
  for (let time = 0; time < 3; time++) await Promise.all(gateways.map((each) => each.flush(["a.test"])));
  const { promise: purging, resolve: finish } = Promise.withResolvers<void>();
  far.beforePurge = () => purging;
  deadlineMs = NEVER_MS;
  far.hangs = false;
  const states = () => gateways.map((each) => each.stateOf(farUrl()));
  await eventually(states).toEqual(gateways.map(() => "returning"));
  finish();
  await eventually(states).toEqual(gateways.map(() => "answering"));
  // One that was under way, and one for all who came meanwhile.
  expect(far.wholePurges).toBe(2);
  for (const each of gateways) await each.stop();
});

test("one that is taken out of the settings is probed no longer", async () => {
  far.fails = true;
  await makeLate();
  const [first = "", second = ""] = urls;
  urls = [first];
  await eventually(() => nameservers.stateOf(second)).toBe("answering");
  expect([...nameservers.states.keys()]).toEqual([first]);
  expect(await nameservers.flush(["a.test"])).toEqual({ confirmed: 1, of: 1 });
});

test("a stop ends probes and purges that are under way", async () => {
  await makeHang();
  far.hangs = false;
  far.beforePurge = () => new Promise(() => {});
  await untilReturning();
  await nameservers.stop();
  expect(farState()).toBe("late");
});

test("a file of the settings is away: none of those that they name has confirmed", async () => {
  const access = () => {
    throw new ConfigError("NAMESERVER_CONTROL_TLS_CA: /away cannot be read (ENOENT)");
  };
  const away = new Nameservers({ access, named: 3, log: () => {} });
  expect(await away.flush(["a.test"])).toEqual({ confirmed: 0, of: 3 });
  await away.stop();
});

test("none is known: null", async () => {
  const none = new Nameservers({ access: () => null, named: 1, log: () => {} });
  expect(await none.flush(["a.test"])).toBeNull();
  await none.stop();
});
