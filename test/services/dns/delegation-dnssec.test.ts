// What a check of the delegation finds out about the chain of trust: issue "DNS hosting II" §1 and §3.
import { afterAll, beforeAll, expect, test } from "vitest";
import { DelegationStage } from "./delegation-stage.ts";
import type { Customer, Zone } from "./dns-stage.ts";
import { enable, rotate, status } from "./dnssec-stage.ts";

let stage: DelegationStage;
let customer: Customer;
beforeAll(async () => {
  stage = await DelegationStage.open();
  customer = await stage.dns.customer();
});
afterAll(() => stage?.close());

const setup = async (zone: Zone) => (await zone.ask("GET", "/setup")).body;
const last = (body: { instructions: readonly { title: string; done: boolean }[] }) => {
  const { title, done } = body.instructions.at(-1) ?? {};
  return { title, done };
};

test("a check finds the DS record at the parent: the chain goes from unknown over no_ds to ds_published, and the setup's last step is done", async () => {
  const zone = await customer.zone();
  const { keys } = await enable(zone);
  const ds = keys[0]?.ds_records ?? [];
  expect((await status(zone)).chain).toBe("unknown");
  await stage.active(zone);
  expect((await status(zone)).chain).toBe("no_ds");
  const missing = await setup(zone);
  expect(missing.ds_to_publish).toEqual(ds);
  expect(last(missing)).toEqual({ title: "Publish the DS record", done: false });

  stage.publishDs(zone, ds.slice(0, 1));
  const found = await setup(zone);
  expect(found.ds_to_publish).toEqual([]);
  expect(last(found)).toEqual({ title: "Publish the DS record", done: true });
  await stage.check(zone);
  expect((await status(zone)).chain).toBe("ds_published");

  // Of a rotation, only the new key's are missing.
  const rotated = await rotate(zone);
  expect((await setup(zone)).ds_to_publish).toEqual(rotated.keys[1]?.ds_records);
  expect((await status(zone)).warnings.map(({ code }) => code)).toEqual(["new_ds_not_seen"]);
  stage.publishDs(zone, [...ds, ...(rotated.keys[1]?.ds_records ?? [])]);
  await stage.check(zone);
  expect((await status(zone)).warnings).toEqual([]);
});

test("in a rotation, the setup asks for the DS record of the new key alone, and never for that of the old one, which is to be removed", async () => {
  const zone = await stage.active(await customer.zone());
  await enable(zone);
  const { keys } = await rotate(zone);
  const next = keys[1]?.ds_records ?? [];
  // No DS record is at the parent yet.
  const before = await setup(zone);
  expect(before.ds_to_publish).toEqual(next);
  expect(before.instructions.at(-1).text).toContain(next[0]);
  // The old one is removed, as the steps of a rotation say.
  stage.publishDs(zone, next);
  const after = await setup(zone);
  expect(after.ds_to_publish).toEqual([]);
  expect(last(after)).toEqual({ title: "Publish the DS record", done: true });
});

test("a DS record of other keys breaks the chain, and the setup says to remove it; without an answer nothing changes", async () => {
  const zone = await customer.zone();
  await enable(zone);
  await stage.active(zone);
  stage.publishDs(zone, [`1 13 2 ${"AB".repeat(32)}`]);
  await stage.check(zone);
  expect((await status(zone)).chain).toBe("broken");
  const titles = (await setup(zone)).instructions.map(({ title }: { title: string }) => title);
  expect(titles).toContain("Remove the old DS record");
  for (const known of [stage.world.resolved, stage.world.referrals]) known.set(zone.name, "fails");
  await stage.check(zone);
  expect((await status(zone)).chain).toBe("broken");
});
