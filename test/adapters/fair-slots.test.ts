import { describe, expect, test } from "vitest";
import { FairSlots, type FairSlotsOptions, SlotsBusyError } from "../../src/adapters/fair-slots.ts";

/** Work that ends when it is told to, and the order in which work began. */
function stage(total: number, options: FairSlotsOptions = {}) {
  const slots = new FairSlots(total, options);
  const begun: string[] = [];
  const running = new Map<string, () => void>();
  const add = (name: string, signal?: AbortSignal) =>
    slots.run(
      name.charAt(0),
      () => {
        begun.push(name);
        return new Promise<string>((resolve) => running.set(name, () => resolve(name)));
      },
      signal,
    );
  const end = async (name: string) => {
    running.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { slots, begun, add, end };
}

describe("FairSlots", () => {
  test("one group has half of the slots, at least one", () => {
    expect([1, 2, 3, 4, 9].map((total) => new FairSlots(total).perGroup)).toEqual([1, 1, 1, 2, 4]);
    expect(new FairSlots(0).total).toBe(1);
  });

  test("one group has as many as it is given", async () => {
    const { begun, add } = stage(4, { perGroup: 3 });
    for (const name of ["a1", "a2", "a3", "a4", "b1", "b2"]) void add(name);
    await Promise.resolve();
    expect(begun).toEqual(["a1", "a2", "a3", "b1"]);
  });

  test("as many of a group, and of all, run or wait as may; the next one is refused at once, until one has ended", async () => {
    const { begun, add, end } = stage(2, { mostOfGroup: 3, most: 5 });
    for (const name of ["a1", "a2", "a3"]) void add(name);
    await expect(add("a4")).rejects.toThrow(SlotsBusyError);
    for (const name of ["b1", "b2"]) void add(name);
    await expect(add("c1")).rejects.toThrow(SlotsBusyError);
    await end("a1");
    void add("c2");
    await expect(add("c3")).rejects.toThrow(SlotsBusyError);
    for (const name of ["b1", "a2", "b2", "c2", "a3"]) await end(name);
    expect(begun.toSorted()).toEqual(["a1", "a2", "a3", "b1", "b2", "c2"]);
    void add("a5");
    await Promise.resolve();
    expect(begun.at(-1)).toBe("a5");
  });

  test("a hundred pieces of work of one group leave room for another", async () => {
    const { begun, add } = stage(2);
    for (let index = 0; index < 100; index += 1) void add(`a${index}`);
    void add("b");
    await Promise.resolve();
    expect(begun).toEqual(["a0", "b"]);
  });

  test("groups take turns, and each group keeps its order", async () => {
    const { begun, add, end } = stage(1);
    for (const name of ["a1", "a2", "a3", "b1", "b2", "c1"]) void add(name);
    await Promise.resolve();
    for (const name of ["a1", "a2", "b1", "c1", "a3", "b2"]) await end(begun.at(-1) ?? name);
    expect(begun).toEqual(["a1", "a2", "b1", "c1", "a3", "b2"]);
  });

  test("work that fails gives its slot back", async () => {
    const slots = new FairSlots(1);
    await expect(slots.run("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await slots.run("a", async () => "next")).toBe("next");
  });

  test("waiting can be aborted, and others go on", async () => {
    const { begun, add, end } = stage(1);
    void add("a1");
    const abort = new AbortController();
    const waiting = add("a2", abort.signal);
    void add("a3");
    abort.abort(new Error("gone"));
    await expect(waiting).rejects.toThrow("gone");
    await expect(add("b", AbortSignal.abort(new Error("before")))).rejects.toThrow("before");
    await end("a1");
    expect(begun).toEqual(["a1", "a3"]);
  });
});
