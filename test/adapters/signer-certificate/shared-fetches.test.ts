// Equal questions to issuers that are asked at the same time, and how many are asked at once.
import { setImmediate as later } from "node:timers/promises";
import { expect, test } from "vitest";
import { FairSlots } from "../../../src/adapters/fair-slots.ts";
import { SharedFetches } from "../../../src/adapters/signer-certificate/shared-fetches.ts";

/** Fetches that end when they are told to. */
function stage(slots?: FairSlots) {
  const fetches = new SharedFetches<string>(slots);
  const begun: { readonly key: string; readonly end: (said: string) => void; readonly signal: AbortSignal }[] = [];
  const ask = (key: string, signal = new AbortController().signal, host = "a") =>
    fetches.fetch({ key, host, signal }, (whole) => {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      whole.addEventListener("abort", () => reject(whole.reason));
      begun.push({ key, end: resolve, signal: whole });
      return promise;
    });
  return { begun, ask };
}

test("who asks for the same at the same time gets the same, and who comes later asks anew", async () => {
  const { begun, ask } = stage();
  const both = Promise.all([ask("list"), ask("list"), ask("other")]);
  await later();
  expect(begun.map(({ key }) => key)).toEqual(["list", "other"]);
  for (const { key, end } of begun) end(`of ${key}`);
  expect(await both).toEqual(["of list", "of list", "of other"]);
  const third = ask("list");
  await later();
  expect(begun).toHaveLength(3);
  begun[2]?.end("new");
  expect(await third).toBe("new");
});

test("who gives up leaves the others waiting; the fetch ends with the last", async () => {
  const { begun, ask } = stage();
  const [first, second] = [new AbortController(), new AbortController()];
  const waits = [ask("list", first.signal), ask("list", second.signal)];
  const settled = Promise.allSettled(waits);
  await later();
  first.abort(new Error("first"));
  await expect(waits[0]).rejects.toThrow("first");
  expect(begun[0]?.signal.aborted).toBe(false);
  // One who comes now still shares it.
  const third = ask("list");
  await later();
  expect(begun).toHaveLength(1);
  second.abort(new Error("second"));
  await expect(waits[1]).rejects.toThrow("second");
  expect(begun[0]?.signal.aborted).toBe(false);
  begun[0]?.end("said");
  expect(await third).toBe("said");
  await settled;
});

test("a fetch for which nobody waits is ended, and gives its turn back", async () => {
  const { begun, ask } = stage(new FairSlots(1, { perGroup: 1 }));
  const alone = new AbortController();
  const given = ask("list", alone.signal);
  const other = ask("other");
  await later();
  expect(begun.map(({ key }) => key)).toEqual(["list"]);
  alone.abort(new Error("enough"));
  await expect(given).rejects.toThrow("enough");
  expect(begun[0]?.signal.aborted).toBe(true);
  await later();
  expect(begun.map(({ key }) => key)).toEqual(["list", "other"]);
  begun[1]?.end("said");
  expect(await other).toBe("said");
});

test("a host has some of the places, and too many that wait are told so", async () => {
  const { begun, ask } = stage(new FairSlots(2, { perGroup: 1, mostOfGroup: 2, most: 10 }));
  const waits = [ask("1"), ask("2"), ask("3", undefined, "b")];
  expect(await ask("4")).toBe("busy");
  await later();
  expect(begun.map(({ key }) => key)).toEqual(["1", "3"]);
  begun[0]?.end("one");
  await expect.poll(() => begun.length).toBe(3);
  for (const { end } of begun) end("said");
  expect(await Promise.all(waits)).toEqual(["one", "said", "said"]);
});
