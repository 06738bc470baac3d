import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { type Font, openSync as openFont } from "fontkit";
import subsetFont from "subset-font";
import type { Plugin } from "vite";

/** How sources name the font of the pages. */
export const FONT = "inter.woff2";
const INTER = "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2";
/** The weights that style sheets use (tokens.css says so to browsers). */
const WEIGHTS = { min: 400, max: 700 };
/** What browsers apply by themselves, and figures of one width, which pages ask for. */
const FEATURES = ["calt", "ccmp", "kern", "liga", "locl", "mark", "mkmk", "rlig", "tnum"];

/**
 * Writes Inter with every character of the package's Latin file, but without the weights and the alternative letters that no page uses: they are
 * two fifths of it. Other scripts show in the system's font.
 */
export async function writeFont(file: string): Promise<void> {
  const inter = createRequire(import.meta.url).resolve(INTER);
  const { characterSet } = openFont(inter) as Font;
  const font = await subsetFont(fs.readFileSync(inter), String.fromCodePoint(...characterSet), {
    targetFormat: "woff2",
    keepFeatures: FEATURES,
    variationAxes: { wght: WEIGHTS },
  });
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, font);
}

/** Puts the written font where style sheets and documents name it. */
export function fontPlugin(file: string): Plugin {
  return {
    name: "font",
    config: () => ({ resolve: { alias: { [FONT]: file } } }),
    transformIndexHtml: {
      order: "pre",
      handler: (html, { filename }) => html.replaceAll(FONT, path.relative(path.dirname(filename), file)),
    },
  };
}
