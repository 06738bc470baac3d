// The limits of those who ask the public DNS.
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { SlotsBusyError } from "../../../src/adapters/fair-slots.ts";
import { PublicDns } from "../../../src/adapters/resolver/public-dns.ts";
import { DnsWorld } from "../../support/dns-world.ts";

let world: DnsWorld;
beforeAll(async () => {
  world = await DnsWorld.start();
});
afterAll(() => world?.close());
afterEach(() => vi.useRealTimers());

const publicDns = (options: ConstructorParameters<typeof PublicDns>[0] = {}) =>
  new PublicDns({ resolvers: [world.resolver], loopbackPort: world.port, ...options });

test("by default fifty tasks run at once", async () => {
  const dns = publicDns();
  let begun = 0;
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const all = Array.from({ length: 51 }, () =>
    dns.task(async () => {
      begun++;
      await held;
    }),
  );
  await new Promise((resolve) => setImmediate(resolve));
  expect(begun).toBe(50);
  release();
  await Promise.all(all);
  expect(begun).toBe(51);
});

test("by default a query ends after two seconds, and a task after five", async () => {
  world.servers.set("127.0.0.1", () => null);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const began = performance.now();
  const ends: number[] = [];
  const task = publicDns().task(async (asking) => {
    for (let query = 0; query < 4; query++) {
      await asking.direct("127.0.0.1", { name: "silent.test", type: "NS" }).catch(() => {});
      ends.push(performance.now() - began);
    }
  });
  for (let ms = 0; ms < 6_000; ms += 100) await vi.advanceTimersByTimeAsync(100);
  await task;
  // The third has one second left, and the fourth none.
  expect(ends).toEqual([2_000, 4_000, 5_000, 5_000]);
  world.servers.clear();
});

test("tasks of one group that wait for silent servers keep no other group waiting, and are refused beyond their number", async () => {
  const dns = publicDns({ atOnce: 4, groups: { perGroup: 2, mostOfGroup: 4, most: 12 } });
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const silent = () => dns.task(() => held, "silent");
  const ofSilent = [silent(), silent(), silent(), silent()];
  await expect(silent()).rejects.toThrow(SlotsBusyError);
  expect(await dns.task(async () => "answered", "other")).toBe("answered");
  release();
  await Promise.all(ofSilent);
});
