// Emoji are drawn: as one picture where the font has it, otherwise in their parts. No box stands for one.
import { expect, test } from "vitest";
import { shownCharacters } from "../../../src/adapters/pdf/characters.ts";
import { fontsFor } from "../../../src/adapters/pdf/fonts.ts";

/** Every emoji of one code point that has the form of a picture by itself, up to Unicode 16. */
const single = Array.from({ length: 0x1fb00 }, (_, codePoint) => codePoint)
  .filter((codePoint) => codePoint < 0xd800 || codePoint > 0xdfff)
  .map((codePoint) => String.fromCodePoint(codePoint))
  .filter((character) => /\p{Emoji_Presentation}/u.test(character) && !/\p{RI}/u.test(character));
const withTone = single.filter((character) => /\p{Emoji_Modifier_Base}/u.test(character)).map((each) => `${each}🏽`);
const letters = Array.from({ length: 26 }, (_, place) => String.fromCodePoint(0x1f1e6 + place));
const flags = letters
  .flatMap((first) => letters.map((second) => first + second))
  .filter((pair) => /^\p{RGI_Emoji}$/v.test(pair));
const keycaps = Array.from("0123456789#*", (key) => `${key}\ufe0f\u20e3`);
const others = ["❤️", "👩‍💻", "👨‍👩‍👧‍👦", "🏳️‍🌈", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🧑🏽‍🚀", "👁‍🗨", "❤️‍🔥", "🫩", "🐦‍🔥"];

test.each([
  ["of one character", single, 1_000],
  ["with the colour of a skin", withTone, 100],
  ["that are flags", flags, 250],
  ["that are keys", keycaps, 12],
  ["of several characters", others, 10],
])("emoji %s", async (_, all, least) => {
  expect(all.length).toBeGreaterThanOrEqual(least);
  const fonts = await fontsFor(all);
  for (const emoji of all)
    for (const face of ["sans", "sans-bold", "mono"] as const) {
      const shown = shownCharacters(emoji, face, fonts);
      expect([emoji, shown.map(({ text }) => text).join("")]).not.toEqual([emoji, expect.stringContaining("\ufffd")]);
      for (const { text, font } of shown)
        expect([emoji, font.layout(text).glyphs.map(({ id }) => id)]).not.toEqual([emoji, expect.arrayContaining([0])]);
    }
});

test("what only looks like the beginning of an emoji hides nothing", async () => {
  const shown = async (text: string) =>
    shownCharacters(text, "sans", await fontsFor([text]))
      .map((each) => each.text)
      .join("");
  expect(await shown("a\u200db")).toBe("a\ufffdb");
  expect(await shown("😀\u200d")).toBe("😀\ufffd");
  expect(await shown("😀\u200da")).toBe("😀\ufffda");
  expect(await shown("🏴\u{e0061}\u{e007f}")).toBe("🏴\ufffd\ufffd");
});

test("the mark on receipts is the mark of the pages", async () => {
  const fs = await import("node:fs/promises");
  const { MARK_HALF } = await import("../../../src/adapters/pdf/mark.ts");
  const svg = await fs.readFile(new URL("../../../src/web/design/mark.svg", import.meta.url), "utf8");
  expect([...svg.matchAll(/<path d="([^"]+)"( transform="rotate\(180 32 32\)")?/g)].map(([, path]) => path)).toEqual([
    MARK_HALF,
    MARK_HALF,
  ]);
});
