// What is written is read without loss: issue "DNS hosting I" §4.
import { expect, test } from "vitest";
import { parseZoneFile } from "../../../../src/services/dns/zone-file/parse-zone-file.ts";
import { writeZoneFile } from "../../../../src/services/dns/zone-file/write-zone-file.ts";
import { byLane } from "../../../support/lane.ts";
import { randomZones } from "./random-zone.ts";

const ZONES = byLane({ lane: 150, full: 500 });
const zones = randomZones(18, ZONES);
const records = zones.flatMap((zone) => zone.records);

test(`${ZONES} random zones are read as they were written`, () => {
  for (const zone of zones) {
    const file = [...writeZoneFile(zone)].join("");
    const again = [...parseZoneFile(file, zone.name)];
    const [apex, own] = [again.slice(0, zone.apex.length), again.slice(zone.apex.length)];
    expect(apex.map(({ type, name }) => `${type} ${name}`)).toEqual(
      zone.apex.map(({ type }) => `${type} ${zone.name}`),
    );
    expect(own.map(({ line, ...record }) => record)).toEqual(zone.records);
    expect(new Set(own.map(({ line }) => line)).size).toBe(own.length);
  }
});

test("in any encoding of line ends", () => {
  for (const zone of zones.slice(0, 100)) {
    const file = [...writeZoneFile(zone)].join("");
    expect([...parseZoneFile(`\ufeff${file.replaceAll("\n", "\r\n")}`, zone.name)]).toEqual([
      ...parseZoneFile(file, zone.name),
    ]);
  }
});

test("the zones have what is awkward", () => {
  const count = (is: (record: (typeof records)[number]) => boolean) => records.filter(is).length;
  expect(new Set(records.map(({ type }) => type)).size).toBe(10);
  for (const is of [
    ({ disabled }) => disabled,
    ({ comment }) => /["\\]/.test(comment ?? ""),
    ({ content }) => content.length > 16_000,
    ({ content }) => content.includes("🎈"),
    ({ type, content }) => type === "TXT" && content.startsWith('"') && content.includes('" "'),
    ({ type, content }) => type === "TXT" && content.includes('""'),
    ({ type, content }) => type === "TXT" && !content.startsWith('"') && content.includes(";"),
    ({ content }) => /\\(12[89]|1[3-9]\d|2\d\d)/.test(content),
    ({ type, disabled }) => type === "ALIAS" && disabled,
  ] satisfies ((record: (typeof records)[number]) => boolean)[])
    expect([is.toString(), count(is) > ZONES / 25]).toEqual([is.toString(), true]);
});
