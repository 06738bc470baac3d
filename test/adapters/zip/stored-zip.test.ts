// ZIPs of a known length. unzip and python3 read them, which share no code with us.
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { setImmediate as later } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { storedZip, type ZipEntry } from "../../../src/adapters/zip/stored-zip.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "selo-zip-"));
afterAll(() => fs.rmSync(folder, { recursive: true }));

const AT = new Date("2026-11-20T12:34:56.633Z");
const LONG = randomBytes(300_000);

/** Content that is read in pieces, and says when it was closed. */
const streamed = (name: string, bytes: Buffer, closed: string[] = [], size = bytes.length): ZipEntry => ({
  name,
  size,
  content: async function* () {
    try {
      for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
    } finally {
      closed.push(name);
    }
  },
});
const inMemory = (name: string, text: string): ZipEntry => ({
  name,
  size: Buffer.byteLength(text),
  content: Buffer.from(text),
});
const ENTRIES = [inMemory("first.txt", "one"), streamed("a/long.bin", LONG), inMemory("last.txt", "")];

const whole = async (entries: readonly ZipEntry[]) => {
  const { length, open } = await storedZip(entries, AT);
  return { length, bytes: await buffer(open(0, length - 1)) };
};

describe("storedZip", () => {
  test("says its length before it is read, and other programs find what was put in, stored, with its time", async () => {
    const { length, bytes } = await whole(ENTRIES);
    expect(bytes.length).toBe(length);
    const file = path.join(folder, "whole.zip");
    fs.writeFileSync(file, bytes);
    expect(execFileSync("unzip", ["-t", file], { encoding: "utf8" })).toContain("No errors detected");
    const program =
      "import sys,json,zipfile,hashlib\nz=zipfile.ZipFile(sys.argv[1])\nprint(json.dumps([[i.filename,hashlib.sha256(z.read(i)).hexdigest(),i.compress_type,list(i.date_time)] for i in z.infolist()]))";
    const found = JSON.parse(execFileSync("python3", ["-c", program, file], { encoding: "utf8" }));
    const { createHash } = await import("node:crypto");
    const sha = (content: Buffer | string) => createHash("sha256").update(content).digest("hex");
    const time = [2026, 11, 20, 12, 34, 56];
    expect(found).toEqual([
      ["first.txt", sha("one"), 0, time],
      ["a/long.bin", sha(LONG), 0, time],
      ["last.txt", sha(""), 0, time],
    ]);
  });

  test("gives the same bytes each time, in any time zone", async () => {
    const { bytes } = await whole(ENTRIES);
    const zone = process.env["TZ"];
    try {
      process.env["TZ"] = "Asia/Kolkata";
      expect((await whole(ENTRIES)).bytes.equals(bytes)).toBe(true);
    } finally {
      if (zone === undefined) delete process.env["TZ"];
      else process.env["TZ"] = zone;
    }
  });

  test.each([
    ["America/Sao_Paulo", "2018-11-04T00:30:10Z"],
    ["Europe/Berlin", "2026-03-29T02:30:10Z"],
    ["America/Sao_Paulo", "2018-02-17T23:30:10Z"],
  ])("says the time in UTC also where the clocks of %s never show or repeat it: %s", async (name, at) => {
    const zone = process.env["TZ"];
    try {
      process.env["TZ"] = name;
      const { length, open } = await storedZip([inMemory("a", "a")], new Date(at));
      const file = path.join(folder, "time.zip");
      fs.writeFileSync(file, await buffer(open(0, length - 1)));
      const program =
        "import sys,zipfile,datetime\nprint(datetime.datetime(*zipfile.ZipFile(sys.argv[1]).infolist()[0].date_time).isoformat()+'Z')";
      expect(execFileSync("python3", ["-c", program, file], { encoding: "utf8" }).trim()).toBe(at);
    } finally {
      if (zone === undefined) delete process.env["TZ"];
      else process.env["TZ"] = zone;
    }
  });

  test.each([
    [0, 0],
    [0, 40],
    [39, 65_600],
    [100_000, 250_000],
    [300_100, -1],
    [-1, -1],
  ])("opens the range %i to %i", async (from, to) => {
    const { length, bytes } = await whole(ENTRIES);
    const { open } = await storedZip(ENTRIES, AT);
    const [start, end] = [from < 0 ? length - 1 : from, to < 0 ? length - 1 : to];
    expect((await buffer(open(start, end))).equals(bytes.subarray(start, end + 1))).toBe(true);
  });

  test("closes what it reads, when its reader goes away and when the range is over", async () => {
    for (const end of [70_000, 999_999]) {
      const closed: string[] = [];
      const { length, open } = await storedZip([streamed("long.bin", LONG, closed), inMemory("z", "z")], AT);
      const stream = open(0, Math.min(end, length - 1));
      if (end > length)
        await new Promise<void>((resolve) => {
          stream.once("data", () => {
            stream.destroy();
            resolve();
          });
        });
      else await buffer(stream);
      while (closed.length === 0) await later();
      expect(closed).toEqual(["long.bin"]);
    }
  });

  test("breaks off where a content fails, or has another length than it said", async () => {
    const failing: ZipEntry = {
      name: "x",
      size: 10,
      // biome-ignore lint/correctness/useYield: it fails before
      content: async function* () {
        throw new Error("altered");
      },
    };
    for (const entry of [failing, streamed("x", LONG, [], LONG.length - 1), streamed("x", LONG, [], LONG.length + 1)])
      await expect(whole([inMemory("a", "a"), entry, inMemory("b", "b")])).rejects.toThrow(/altered|number of bytes/);
  });
});
