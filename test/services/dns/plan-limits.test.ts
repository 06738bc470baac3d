// Issue "DNS hosting I" §2: the limits of plans stand in the README.
import fs from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DnsStage } from "./dns-stage.ts";

let stage: DnsStage;
beforeAll(async () => {
  stage = await DnsStage.open();
});
afterAll(() => stage?.close());

const cells = (line: string | undefined) => (line ?? "").split("|").map((cell) => cell.trim());

test("the table of the README says what platform.plan_limits has", async () => {
  const lines = fs.readFileSync("README.md", "utf8").split("\n");
  const rowOf = (name: string) => cells(lines.find((line) => line.startsWith(`| ${name} |`))).slice(2, -1);
  const plans = cells(lines.find((line) => line.startsWith("| | free |"))).slice(2, -1);
  const rows = { dns_zones: rowOf("zones"), dns_records: rowOf("records of all zones") };
  const told = Object.entries(rows).flatMap(([name, limits]) =>
    limits.map((most, place) => ({ plan: plans[place], name, most: Number(most.replaceAll(",", "")) })),
  );
  const kept = await stage.rows("select plan, name, most from platform.plan_limits where name like 'dns_%'");
  expect(told).toHaveLength(8);
  expect(new Set(told)).toEqual(new Set(kept));
});

test("the description of a plan's limits names what is limited", async () => {
  const columns = await stage.rows(
    "select col_description(attrelid, attnum) as words from pg_attribute where attrelid = 'api.billing_plan'::regclass and attname = 'limits'",
  );
  expect(columns).toEqual([{ words: expect.stringContaining("by its name: dns_records, dns_zones.") }]);
});
