// The loop that claims leased work, by itself: work that ends when a test says so, and no real waits.
import pino from "pino";
import { afterEach, expect, test } from "vitest";
import { LeasedLoop, type LeasedWork } from "../../workers/leased-loop.ts";

/** Longer than any test: only a wake-up or an end lets the loop look again. */
const NEVER_MS = 2 ** 31 - 1;

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** A loop over leases that a test hands out, and what it asked for. */
function stageOf({ most = 3, idleMs = NEVER_MS }: Partial<Pick<LeasedWork<string>, "most" | "idleMs">> = {}) {
  const due: string[] = [];
  const claims: number[] = [];
  const errors: { work: string; msg: string; message: string }[] = [];
  const ended: string[] = [];
  const running = new Map<string, PromiseWithResolvers<void>>();
  let hold: PromiseWithResolvers<void> | null = null;
  let faults = 0;
  const loop = new LeasedLoop<string>({
    name: "tests",
    claim: async (room) => {
      claims.push(room);
      const found = due.splice(0, room);
      if (hold !== null) await hold.promise;
      if (faults > 0) {
        faults -= 1;
        due.unshift(...found);
        throw new Error("no connection");
      }
      return found;
    },
    run: async (lease) => {
      const end = Promise.withResolvers<void>();
      running.set(lease, end);
      await end.promise.finally(() => running.delete(lease));
      ended.push(lease);
    },
    most,
    idleMs,
    log: pino(
      { level: "error" },
      {
        write: (line: string) => {
          const { work, msg, err } = JSON.parse(line);
          errors.push({ work, msg, message: err.message });
        },
      },
    ),
  });
  const endAll = () => {
    for (const { resolve } of running.values()) resolve();
  };
  stops.push(async () => {
    const stopped = loop.stop();
    hold?.resolve();
    endAll();
    await stopped;
  });
  return {
    loop,
    claims,
    errors,
    ended,
    add: (...leases: readonly string[]) => void due.push(...leases),
    end: (lease: string) => running.get(lease)?.resolve(),
    fail: (lease: string) => running.get(lease)?.reject(new Error(`${lease} has failed`)),
    endAll,
    under: () => [...running.keys()],
    /** The next claims wait until they are let go. */
    holdClaims: () => {
      hold = Promise.withResolvers<void>();
      return () => {
        hold?.resolve();
        hold = null;
      };
    },
    failClaims: (count: number) => {
      faults = count;
    },
    /** Lets all go on that waits for nothing but its turn. */
    settle: () => new Promise<void>((resolve) => setImmediate(resolve)),
  };
}

test("it has at most so much under way, asks for no more than there is room for, and asks again when something ends", async () => {
  const { loop, claims, add, under, end, ended, settle } = stageOf();
  add("a", "b", "c", "d", "e");
  loop.start();
  await settle();
  expect([under(), claims]).toEqual([["a", "b", "c"], [3]]);
  // Full: a wake-up claims nothing.
  loop.wake();
  await settle();
  expect(claims).toEqual([3]);
  end("b");
  await settle();
  expect([under(), ended, claims]).toEqual([["a", "c", "d"], ["b"], [3, 1]]);
  end("a");
  end("c");
  await settle();
  await settle();
  expect([under(), claims[2]]).toEqual([["d", "e"], expect.any(Number)]);
  expect(Math.max(...claims)).toBe(3);
});

test("it rests when nothing is due, and looks again when it is woken", async () => {
  const { loop, claims, add, under, settle } = stageOf();
  loop.start();
  loop.start();
  await settle();
  expect(claims).toEqual([3]);
  add("a");
  await settle();
  expect(under()).toEqual([]);
  loop.wake();
  await settle();
  // It asks until it gets nothing.
  expect([under(), claims]).toEqual([["a"], [3, 3, 2]]);
});

test("a wake-up during a claim is not lost", async () => {
  const { loop, claims, add, under, holdClaims, settle } = stageOf();
  const release = holdClaims();
  loop.start();
  await settle();
  expect(claims).toEqual([3]);
  // It comes due after the claim has looked.
  add("a");
  loop.wake();
  release();
  await settle();
  expect(under()).toEqual(["a"]);
});

test("without a wake-up it looks again after its idle time", async () => {
  const { loop, add, under } = stageOf({ idleMs: 1 });
  loop.start();
  add("a");
  await expect.poll(under).toEqual(["a"]);
});

test("a claim that fails is logged, and tried again later", async () => {
  const { loop, claims, errors, add, under, failClaims, settle } = stageOf();
  failClaims(1);
  add("a");
  loop.start();
  await settle();
  expect([claims, under()]).toEqual([[3], []]);
  expect(errors).toEqual([{ work: "tests", msg: "nothing could be claimed", message: "no connection" }]);
  loop.wake();
  await settle();
  expect(under()).toEqual(["a"]);
  expect(errors).toHaveLength(1);
});

test("work that fails is logged, and the others go on", async () => {
  const { loop, errors, add, under, fail, ended, end, settle } = stageOf({ most: 2 });
  add("a", "b", "c");
  loop.start();
  await settle();
  fail("a");
  await settle();
  expect(under()).toEqual(["b", "c"]);
  expect(errors).toEqual([{ work: "tests", msg: "leased work has failed, and comes back", message: "a has failed" }]);
  end("b");
  await settle();
  expect(ended).toEqual(["b"]);
});

test("stop claims nothing new, and waits for what is under way, also for a claim", async () => {
  const { loop, claims, add, under, ended, end, endAll, holdClaims, settle } = stageOf({ most: 2 });
  add("a", "b", "c");
  const release = holdClaims();
  loop.start();
  await settle();
  let hasStopped = false;
  const stopped = loop.stop().then(() => {
    hasStopped = true;
  });
  await settle();
  expect([hasStopped, under()]).toEqual([false, []]);
  // What was leased is done: nobody else gets it before its lease ends.
  release();
  await settle();
  expect([hasStopped, under()]).toEqual([false, ["a", "b"]]);
  end("a");
  loop.wake();
  await settle();
  expect([hasStopped, under(), claims]).toEqual([false, ["b"], [2]]);
  endAll();
  await stopped;
  expect(ended).toEqual(["a", "b"]);
});

test("stop before start, and while it rests, ends at once", async () => {
  const idle = stageOf();
  await idle.loop.stop();
  const resting = stageOf();
  resting.loop.start();
  await resting.settle();
  await resting.loop.stop();
  expect(resting.claims).toEqual([3]);
});
