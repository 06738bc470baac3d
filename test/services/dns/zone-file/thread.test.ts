// The thread that reads and writes zone files.
import { expect, test } from "vitest";
import { ZoneFileError } from "../../../../src/services/dns/zone-file/zone-file-error.ts";
import {
  MOST_FILE_BYTES,
  ZoneFiles,
  ZoneFilesBusyError,
} from "../../../../src/services/dns/zone-file/zone-file-thread.ts";

const ZONE = "example.test";
const files = new ZoneFiles();
const MOST_RECORDS = 200_000;
const RECORD = "a A 192.0.2.1\n";

test("reads records as SQL takes them, and writes zones", async () => {
  expect(await files.read(`;selo {"comment":"c"}\n${RECORD}$ORIGIN x\n`, ZONE, "one")).toEqual({
    records: '[[2,"a.example.test","A",3600,"192.0.2.1",null,false,"c"]]',
    warnings: [{ code: "origin_without_dot", message: expect.stringMatching(/^line 3: /) }],
  });
  expect(await files.read("", ZONE, "one")).toEqual({ records: "[]", warnings: [] });
  const zone = JSON.stringify({ name: ZONE, serial: 1, apex: [], records: [] });
  expect(await files.write(zone, "one")).toMatch(/^; Zone example\.test, serial 1\./);
});

test("tells the places of all faults", async () => {
  const error = await files.read(`${RECORD}b A\n$X`, ZONE, "one").catch((fault: unknown) => fault);
  expect(error).toBeInstanceOf(ZoneFileError);
  expect(error).toMatchObject({
    message: "the record has no data",
    line: 2,
    column: 3,
    others: [{ message: "$X is not read", line: 3, column: 1 }],
  });
});

test("reads exactly 16 MiB, and refuses one byte more, in characters of any length", async () => {
  const file = (bytes: number) =>
    `${RECORD};${"é".repeat((MOST_FILE_BYTES - 16) / 2)}${"x".repeat(bytes - MOST_FILE_BYTES + 1)}`;
  expect(Buffer.byteLength(file(MOST_FILE_BYTES))).toBe(MOST_FILE_BYTES);
  expect(JSON.parse((await files.read(file(MOST_FILE_BYTES), ZONE, "one")).records)).toHaveLength(1);
  for (const more of [file(MOST_FILE_BYTES + 1), ";".repeat(MOST_FILE_BYTES + 1)])
    await expect(files.read(more, ZONE, "one")).rejects.toMatchObject({
      message: "the file has more than 16 MiB",
      line: 1,
    });
});

test("refuses a file whose records need far more memory than the file", async () => {
  const file = `$ORIGIN ${"a.".repeat(490)}\n${"a A 1\n".repeat(2_700_000)}`;
  expect(file.length).toBeLessThan(MOST_FILE_BYTES);
  await expect(files.read(file, ZONE, "one")).rejects.toMatchObject({
    name: "ZoneFileError",
    message: "the file has more records than one import takes",
  });
});

test("reads exactly 200,000 records, and refuses one more, at its line", async () => {
  const file = (records: number) => "a A 192.0.2.1\n".repeat(records);
  expect(JSON.parse((await files.read(file(MOST_RECORDS), ZONE, "one")).records)).toHaveLength(MOST_RECORDS);
  await expect(files.read(file(MOST_RECORDS + 1), ZONE, "one")).rejects.toMatchObject({
    message: "the file has more records than one import takes",
    line: MOST_RECORDS + 1,
  });
});

test("20 files wait, four of each group; one more is refused, and a fault holds up none of them", async () => {
  const read = (place: number) => files.read(place === 0 ? "$" : RECORD, ZONE, `group ${Math.floor(place / 4)}`);
  const fifth = Promise.allSettled(Array.from({ length: 5 }, () => files.read(RECORD, ZONE, "one")));
  expect((await fifth).map(({ status }) => status)).toEqual([...Array(4).fill("fulfilled"), "rejected"]);
  const results = await Promise.allSettled(Array.from({ length: 21 }, (_, place) => read(place)));
  expect(results.map(({ status }) => status)).toEqual(["rejected", ...Array(19).fill("fulfilled"), "rejected"]);
  expect((results.at(-1) as PromiseRejectedResult).reason).toBeInstanceOf(ZoneFilesBusyError);
  expect((await read(1)).records).toContain("192.0.2.1");
});
