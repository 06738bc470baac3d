// A zone is signed, its key exchanged, and it is signed no longer, while a validating resolver is asked all the time: issue "DNS hosting II" §8.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ZoneBody } from "../../services/dns/dns-stage.ts";
import type { DnssecBody } from "../../services/dns/dnssec-stage.ts";
import { byLane } from "../../support/lane.ts";
import { DnsDeployment } from "./dns-deployment.ts";
import { Asker, addRecords, PROBES, plainZone, wrongAnswer } from "./probes.ts";
import { SignedTree } from "./signed-tree.ts";

const ZONES = ["right.example", "early.example", "hasty.example", "careless.example"];
const [RIGHT = "", EARLY = "", HASTY = "", CARELESS = ""] = ZONES;
const PER_SECOND = byLane({ lane: 25, full: 100 });

let deployment: DnsDeployment;
let tree: SignedTree;
const zones = new Map<string, ZoneBody>();
beforeAll(async () => {
  deployment = await DnsDeployment.open();
  for (const name of ZONES) {
    const zone = await deployment.zone(name);
    await addRecords(deployment, zone);
    zones.set(name, zone);
  }
  const plain = Object.assign({}, ...ZONES.map(plainZone)) as Readonly<Record<string, readonly string[]>>;
  tree = await SignedTree.open(Object.fromEntries(ZONES.map((name) => [name, deployment.nameserver])), plain);
}, 400_000);
afterAll(async () => {
  await tree?.close();
  await deployment?.close();
}, 400_000);

const dnssec = async (name: string, method: string, path = "", body?: object): Promise<DnssecBody> =>
  (await deployment.change(method, `/zones/${zones.get(name)?.id}/dnssec${path}`, body)).body;
const dsOf = ({ keys }: DnssecBody, place = 0) => keys[place]?.ds_records ?? [];
const removeFirst = (name: string, { keys }: DnssecBody) => dnssec(name, "DELETE", `/keys/${keys[0]?.key_id}`);
const disable = (name: string) => dnssec(name, "DELETE", "", { confirm: true });
const publish = async (name: string, ds: readonly string[]) => {
  await tree.publish(name, ds);
  await tree.caughtUp();
};
const isWrong = async (name: string, isSecure: boolean) => {
  const wrong = await Promise.all(PROBES.map((probe) => wrongAnswer(tree, probe, name, isSecure)));
  return wrong.filter((each) => each !== null);
};

test(`in the documented order, asked ${PER_SECOND} times a second: no answer is refused`, async () => {
  const asker = new Asker(tree, RIGHT, PER_SECOND);
  expect(await isWrong(RIGHT, false)).toEqual([]);
  const enabled = await dnssec(RIGHT, "POST");
  await publish(RIGHT, dsOf(enabled));
  expect(await isWrong(RIGHT, true)).toEqual([]);
  const rotated = await dnssec(RIGHT, "POST", "/rotate");
  // Caches have the new key beside the old one before the parent names it.
  await tree.caughtUp();
  expect(await isWrong(RIGHT, true)).toEqual([]);
  await publish(RIGHT, [...dsOf(rotated, 0), ...dsOf(rotated, 1)]);
  expect(await isWrong(RIGHT, true)).toEqual([]);
  await publish(RIGHT, dsOf(rotated, 1));
  expect(await isWrong(RIGHT, true)).toEqual([]);
  await removeFirst(RIGHT, rotated);
  await tree.caughtUp();
  expect(await isWrong(RIGHT, true)).toEqual([]);
  await publish(RIGHT, []);
  // What the resolver has already is secure until its time is over.
  await expect.poll(() => isWrong(RIGHT, false)).toEqual([]);
  await disable(RIGHT);
  await tree.caughtUp();
  expect(await isWrong(RIGHT, false)).toEqual([]);
  const { asked, perSecond, wrong } = await asker.stop();
  console.log(`asked ${asked} questions, ${perSecond.toFixed(1)} a second`);
  expect(wrong).toEqual([]);
  expect(perSecond).toBeGreaterThan(PER_SECOND * 0.95);
  expect(asked).toBeGreaterThan(PER_SECOND * 5);
  expect(tree.failures()).toEqual([]);
}, 400_000);

/** What a wrong order does: every answer of the signed zone is refused. */
async function expectRefused(name: string): Promise<void> {
  for (const probe of PROBES) expect(await wrongAnswer(tree, probe, name, null)).toContain("SERVFAIL");
  expect(tree.failures().some((line) => line.includes(name))).toBe(true);
}

test("a DS record published before enabling: answers are refused, so refused ones are found", async () => {
  const { ds_records = [] } = (await dnssec(RIGHT, "POST")).keys[0] ?? {};
  await publish(EARLY, ds_records);
  await expectRefused(EARLY);
}, 400_000);

test("the old key removed before its DS record is exchanged: answers are refused", async () => {
  const enabled = await dnssec(HASTY, "POST");
  await publish(HASTY, dsOf(enabled));
  expect(await isWrong(HASTY, true)).toEqual([]);
  await dnssec(HASTY, "POST", "/rotate");
  await removeFirst(HASTY, enabled);
  await tree.caughtUp();
  await expectRefused(HASTY);
}, 400_000);

test("disabled while a DS record is published: answers are refused", async () => {
  const enabled = await dnssec(CARELESS, "POST");
  await publish(CARELESS, dsOf(enabled));
  expect(await isWrong(CARELESS, true)).toEqual([]);
  await disable(CARELESS);
  await tree.caughtUp();
  await expectRefused(CARELESS);
}, 400_000);
