// After which pauses a PowerDNS forgets its answers.
import { afterEach, beforeEach, expect, test } from "vitest";
import { watchPauses } from "../../../src/adapters/nameserver/pause-watch.ts";

const EVERY_MS = 1;
const LATE_MS = 2_000;

/** A PowerDNS whose answers, and the times that they take, a test says. */
class Scripted {
  purges = 0;
  rounds = 0;
  readonly #answers: () => boolean;
  constructor(answers: () => boolean) {
    this.#answers = answers;
  }
  async answers(): Promise<boolean> {
    this.rounds++;
    return this.#answers();
  }
  async purgeAll(): Promise<void> {
    this.purges++;
  }
}

let stopping: AbortController;
let watch: Promise<void>;
let clock: number;
let messages: string[];
beforeEach(() => {
  stopping = new AbortController();
  clock = 1_000_000;
  messages = [];
});
afterEach(async () => {
  stopping.abort();
  await watch;
});

function begin(powerDns: () => Scripted | null): void {
  const log = (message: string) => void messages.push(message);
  watch = watchPauses({ powerDns, log, signal: stopping.signal, now: () => clock, everyMs: EVERY_MS, lateMs: LATE_MS });
}

const rounds = (of: Scripted, more: number) => {
  const from = of.rounds;
  return expect.poll(() => of.rounds, { interval: 1 }).toBeGreaterThan(from + more);
};
/** A flush of everything is three purges, see forget-answers.ts. */
const PURGES = 3;

test("while it answers in time, it forgets nothing", async () => {
  const powerDns = new Scripted(() => {
    clock += LATE_MS;
    return true;
  });
  begin(() => powerDns);
  await rounds(powerDns, 20);
  expect({ purges: powerDns.purges, messages }).toEqual({ purges: 0, messages: [] });
});

test("when it answers again, it forgets all answers, once", async () => {
  let isAway = false;
  const powerDns = new Scripted(() => !isAway);
  begin(() => powerDns);
  await rounds(powerDns, 3);
  isAway = true;
  await rounds(powerDns, 3);
  expect(powerDns.purges).toBe(0);
  isAway = false;
  await rounds(powerDns, 5);
  expect(powerDns.purges).toBe(PURGES);
  expect(messages).toEqual(["The nameserver was away for a while and has forgotten all answers."]);
});

test("an answer that comes later than gateways wait counts as a pause", async () => {
  let isSlow = false;
  const powerDns = new Scripted(() => {
    if (isSlow) clock += LATE_MS + EVERY_MS + 1;
    isSlow = false;
    return true;
  });
  begin(() => powerDns);
  await rounds(powerDns, 3);
  isSlow = true;
  await rounds(powerDns, 5);
  expect(powerDns.purges).toBe(PURGES);
});

test("after a pause of the whole machine it forgets all answers", async () => {
  const powerDns = new Scripted(() => true);
  begin(() => powerDns);
  await rounds(powerDns, 3);
  clock += 3_600_000;
  await rounds(powerDns, 5);
  expect(powerDns.purges).toBe(PURGES);
});

test("a purge that fails is made again", async () => {
  let isAway = false;
  let failures = 2;
  const powerDns = new Scripted(() => !isAway);
  const purgeAll = powerDns.purgeAll.bind(powerDns);
  powerDns.purgeAll = async () => {
    if (failures-- > 0) throw new Error("away again");
    await purgeAll();
  };
  begin(() => powerDns);
  await rounds(powerDns, 3);
  isAway = true;
  await rounds(powerDns, 3);
  isAway = false;
  await rounds(powerDns, 10);
  expect(powerDns.purges).toBe(PURGES);
});

test("one that was started again has nothing to forget, also while it does not answer yet", async () => {
  let isReady = true;
  const first = new Scripted(() => true);
  const second = new Scripted(() => isReady);
  let running: Scripted | null = first;
  begin(() => running);
  await rounds(first, 3);
  running = null;
  isReady = false;
  running = second;
  await rounds(second, 3);
  isReady = true;
  await rounds(second, 5);
  expect([first.purges, second.purges]).toEqual([0, 0]);
});
