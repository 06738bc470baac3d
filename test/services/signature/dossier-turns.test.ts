// Whose dossiers are sent when.
import { Readable } from "node:stream";
import { setImmediate as later } from "node:timers/promises";
import { expect, test } from "vitest";
import { FairSlots } from "../../../src/adapters/fair-slots.ts";
import { sentInTurns } from "../../../src/services/signature/dossiers/sent-in-turns.ts";

/** A file that is sent in turns, and how many of it are open. */
function files(slots: FairSlots) {
  const streams: Readable[] = [];
  const file = {
    length: 3,
    etag: "x",
    open: () => {
      const stream = new Readable({ read: () => {} });
      streams.push(stream);
      return stream;
    },
  };
  return { streams, of: (group: string) => sentInTurns(file, slots, group) };
}

test("a turn lasts until its file was sent or given up, and the next then begins", async () => {
  const { streams, of } = files(new FairSlots(2, { perGroup: 1, mostOfGroup: 2, most: 10 }));
  await of("a").open(0, 2);
  const second = Promise.resolve(of("a").open(0, 2));
  const other = await of("b").open(0, 2);
  expect(streams).toHaveLength(2);
  // A third of one organization waits no more: it is told to come back.
  await expect(of("a").open(0, 2)).rejects.toMatchObject({ status: 503, code: "unavailable" });
  other.destroy();
  await later();
  expect(streams).toHaveLength(2);
  streams[0]?.push("abc");
  streams[0]?.push(null);
  streams[0]?.resume();
  expect(await second).toBe(streams[2]);
});

test("a file that cannot be opened gives its turn back, and its error to the caller", async () => {
  const slots = new FairSlots(1, { perGroup: 1, mostOfGroup: 1, most: 1 });
  const broken = sentInTurns({ length: 3, etag: "x", open: () => Promise.reject(new Error("away")) }, slots, "a");
  await expect(broken.open(0, 2)).rejects.toThrow("away");
  const { of } = files(slots);
  expect(await of("a").open(0, 2)).toBeInstanceOf(Readable);
});
