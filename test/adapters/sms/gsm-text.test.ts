// The alphabet of SMS: what it has, what stands for the rest, and how long a text is.
import fc from "fast-check";
import { expect, test } from "vitest";
import { gsmLength, gsmStart, gsmText } from "../../../src/adapters/sms/gsm-text.ts";

/** 3GPP TS 23.038, by the code points of both tables; the carriage return and the page break move the print head and are no text. */
const ONE_PLACE =
  "40 a3 24 a5 e8 e9 f9 ec f2 c7 a d8 f8 c5 e5 394 5f 3a6 393 39b 3a9 3a0 3a8 3a3 398 39e c6 e6 df c9 a4 a1 c4 d6 d1 dc a7 bf e4 f6 f1 fc e0";
const TWO_PLACES = "5e 7b 7d 5c 5b 7e 5d 7c 20ac";
const characters = (codes: string) => codes.split(" ").map((code) => String.fromCodePoint(Number.parseInt(code, 16)));
const inRange = (from: string, to: string) =>
  Array.from({ length: to.charCodeAt(0) - from.charCodeAt(0) + 1 }, (_, at) =>
    String.fromCharCode(from.charCodeAt(0) + at),
  );
const onePlace = new Set([
  ...characters(ONE_PLACE),
  ...inRange(" ", "?").filter((character) => character !== "$"),
  ...inRange("A", "Z"),
  ...inRange("a", "z"),
]);
const twoPlaces = new Set(characters(TWO_PLACES));

test("has 126 characters of one place and 9 of two, and no others", () => {
  expect([onePlace.size, twoPlaces.size]).toEqual([126, 9]);
  for (let code = 1; code <= 0xffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const character = String.fromCodePoint(code);
    const isGsm = onePlace.has(character) || twoPlaces.has(character);
    const isKept = gsmText(character) === character;
    // The mark of a composed letter is replaced by the letter itself.
    if (isKept !== isGsm) throw new Error(`U+${code.toString(16)}: ${isKept ? "kept" : `is "${gsmText(character)}"`}`);
  }
  for (const character of onePlace) expect(gsmLength(character)).toBe(1);
  for (const character of twoPlaces) expect(gsmLength(character)).toBe(2);
});

test.each([
  ["Olá, João: a caução são três", "Ola, Joao: a cauçao sao tres".replace("ç", "c")],
  ["é à ò ù ì ü ñ Ç", "é à ò ù ì ü ñ Ç"],
  ["ÁÂÃÊÍÓÔÕÚ áâãêíóôõú ç", "AAAEIOOOU aaaeiooou c"],
  ["“Ação” – d’água — nº 1ª…", '"Acao" - d\'agua - no 1a...'],
  ["a\u00a0b\u202fc", "a b c"],
  ["e\u0301 a\u0303", "é a"],
  ["Łódź Œuvre ﬁn ½", "Lodz OEuvre fin 1?2"],
  ["株式会社 & 👩‍👩‍👧 Ltda", "? & ? Ltda"],
  ["100 € [x] ~", "100 € [x] ~"],
])("%s is written %s", (text, written) => {
  expect(gsmText(text)).toBe(written);
});

test("whatever is written has GSM characters alone, and stays as it is when written again", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const written = gsmText(text);
      expect([...written].every((character) => onePlace.has(character) || twoPlaces.has(character))).toBe(true);
      expect(gsmText(written)).toBe(written);
    }),
  );
});

test("the beginning of a text takes no more places than it may, and all of a text that fits", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 3, max: 160 }), (given, most) => {
      const text = gsmText(given);
      const start = gsmStart(text, most);
      expect(gsmLength(start)).toBeLessThanOrEqual(most);
      expect(start === text || start.endsWith("...")).toBe(true);
      if (gsmLength(text) <= most) expect(start).toBe(text);
    }),
  );
  expect(gsmStart("[[[[[", 9)).toBe("[[[...");
});
