// Changes of keys at the same moment: issue "DNS hosting II" §3.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { byLane } from "../../support/lane.ts";
import { type Customer, DnsStage, type Zone } from "./dns-stage.ts";
import { enable, rotate, status } from "./dnssec-stage.ts";

let stage: DnsStage;
let customer: Customer;
let zone: Zone;
beforeAll(async () => {
  stage = await DnsStage.open();
  customer = await stage.customer({ plan: "business" });
});
afterAll(() => stage?.close());
beforeEach(async () => {
  zone = await customer.zone();
});

const keysServed = () => stage.rows("select from pdns.cryptokeys where domain_id = $1", [zone.body.id]);
const settingsServed = () => stage.rows("select from pdns.domainmetadata where domain_id = $1", [zone.body.id]);
const outcomes = (answers: readonly { status: number; body: { code?: string } }[]) =>
  answers.map(({ status, body }) => `${status} ${body.code ?? ""}`.trim()).toSorted();
/** Requests at the same moment meet in another order each time. */
const TRIES = Array.from({ length: byLane({ lane: 3, full: 10 }) }, (_, place) => place);

test.each(TRIES)("of two enables one wins: %i", async () => {
  expect(outcomes(await Promise.all([zone.ask("POST", "/dnssec"), zone.ask("POST", "/dnssec")]))).toEqual([
    "201",
    "409 dnssec_enabled",
  ]);
  expect((await status(zone)).keys).toHaveLength(1);
  expect(await keysServed()).toHaveLength(1);
});

test.each(TRIES)("of three rotations one wins, and no third key is made: %i", async () => {
  await enable(zone);
  const answers = await Promise.all([1, 2, 3].map(() => zone.ask("POST", "/dnssec/rotate")));
  expect(outcomes(answers)).toEqual(["200", "409 rotation_in_progress", "409 rotation_in_progress"]);
  expect(await keysServed()).toHaveLength(2);
});

test.each(TRIES)("of two removals of the two keys one wins: %i", async () => {
  await enable(zone);
  const { keys } = await rotate(zone);
  const answers = await Promise.all(keys.map(({ key_id }) => zone.ask("DELETE", `/dnssec/keys/${key_id}`)));
  expect(outcomes(answers)).toEqual(["200", "422 last_key"]);
  expect(await keysServed()).toHaveLength(1);
});

test.each(TRIES)("a rotation and a disable leave two keys or none: %i", async () => {
  await enable(zone);
  const [rotated, disabled] = await Promise.all([
    zone.ask("POST", "/dnssec/rotate"),
    zone.ask("DELETE", "/dnssec", { confirm: true }),
  ]);
  expect(disabled.status).toBe(200);
  expect([200, 409]).toContain(rotated.status);
  expect((await status(zone)).keys).toHaveLength(0);
  expect(await keysServed()).toHaveLength(0);
});

test.each(TRIES)("the zone is deleted while it is signed: nothing is left that signs: %i", async () => {
  const [signed, deleted] = await Promise.all([zone.ask("POST", "/dnssec"), zone.ask("DELETE")]);
  expect(deleted.status).toBe(204);
  expect([201, 404]).toContain(signed.status);
  expect(await keysServed()).toEqual([]);
  expect(await settingsServed()).toEqual([]);
});
