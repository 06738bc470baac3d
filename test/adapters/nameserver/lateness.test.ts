// When changes wait for a nameserver.
import { expect, test } from "vitest";
import { Lateness } from "../../../src/adapters/nameserver/lateness.ts";

const missed = (lateness: Lateness, times: number) => {
  for (let time = 0; time < times; time++) lateness.flushed(false);
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
  lateness.flushed(true);
  missed(lateness, 2);
  expect(lateness.state).toBe("answering");
  missed(lateness, 1);
  expect(lateness.state).toBe("late");
});

test("a late one is not back by a flush that was under way, nor by a purge without a probe", () => {
  const lateness = late();
  lateness.flushed(true);
  lateness.purged(true);
  expect(lateness.state).toBe("late");
});

test("it is back after a probe and the whole purge, and three more misses make it late again", () => {
  const lateness = late();
  lateness.probed();
  expect(lateness.state).toBe("returning");
  lateness.flushed(true);
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
  lateness.flushed(false);
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
