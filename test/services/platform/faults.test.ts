// What failed in the last 90 days: jobs.record_faults with a clock of the test's own, and gateway.faults, which the page /status reads.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { FaultRecord } from "../../../src/postgres/database.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(
  async () => void (await database.admin.query("delete from platform.faults; delete from platform.fault_watch")),
);

const BEGIN = Date.parse("2026-11-01T12:00:00Z");
/** An instant so many minutes after the first observation. */
const at = (minutes: number) => new Date(BEGIN + minutes * 60_000).toISOString();
const DAY = 1440;

const observe = (minutes: number, states: Readonly<Record<string, string>> = {}) =>
  database.admin.query("select jobs.record_faults($1, $2)", [states, at(minutes)]);
/** An observation each minute. */
async function observeAll(from: number, to: number, states: Readonly<Record<string, string>> = {}): Promise<void> {
  for (let minute = from; minute <= to; minute++) await observe(minute, states);
}
async function read(minutes: number, most = 30): Promise<FaultRecord> {
  const { rows } = await database.admin.query("select gateway.faults($1, $2) as faults", [at(minutes), most]);
  return rows[0].faults;
}
/** Each fault as its component, its extent, and the minutes of its begin and end. */
async function faults(minutes: number): Promise<unknown[]> {
  const minuteOf = (instant: string | null) => (instant === null ? null : (Date.parse(instant) - BEGIN) / 60_000);
  return (await read(minutes)).faults.map(({ component, extent, began_at, ended_at }) => [
    component,
    extent,
    minuteOf(began_at),
    minuteOf(ended_at),
  ]);
}

test("before the first observation nothing is said", async () => {
  expect(await read(0)).toEqual({ since: null, is_whole: false, more: 0, faults: [] });
});

test("the first observation of a new installation is no fault", async () => {
  await observe(0, { storage: "ok" });
  expect(await read(1)).toMatchObject({ since: "2026-11-01T12:00:00.000000Z", is_whole: false, faults: [] });
});

describe("a component", () => {
  test("begins to fail, goes on and works again: one row, not one a minute", async () => {
    await observe(0, { storage: "ok", keys: "ok" });
    await observeAll(1, 9, { storage: "failed", keys: "ok" });
    expect(await faults(9)).toEqual([["storage", "whole", 1, null]]);
    expect((await read(9)).faults[0]?.seconds).toBe(8 * 60);
    await observe(10, { storage: "ok", keys: "ok" });
    expect(await faults(30)).toContainEqual(["storage", "whole", 1, 10]);
    expect((await read(14)).faults).toEqual([
      expect.objectContaining({
        began_at: "2026-11-01T12:01:00.000000Z",
        ended_at: "2026-11-01T12:10:00.000000Z",
        seconds: 540,
      }),
    ]);
  });

  test("that is not observed any more does not fail for ever", async () => {
    await observe(0, { nameservers: "failed" });
    await observe(1, {});
    expect(await faults(2)).toEqual([["nameservers", "whole", 0, 1]]);
  });

  test("whose state is unknown neither begins nor ends a fault", async () => {
    await observe(0, { keys: "failed", certificates: "ok" });
    await observe(1, { keys: "unknown", certificates: "unknown" });
    expect(await faults(1)).toEqual([["keys", "whole", 0, null]]);
  });

  test("that works in part has a fault, which keeps its worst extent", async () => {
    await observe(0, { storage: "part", nameservers: "part" });
    await observe(1, { storage: "failed", nameservers: "part" });
    await observe(2, { storage: "part", nameservers: "part" });
    expect(await faults(2)).toEqual([
      ["nameservers", "part", 0, null],
      ["storage", "whole", 0, null],
    ]);
  });

  test.each([
    [5, "is the same fault", [["storage", "whole", 0, null]]],
    [
      6,
      "is another fault",
      [
        ["storage", "whole", 7, null],
        ["storage", "whole", 0, 1],
      ],
    ],
  ])("that fails again after %i minutes: it %s", async (minutes, _, expected) => {
    await observe(0, { storage: "failed" });
    await observeAll(1, minutes, { storage: "ok" });
    await observe(minutes + 1, { storage: "failed" });
    expect(await faults(minutes + 1)).toEqual(expected);
  });

  test("without a place in the table is refused", async () => {
    await expect(observe(0, { "acme.example": "failed" })).rejects.toThrow("faults_component_check");
  });
});

