/** Text in any script: PDF's standard fonts where they have the characters, otherwise fonts embedded in the file. */
import fs from "node:fs/promises";
import { createRequire } from "node:module";
import { unpackWoff } from "./woff.ts";

/** A face as pdfkit knows it: one of its standard fonts, or the name of an {@link EmbeddedFont}. */
export type Face = string;

export interface EmbeddedFont {
  readonly face: Face;
  readonly sfnt: Buffer;
}

/** A stretch of text in one face. */
export interface Run {
  readonly face: Face;
  readonly text: string;
}

const require = createRequire(import.meta.url);
let embedded: Promise<readonly EmbeddedFont[]> | null = null;

/** What the standard fonts can show: Windows-1252 without its controls and the soft hyphen. */
const STANDARD = /^[\x20-\x7e\xa0-\xac\xae-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/u;
/** Characters that move the pen, turn the writing direction or show nothing: a label must not look like another line. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu;
const REPLACEMENT = "\u{fffd}";

/** The fonts that texts need beyond the standard fonts, in the order in which they are tried; cached once read. */
export async function fontsFor(texts: readonly string[]): Promise<readonly EmbeddedFont[]> {
  if (texts.every((text) => STANDARD.test(text))) return [];
  embedded ??= readFonts();
  return embedded;
}

async function readFonts(): Promise<EmbeddedFont[]> {
  const read = (file: string) => fs.readFile(require.resolve(file));
  return [
    { face: "DejaVu Sans", sfnt: await read("dejavu-fonts-ttf/ttf/DejaVuSans.ttf") },
    // Unifont is not beautiful, but it has every character of the Basic Multilingual Plane.
    { face: "Unifont", sfnt: await unpackWoff(await read("@fontsource/unifont/files/unifont-latin-400-normal.woff")) },
  ];
}

/**
 * Splits a text into stretches of one face each. A character that no font has becomes U+FFFD.
 * @param standard the standard font for the characters that it has
 * @param faceOf the embedded face that has a code point; undefined if none has it
 */
export function runsOf(text: string, standard: Face, faceOf: (codePoint: number) => Face | undefined): Run[] {
  if (STANDARD.test(text)) return [{ face: standard, text }];
  const runs: { face: Face; text: string }[] = [];
  for (const character of text.replace(INVISIBLE, REPLACEMENT)) {
    const found = STANDARD.test(character) ? standard : faceOf(character.codePointAt(0) ?? 0);
    const shown = found === undefined ? REPLACEMENT : character;
    const face = found ?? faceOf(REPLACEMENT.codePointAt(0) ?? 0) ?? standard;
    const last = runs.at(-1);
    if (last?.face === face) last.text += shown;
    else runs.push({ face, text: shown });
  }
  return runs;
}
