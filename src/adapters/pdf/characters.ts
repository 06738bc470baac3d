/** Which font shows which part of a text. */
import type { Font } from "fontkit";
import type { Face, Fonts } from "./faces.ts";
import { REPLACEMENT, visible, withoutIdle } from "./visible.ts";

/** What a reader sees as one character, with the font that has it. */
export interface Shown {
  readonly text: string;
  readonly font: Font;
}

/**
 * A letter of no language has more than four accents, or more than eight signs of its script. A higher pile would reach into other lines. platform.undrawable_character has the same rule.
 */
const SURPLUS_MARK = /(?<=[\p{M}&&\p{Script=Inherited}]{4})[\p{M}&&\p{Script=Inherited}]|(?<=\p{M}{8})\p{M}/gv;

/** An emoji, as Unicode recommends it or with parts that it lets out, such as the selector U+FE0F. */
const EMOJI =
  /^(?:\p{RGI_Emoji}|\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|\p{Extended_Pictographic}\ufe0f?\p{EMod}?(?:\u200d\p{Extended_Pictographic}\ufe0f?\p{EMod}?)+|\p{Extended_Pictographic}\ufe0f?\p{EMod}|\p{RI}{1,2}|[0-9#*]\ufe0f?\u20e3)$/v;
const ASCII = /^[\x20-\x7e]*$/;
/** Texts in which each character is one to a reader as well. */
const SIMPLE = /^[\x20-\x7e\xa0-\u02ff]*$/;

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
/** What a reader sees as one character. */
export const graphemesOf = (text: string) =>
  SIMPLE.test(text) ? Array.from(text) : Array.from(graphemes.segment(text), ({ segment }) => segment);
const codePointsOf = (text: string) => Array.from(text, (character) => character.codePointAt(0) ?? 0);
/** Whether a font has all characters of a text. */
export const has = (font: Font, text: string) =>
  codePointsOf(text).every((codePoint) => font.hasGlyphForCodePoint(codePoint));

/** What readers see as characters, without what a font cannot show. An emoji may have parts. */
const shownGraphemes = (text: string): string[] =>
  graphemesOf(withoutIdle(text)).flatMap((grapheme) => {
    if (ASCII.test(grapheme) || EMOJI.test(grapheme)) return [grapheme];
    return graphemesOf(visible(grapheme).replace(SURPLUS_MARK, REPLACEMENT));
  });

/** What {@link shownCharacters} asks fonts for: each entry in one font, if a font has it all. */
export const askedOf = (text: string): string[] =>
  shownGraphemes(text).flatMap((grapheme) => (EMOJI.test(grapheme) ? partsOf(grapheme) : [grapheme]));

export const hasEmoji = (text: string) => !SIMPLE.test(text) && graphemesOf(text).some((each) => EMOJI.test(each));

/** Splits a text into what readers see as characters. A character that no font has, or that shows nothing, becomes U+FFFD. */
export function shownCharacters(text: string, face: Face, fonts: Fonts): Shown[] {
  const first = firstOf(fonts[face]);
  return shownGraphemes(text).flatMap((grapheme) => {
    if (ASCII.test(grapheme)) return { text: grapheme, font: first };
    return EMOJI.test(grapheme) ? emoji(grapheme, face, fonts) : whole(grapheme, fonts[face]);
  });
}

/** The characters of an emoji that a font may show by themselves. */
const partsOf = (sequence: string) => Array.from(sequence.replace(/\p{Cf}|\ufe0f/gu, ""));

/** One picture where the font has it, otherwise its parts, such as a man and a rocket. */
function emoji(sequence: string, face: Face, fonts: Fonts): Shown[] {
  for (const font of fonts.emoji) {
    const { glyphs } = font.layout(sequence);
    if (glyphs.length === 1 && glyphs[0]?.id !== 0) return [{ text: sequence, font }];
  }
  return partsOf(sequence).flatMap((part) => whole(part, [...fonts.emoji, ...fonts[face]]));
}

/** What {@link whole} found: a page of Chinese asks some hundred fonts for each of its characters. */
const known = new WeakMap<readonly Font[], Map<string, Shown[]>>();

/** A letter and its marks in one font if a font has them all, otherwise each in its own font. */
function whole(grapheme: string, fonts: readonly Font[]): Shown[] {
  const found = known.get(fonts) ?? new Map<string, Shown[]>();
  known.set(fonts, found);
  const shown = found.get(grapheme) ?? wholeIn(grapheme, fonts);
  found.set(grapheme, shown);
  return shown;
}

function wholeIn(grapheme: string, fonts: readonly Font[]): Shown[] {
  const font = fonts.find((each) => has(each, grapheme));
  if (font !== undefined) return [{ text: grapheme, font }];
  return Array.from(grapheme, (character) => {
    const own = fonts.find((each) => has(each, character));
    return own === undefined
      ? { text: REPLACEMENT, font: fonts.find((each) => has(each, REPLACEMENT)) ?? firstOf(fonts) }
      : { text: character, font: own };
  });
}

function firstOf(fonts: readonly Font[]): Font {
  const [font] = fonts;
  if (font === undefined) throw new Error("a face without a font");
  return font;
}
