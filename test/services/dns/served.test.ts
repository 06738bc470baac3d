// What the nameservers serve follows from zones and records: issue "DNS hosting I" §5. After every change of single names it is what a rebuild makes.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Draft, ServedStage } from "./served-stage.ts";

let stage: ServedStage;
beforeAll(async () => {
  stage = await ServedStage.open();
});
afterAll(() => stage?.close());

const a = (name: string, content = "192.0.2.1"): Draft => ({ name, type: "A", content });
const ns = (name: string, content = "ns.elsewhere.test"): Draft => ({ name, type: "NS", content });
const txt = (name: string, content = "x"): Draft => ({ name, type: "TXT", content });

describe("a name", () => {
  const cases: readonly (readonly [string, readonly Draft[], readonly string[]])[] = [
    [
      "with records is served with them",
      [a("www"), a("www", "192.0.2.2")],
      ["www A 192.0.2.1 300 auth", "www A 192.0.2.2 300 auth"],
    ],
    ["that is the apex is served beside SOA and NS", [a("")], ["@ A 192.0.2.1 300 auth"]],
    [
      "with a priority has it in prio",
      [{ ...a("", "mx.example.net"), type: "MX", priority: 10 }],
      ["@ MX 10 mx.example.net 300 auth"],
    ],
    ["that takes no mail keeps the dot", [{ ...a("", "."), type: "MX", priority: 0 }], ["@ MX 0 . 300 auth"]],
    ["with a disabled record is not served", [{ ...a("www"), disabled: true }], []],
    ["with an ALIAS alone is not served", [{ ...a("www", "a.example.net"), type: "ALIAS" }], []],
    [
      "deep below leaves names without records between",
      [a("a.b.c")],
      ["a.b.c A 192.0.2.1 300 auth", "b.c ENT auth", "c ENT auth"],
    ],
    ["deep below and disabled leaves none", [{ ...a("a.b.c"), disabled: true }], []],
    ["deep below with an ALIAS alone leaves none", [{ ...a("a.b.c", "a.example.net"), type: "ALIAS" }], []],
    ["that is a wildcard has a name above", [a("*.w")], ["*.w A 192.0.2.1 300 auth", "w ENT auth"]],
    [
      "that ends like another is not below it",
      [a("ab.c"), a("b.c")],
      ["ab.c A 192.0.2.1 300 auth", "b.c A 192.0.2.1 300 auth", "c ENT auth"],
    ],
    ["with a delegation is not the zone's", [ns("sub")], ["sub NS ns.elsewhere.test 300 not auth"]],
    [
      "below a delegation is served if it is an address",
      [ns("sub", "ns.sub.example"), a("ns.sub"), txt("t.sub")],
      ["ns.sub A 192.0.2.1 300 not auth", "sub NS ns.sub.example 300 not auth"],
    ],
    [
      "at a delegation is served if it is an address",
      [ns("sub"), a("sub"), txt("sub")],
      ["sub A 192.0.2.1 300 not auth", "sub NS ns.elsewhere.test 300 not auth"],
    ],
    [
      "that only leads to a delegation is not the zone's",
      [ns("sub.b")],
      ["b ENT not auth", "sub.b NS ns.elsewhere.test 300 not auth"],
    ],
    [
      "that leads to a delegation and elsewhere is the zone's",
      [ns("sub.b"), a("www.b")],
      ["b ENT auth", "sub.b NS ns.elsewhere.test 300 not auth", "www.b A 192.0.2.1 300 auth"],
    ],
    [
      "between a delegation and an address is empty",
      [ns("sub"), a("a.b.sub")],
      ["a.b.sub A 192.0.2.1 300 not auth", "b.sub ENT not auth", "sub NS ns.elsewhere.test 300 not auth"],
    ],
    [
      "with a delegation below a delegation is not served",
      [ns("sub"), ns("x.sub"), a("a.x.sub")],
      ["a.x.sub A 192.0.2.1 300 not auth", "sub NS ns.elsewhere.test 300 not auth", "x.sub ENT not auth"],
    ],
    [
      "with a disabled delegation is the zone's",
      [{ ...ns("sub"), disabled: true }, txt("t.sub")],
      ["sub ENT auth", 't.sub TXT "x" 300 auth'],
    ],
  ];

  test.each(cases)("%s", async (_, drafts, expected) => {
    const zone = await stage.newZone();
    const before = await stage.served(zone);
    await stage.add(zone, drafts);
    expect(await stage.short(zone)).toEqual([...expected].sort());
    expect(await stage.served(zone)).toEqual(await stage.rebuilt(zone));
    // One by one, in both directions, and back to the empty zone.
    const other = await stage.newZone();
    for (const draft of drafts) await stage.add(other, [draft]);
    expect(await stage.short(other)).toEqual([...expected].sort());
    for (const { name, type } of drafts) {
      await stage.remove(other, name, type);
      expect(await stage.served(other)).toEqual(await stage.rebuilt(other));
    }
    expect((await stage.served(other)).length).toBe(before.length);
  });
});