describe("a pause of observations", () => {
  test("of up to five minutes, such as a restart, is no fault", async () => {
    await observe(0);
    expect(await faults(5)).toEqual([]);
    await observe(5);
    expect(await faults(5)).toEqual([]);
  });

  test("of more is a fault of the service: while it lasts, and once observations come again", async () => {
    await observeAll(0, 1);
    expect(await faults(7)).toEqual([["service", "whole", 1, null]]);
    await observe(20);
    expect(await faults(20)).toEqual([["service", "whole", 1, 20]]);
    await observe(21);
    expect(await faults(21)).toEqual([["service", "whole", 1, 20]]);
  });

  test("soon after another one is the same fault", async () => {
    await observe(0);
    await observeAll(10, 12);
    await observe(30);
    expect(await faults(30)).toEqual([["service", "whole", 0, 30]]);
    await observeAll(31, 36);
    await observe(50);
    expect(await faults(50)).toEqual([
      ["service", "whole", 36, 50],
      ["service", "whole", 0, 30],
    ]);
  });

  test("does not end what failed before it and fails after it", async () => {
    await observe(0, { storage: "failed" });
    await observe(10, { storage: "failed" });
    await observe(11, { storage: "ok" });
    expect(await faults(11)).toEqual([
      ["service", "whole", 0, 10],
      ["storage", "whole", 0, 11],
    ]);
  });

  test("before a restore of a backup says nothing: recording begins anew", async () => {
    await observe(0);
    await database.admin.query("select platform.record_restore('x', 'y')");
    expect(await read(DAY)).toMatchObject({ since: null, faults: [] });
    await observe(DAY);
    expect(await read(DAY)).toMatchObject({ since: "2026-11-02T12:00:00.000000Z", faults: [] });
  });

  test("before a restore ends with it what had not ended: nobody knows how long it lasted", async () => {
    await observe(0);
    await observe(1, { storage: "failed" });
    await observe(2, { storage: "failed" });
    await database.admin.query("select platform.record_restore('x', 'y')");
    await observe(DAY);
    expect(await faults(DAY)).toEqual([["storage", "whole", 1, 2]]);
  });
});

describe("several workers", () => {
  test("that observe the same at once write one fault, and one pause", async () => {
    await observe(0);
    await Promise.all(Array.from({ length: 6 }, () => observe(10, { storage: "failed", keys: "failed" })));
    expect(await faults(10)).toEqual([
      ["keys", "whole", 10, null],
      ["storage", "whole", 10, null],
      ["service", "whole", 0, 10],
    ]);
  });

  test("that are the first of all, at once, write no fault", async () => {
    await Promise.all(Array.from({ length: 6 }, () => observe(0)));
    expect(await read(1)).toMatchObject({ since: "2026-11-01T12:00:00.000000Z", faults: [] });
  });

  test("an observation that comes late changes nothing, and one that comes twice neither", async () => {
    await observe(0);
    await observe(2, { storage: "failed" });
    await observe(1, { keys: "failed", storage: "ok" });
    await observe(2, { storage: "failed" });
    expect(await faults(2)).toEqual([["storage", "whole", 2, null]]);
  });
});

describe("90 days", () => {
  test("a fault is shown until 90 days after its end, and then deleted by the same job", async () => {
    await observe(0, { storage: "failed" });
    await observe(1);
    const rows = async () =>
      (await database.admin.query("select from platform.faults where component = 'storage'")).rowCount;
    const shown = async (minutes: number) =>
      (await faults(minutes)).filter((fault) => (fault as string[])[0] === "storage").length;
    expect(await shown(1 + 90 * DAY)).toBe(1);
    expect(await shown(2 + 90 * DAY)).toBe(0);
    await observe(1 + 90 * DAY);
    expect(await rows()).toBe(1);
    await observe(2 + 90 * DAY);
    expect(await rows()).toBe(0);
  });

  test("a fault that lasts is kept, however long", async () => {
    await observe(0, { storage: "failed" });
    await observe(200 * DAY, { storage: "failed" });
    expect(await faults(200 * DAY)).toContainEqual(["storage", "whole", 0, null]);
  });

  test("are claimed only once they have passed", async () => {
    await observe(0);
    expect(await read(90 * DAY - 1)).toMatchObject({ is_whole: false });
    expect(await read(90 * DAY)).toMatchObject({ is_whole: true });
  });
});

test("of many faults the newest are answered, the newest first, and how many are left out", async () => {
  for (let hour = 0; hour < 5; hour++) {
    await observe(hour * 5, { storage: "ok", keys: "ok" });
    await database.admin.query(
      "insert into platform.faults (component, extent, began_at, ended_at) values ('storage', 'whole', $1, $2)",
      [at(hour * 5), at(hour * 5 + 1)],
    );
  }
  const { more, faults: newest } = await read(20, 3);
  expect([more, newest.map(({ began_at }) => began_at.slice(11, 16))]).toEqual([2, ["12:20", "12:15", "12:10"]]);
});
