// How many works of one token are under way at once.
import { expect, test } from "vitest";
import { Turns } from "../../src/postgres/turns.ts";

/** Works that end when they are told. */
function works(turns: Turns) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (key: string, name: string) =>
    turns.run(key, () => {
      begun.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    });
  return { begun, start, end: (name: string) => ends.get(name)?.() };
}

test("two of one key at once, the others in their order, and other keys are not kept waiting", async () => {
  const { begun, start, end } = works(new Turns(2));
  const all = [start("a", "a1"), start("a", "a2"), start("a", "a3"), start("a", "a4"), start("b", "b1")];
  await expect.poll(() => begun).toEqual(["a1", "a2", "b1"]);
  end("a2");
  await all[1];
  await expect.poll(() => begun).toEqual(["a1", "a2", "b1", "a3"]);
  end("a1");
  await expect.poll(() => begun).toEqual(["a1", "a2", "b1", "a3", "a4"]);
  for (const name of begun) end(name);
  expect(await Promise.all(all)).toEqual(["a1", "a2", "a3", "a4", "b1"]);
});

test("a work that fails gives its turn on", async () => {
  const turns = new Turns(1);
  const failing = turns.run("a", () => Promise.reject(new Error("no")));
  const next = turns.run("a", async () => "yes");
  await expect(failing).rejects.toThrow("no");
  expect(await next).toBe("yes");
});

test("beyond 200 nobody waits: 503", async () => {
  const turns = new Turns(1);
  let end = () => {};
  const first = turns.run(
    "a",
    () =>
      new Promise<void>((resolve) => {
        end = resolve;
      }),
  );
  const waiting = Array.from({ length: 200 }, () => turns.run("a", async () => {}));
  await expect(turns.run("a", async () => {})).rejects.toMatchObject({ status: 503, code: "unavailable" });
  end();
  await Promise.all([first, ...waiting]);
});
