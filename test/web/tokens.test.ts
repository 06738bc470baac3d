// The tokens themselves: their values are those of the design, and what must be read can be read in both themes.
import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { dark, lengths, light, type } from "../../src/adapters/generated/design-tokens.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const SHEET = fs.readFileSync(path.join(ROOT, "src/web/design/tokens.css"), "utf8");
const THEMES = { light, dark } as const;
type Colour = keyof typeof light;

/** Relative luminance (WCAG 2.2). */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [less = 0, more = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (more + 0.05) / (less + 0.05);
}

const GROUNDS: readonly Colour[] = ["canvas", "surface", "sunken"];
const TONES = ["ok", "warn", "bad", "info"] as const;
/** Text on what stands behind it. */
const TEXTS: readonly (readonly [Colour, Colour])[] = [
  ...(["ink", "ink-2", "ink-3", "brand", ...TONES] as const).flatMap((text) =>
    GROUNDS.map((ground) => [text, ground] as const),
  ),
  ...TONES.flatMap((tone) => [[tone, `${tone}-soft`] as const, ["ink", `${tone}-soft`] as const]),
  ...TONES.map((tone) => ["ink-2", `${tone}-soft`] as const),
  ["brand", "brand-soft"],
  ["on-brand", "brand"],
  ["paper-ink", "paper"],
];

describe.each(["light", "dark"] as const)("in the %s theme", (theme) => {
  const colours = THEMES[theme];

  test.each(TEXTS)("text of %s on %s has a contrast of 4.5 or more", (text, ground) => {
    expect(contrast(colours[text], colours[ground])).toBeGreaterThanOrEqual(4.5);
  });

  test.each(GROUNDS)("the border of a control on %s has a contrast of 3 or more", (ground) => {
    expect(contrast(colours["line-strong"], colours[ground])).toBeGreaterThanOrEqual(3);
  });
});

test("black and white have the contrast that WCAG gives them", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21);
  expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
});

test("type, space, radius and motion are the scales of the design", () => {
  expect(Object.values(type).map(([size, height]) => `${size}/${height}`)).toEqual(
    "12/16 14/20 16/24 18/28 22/28 28/34 36/42 48/52".split(" "),
  );
  const steps = (prefix: string) =>
    Object.entries(lengths).flatMap(([name, value]) => (name.startsWith(prefix) ? [value] : []));
  expect(steps("s-")).toEqual([4, 8, 12, 16, 24, 32, 48, 64]);
  expect(steps("r-")).toEqual([6, 10, 14]);
  expect(SHEET.match(/--shadow-\d:/g)).toEqual([
    "--shadow-1:",
    "--shadow-2:",
    "--shadow-3:",
    ...Array(3).fill(expect.any(String)),
  ]);
});

test("motion lasts 120 or 200 ms, and not at all where it is reduced", () => {
  const [usual = "", reduced = ""] = SHEET.split("@media (prefers-reduced-motion: reduce)");
  const durations = (css: string) => [...css.matchAll(/--(?:fast|slow): (\d+)ms/g)].map(([, ms]) => Number(ms));
  expect(durations(usual)).toEqual([120, 200]);
  expect(durations(reduced)).toEqual([0, 0]);
});

/** Lies beside the repository where designers work, and nowhere else. */
const MOCKUPS = process.env.MOCKUPS ?? path.resolve(ROOT, "../shared/design/mockups/public");
const DESIGN = path.resolve(MOCKUPS, "../../interface.md");

test("colours are those of the design's table", (context) => {
  if (!fs.existsSync(DESIGN)) context.skip("the design does not lie beside the repository");
  const rows = [...fs.readFileSync(DESIGN, "utf8").matchAll(/^\| (`--.*?) \| (.*?) \| (.*?) \|$/gm)];
  expect(rows.length).toBeGreaterThanOrEqual(6);
  for (const [, names = "", ...themes] of rows) {
    // "`--ok` + soft" is two tokens.
    const tokens = [...names.matchAll(/`--([a-z0-9-]+)`( \+ soft)?/g)].flatMap(([, name = "", soft]) =>
      soft === undefined ? [name] : [name, `${name}-soft`],
    );
    for (const [at, theme] of (["light", "dark"] as const).entries())
      expect([names, theme, tokens.map((name) => THEMES[theme][name as Colour])]).toEqual([
        names,
        theme,
        (themes[at]?.match(/[\dA-F]{6}/g) ?? []).map((hex) => `#${hex.toLowerCase()}`),
      ]);
  }
});
