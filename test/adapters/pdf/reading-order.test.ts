// The order in which a line of a receipt shows its characters, beside GNU FriBidi, which orders them for other programs.
import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inVisualOrder, levelsOf } from "../../../src/adapters/pdf/reading-order.ts";
import { renderReceipt } from "../../../src/adapters/pdf/receipt.ts";
import { receiptContent } from "./contents.ts";

/** A line with one stretch for each text. */
function line(...texts: readonly string[]) {
  let place = 0;
  return texts.flatMap((text, stretch) => {
    const levels = levelsOf([...text], false);
    return [...text].map((character, index) => ({
      text: character,
      stretch,
      level: levels[index] ?? 0,
      place: place++,
    }));
  });
}

const shown = (...texts: readonly string[]) =>
  inVisualOrder(line(...texts))
    .map(({ text }) => text)
    .join("");

/** Places of characters from left to right, for each text. */
function byFriBidi(texts: readonly string[], direction: "--ltr" | "--wltr"): readonly (readonly number[])[] {
  const given = { input: `${texts.join("\n")}\n`, encoding: "utf8" } as const;
  const { stdout, stderr } = spawnSync("fribidi", ["--nopad", "--nobreak", "--novisual", "--vtol", direction], given);
  expect(stderr).toBe("");
  return stdout
    .trimEnd()
    .split("\n")
    .map((each) => each.trim().split(/\s+/).map(Number));
}

const character = fc.constantFrom(..."אבגדשת", ..."عقدبيم", ..."abcXYZ", ..."0129", ..."١٢", ..."  .-/()[]:,+%&_é");
// Spaces at the end of a line stand at its right whatever the direction, because all our lines begin at the left.
const text = fc
  .array(character, { minLength: 1, maxLength: 24 })
  .map((characters) => characters.join("").trim())
  .filter((each) => each !== "");

describe.each([
  ["of others", "--wltr", false],
  ["of ours", "--ltr", true],
] as const)("a text %s", (_, direction, isOurs) => {
  test("stands as FriBidi orders it", () => {
    const texts = fc.sample(text, 2_000);
    const expected = byFriBidi(texts, direction);
    expect(expected).toHaveLength(texts.length);
    for (const [index, each] of texts.entries()) {
      const characters = [...each];
      const levels = levelsOf(characters, isOurs);
      const placed = characters.map((own, place) => ({ text: own, stretch: 0, place, level: levels[place] ?? 0 }));
      expect([each, inVisualOrder(placed).map(({ place }) => place)]).toEqual([each, expected[index]]);
    }
  });
});

test("a name from right to left turns nothing that stands beside it", () => {
  expect(shown("אבג 12.pdf", " (37 bytes)")).toBe("pdf.12 גבא (37 bytes)");
  expect(shown("אבג", "דהו", " on ", "24 May")).toBe("גבאוהד on 24 May");
  expect(shown("אבג", "אבג")).toBe("גבאגבא");
});

test("brackets that are read from right to left are turned around, and no others", () => {
  expect(shown("אבג (דה) [ו]")).toBe("[ו] (הד) גבא");
  expect(shown("Acme (אבג)")).toBe("Acme (גבא)");
});

test("a text from left to right is as it was", () => {
  const plain = line("contract (2).pdf", " was registered");
  expect(inVisualOrder(plain)).toBe(plain);
});

test.each([
  ["Hebrew", "אבגד", "דהוז"],
  ["Arabic", "عقد", "البيع"],
])(
  "on a receipt, the first of two words of %s stands right of the second, and the size right of both",
  async (_, first, second) => {
    const pdf = await renderReceipt(
      receiptContent({ fileName: `${first} ${second}`, organization: "Acme", fileSize: 37 }),
    );
    const { stdout } = spawnSync("pdftotext", ["-bbox", "-", "-"], { input: pdf, encoding: "utf8" });
    const words = [...stdout.matchAll(/<word xMin="([\d.]+)" yMin="([\d.]+)"[^>]*>([^<]*)<\/word>/g)].map(
      ([, x, y, text = ""]) => ({ x: Number(x), y: Number(y), text }),
    );
    const size = words.find(({ text }) => text === "(37");
    const row = words.filter(({ y }) => Math.abs(y - (size?.y ?? 0)) < 4);
    const at = (word: string) =>
      row.find(({ text }) => text === word || text === [...word].reverse().join(""))?.x ?? Number.NaN;
    expect(at(second)).toBeLessThan(at(first));
    expect(at(first)).toBeLessThan(size?.x ?? 0);
  },
);
