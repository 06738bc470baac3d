import { expect, test } from "vitest";
import { WorkThread, WorkThreadBusyError } from "../../../src/adapters/threads/work-thread.ts";

test("beyond a hundred nobody waits; those who wait are served, and then there is room again", async () => {
  const thread = new WorkThread<string>(new URL("blank-thread.ts", import.meta.url));
  const settled = await Promise.allSettled(Array.from({ length: 103 }, () => thread.run("a")));
  const refused = settled.filter((each) => each.status === "rejected");
  expect(refused.map(({ reason }) => reason instanceof WorkThreadBusyError)).toEqual([true, true, true]);
  expect((await thread.run("b")).toString()).toBe("b");
  await thread.close();
});
