// When changes wait for a nameserver.
import { expect, test } from "vitest";
import { Lateness } from "../../../src/adapters/nameserver/lateness.ts";

let clock = 0;
/** Flushes one after the other. */
const flushed = (lateness: Lateness, isConfirmed: boolean) => {
  clock += 2;
  lateness.flushed(isConfirmed, { began: clock - 1, ended: clock });
};
const missed = (lateness: Lateness, times: number) => {
  for (let time = 0; time < times; time++) flushed(lateness, false);
};
const late = () => {
  const lateness = new Lateness();
  missed(lateness, 3);
  return lateness;
};

test("it is late after three missed flushes in a row, not after two", () => {
  const lateness = new Lateness();
  expect(lateness.state).toBe("answering");
  missed(lateness, 2);
  expect(lateness.state).toBe("answering");
  missed(lateness, 1);
  expect(lateness.state).toBe("late");
});

test("a confirmed flush in between begins the count anew", () => {
  const lateness = new Lateness();
  missed(lateness, 2);
  flushed(lateness, true);
  missed(lateness, 2);
  expect(lateness.state).toBe("answering");
  missed(lateness, 1);
  expect(lateness.state).toBe("late");
});

test("flushes at once miss one pause together: a miss counts if its flush began after the last one that counts had ended", () => {
  const lateness = new Lateness();
  const miss = (began: number, ended: number) => {
    lateness.flushed(false, { began, ended });
    return lateness.state;
  };
  for (const began of [0, 1, 1.5, 1.9]) expect(miss(began, began + 2)).toBe("answering");
  // The second, and three beside it.
  for (const began of [2, 2.1, 3, 3.9]) expect(miss(began, began + 2)).toBe("answering");
  expect(miss(3.99, 5.99)).toBe("answering");
  expect(miss(4, 6)).toBe("late");
});

test("a late one is not back by a flush that was under way, nor by a purge without a probe", () => {
  const lateness = late();
  flushed(lateness, true);
  lateness.purged(true);
  expect(lateness.state).toBe("late");
});

test("it is back after a probe and the whole purge, and three more misses make it late again", () => {
  const lateness = late();
  lateness.probed();
  expect(lateness.state).toBe("returning");
  flushed(lateness, true);
  expect(lateness.state).toBe("returning");
  lateness.purged(true);
  expect(lateness.state).toBe("answering");
  missed(lateness, 2);
  expect(lateness.state).toBe("answering");
  missed(lateness, 1);
  expect(lateness.state).toBe("late");
});

test("a purge that fails leaves it late", () => {
  const lateness = late();
  lateness.probed();
  lateness.purged(false);
  expect(lateness.state).toBe("late");
});

test("a flush that is missed beside the purge makes it late at once, and that purge no longer brings it back", () => {
  const lateness = late();
  lateness.probed();
  flushed(lateness, false);
  expect(lateness.state).toBe("late");
  lateness.purged(true);
  expect(lateness.state).toBe("late");
  lateness.probed();
  lateness.purged(true);
  expect(lateness.state).toBe("answering");
});

test("a probe of one that answers changes nothing", () => {
  const lateness = new Lateness();
  lateness.probed();
  expect(lateness.state).toBe("answering");
});
