// The font of the pages: Inter without what no page shows of it, and nothing else missing.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { type Font, openSync as openFont } from "fontkit";
import { expect, test } from "vitest";
import { webAppFolder } from "../../../src/surfaces/web/build.ts";

const { resolve } = createRequire(import.meta.url);
const assets = path.join(webAppFolder(), "assets");
const built = fs.readdirSync(assets).filter((name) => name.endsWith(".woff2"));
const font = openFont(path.join(assets, built[0] ?? "")) as Font;
const whole = openFont(resolve("@fontsource-variable/inter/files/inter-latin-wght-normal.woff2")) as Font;

test("every page has this one font", () => {
  expect(built.length).toBe(1);
});

test("it has every character of the package's Latin file, so that only names in other scripts need another font", () => {
  const characters = (of: Font) => [...of.characterSet].sort((one, other) => one - other);
  expect(characters(font)).toEqual(characters(whole));
});

test("it has every weight that a style sheet asks for", () => {
  const { min, max } = font.variationAxes["wght"] as { readonly min: number; readonly max: number };
  expect([min, max]).toEqual([400, 700]);
  const styles = fs.readdirSync(assets).filter((name) => name.endsWith(".css"));
  const texts = styles.map((name) => fs.readFileSync(path.join(assets, name), "utf8"));
  const weights = texts.flatMap((text) =>
    [...text.matchAll(/font(?:-weight)?:\s*(\d{3})\b/g)].map(([, weight]) => Number(weight)),
  );
  expect(weights.length).toBeGreaterThan(20);
  for (const weight of weights) expect(weight >= min && weight <= max, String(weight)).toBe(true);
  expect(texts.some((text) => /font-weight:\s*(?:bolder|lighter)/.test(text))).toBe(false);
});

test("it keeps what browsers apply by themselves, and figures of one width", () => {
  for (const feature of ["calt", "ccmp", "kern", "tnum"]) {
    expect(whole.availableFeatures).toContain(feature);
    expect(font.availableFeatures).toContain(feature);
  }
});
