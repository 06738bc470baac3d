// Whose dossiers are made and sent when.
import { Readable } from "node:stream";
import { setImmediate as later } from "node:timers/promises";
import { expect, test } from "vitest";
import { DossierTurns } from "../../../src/services/signature/dossiers/sent-in-turns.ts";
import type { FileSource } from "../../../src/surfaces/rest/file-source.ts";

interface Made {
  readonly file: FileSource;
}

/** Files that are made and sent in turns. */
function stage(limits: ConstructorParameters<typeof DossierTurns>[0]) {
  const turns = new DossierTurns(limits);
  const made: string[] = [];
  const streams: Readable[] = [];
  const open = () => {
    const stream = new Readable({ read: () => {} });
    streams.push(stream);
    return stream;
  };
  const ask = async (group: string) => {
    const { file } = await turns.make<Made>(group, async () => {
      made.push(group);
      return { file: { length: 3, etag: "x", open } };
    });
    return file;
  };
  return { turns, made, streams, ask };
}

test("nothing is made before its turn, which lasts until the file was sent or given up", async () => {
  const { made, streams, ask } = stage({ atOnce: 2, ofOne: 1, mostOfOne: 2, most: 10 });
  await (await ask("a")).open(0, 2);
  const second = ask("a");
  const other = await (await ask("b")).open(0, 2);
  expect(made).toEqual(["a", "b"]);
  // A third of one organization waits no more: it is told to come back.
  await expect(ask("a")).rejects.toMatchObject({ status: 503, code: "unavailable" });
  other.destroy();
  await later();
  expect(made).toEqual(["a", "b"]);
  streams[0]?.push("abc");
  streams[0]?.push(null);
  streams[0]?.resume();
  expect(await (await second).open(0, 2)).toBe(streams[2]);
  expect(made).toEqual(["a", "b", "a"]);
});

test("a file that cannot be made or opened, or that nobody reads, gives its turn back", async () => {
  const { turns, ask } = stage({ atOnce: 1, ofOne: 1, mostOfOne: 1, most: 1 });
  const away = () => Promise.reject(new Error("away"));
  await expect(turns.make("a", away)).rejects.toThrow("away");
  const broken = await turns.make<Made>("a", async () => ({ file: { length: 3, etag: "x", open: away } }));
  await expect(broken.file.open(0, 2)).rejects.toThrow("away");
  await later();
  (await ask("a")).notRead?.();
  await later();
  expect(await (await ask("a")).open(0, 2)).toBeInstanceOf(Readable);
});

test("a slow reader loses the turn and keeps the answer, and still counts among all that are sent", async () => {
  const { streams, ask } = stage({ atOnce: 1, ofOne: 1, mostOfOne: 2, most: 3, turnMs: 20 });
  await (await ask("a")).open(0, 2);
  await (await ask("a")).open(0, 2);
  expect(streams[0]?.destroyed).toBe(false);
  await expect(ask("a")).rejects.toMatchObject({ status: 503 });
  await (await ask("b")).open(0, 2);
  await expect(ask("c")).rejects.toMatchObject({ status: 503 });
  streams[0]?.destroy();
  await later();
  await (await ask("c")).open(0, 2);
  expect(streams.map(({ destroyed }) => destroyed)).toEqual([true, false, false, false]);
});
