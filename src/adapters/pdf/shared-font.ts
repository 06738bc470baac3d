import type { Font, Glyph, GlyphRun } from "fontkit";
import { LRUCache } from "lru-cache";

/** Stretches of text that are kept laid out, and glyphs that are kept, for each font; fewer for a font of few glyphs, of which there are many. */
const KEPT = { layouts: 5_000, glyphs: 20_000 } as const;
const KEPT_FOR_EACH_GLYPH = 2;
/** The characters as they are: Inter's `calt` would make a multiplication sign of an x between figures, and arrows of hyphens. */
const FEATURES = { calt: false, liga: false, clig: false, dlig: false };
/** Without placing accents: some fonts lack the place for an accent on an accented letter, and fontkit then fails. */
const WITHOUT_MARKS = { ...FEATURES, mark: false, mkmk: false, abvm: false, blwm: false };
/** Characters that are written from right to left, but for their figures. */
const RIGHT_TO_LEFT = /(?!\p{N})[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

export const isRightToLeft = (text: string) => RIGHT_TO_LEFT.test(text);

/**
 * Prepares a font for many documents. What it answers depends on the question alone: fontkit by itself remembers a glyph with the
 * characters for which it was first asked, so that copied text would depend on earlier documents. And it remembers what it laid out.
 */
export function sharedFont(font: Font): Font {
  const few = font.numGlyphs * KEPT_FOR_EACH_GLYPH;
  const glyphs = new LRUCache<string, Glyph>({ max: Math.min(KEPT.glyphs, few) });
  const getGlyph = font.getGlyph.bind(font);
  font.getGlyph = (id, characters = []) => {
    const key = `${id} ${characters.join(" ")}`;
    const known = glyphs.get(key);
    if (known !== undefined) return known;
    (font as unknown as { _glyphs: object })._glyphs = {};
    const glyph = getGlyph(id, characters);
    glyphs.set(key, glyph);
    return glyph;
  };

  const layouts = new LRUCache<string, GlyphRun>({ max: Math.min(KEPT.layouts, few) });
  const layout = font.layout.bind(font) as unknown as (
    text: string,
    features: object,
    script: undefined,
    language: undefined,
    direction: "ltr" | "rtl",
  ) => GlyphRun;
  font.layout = (text) => {
    let run = layouts.get(text);
    if (run === undefined) {
      const direction = isRightToLeft(text) ? "rtl" : "ltr";
      try {
        run = layout(text, FEATURES, undefined, undefined, direction);
      } catch {
        run = layout(text, WITHOUT_MARKS, undefined, undefined, direction);
      }
      layouts.set(text, run);
    }
    // pdfkit scales the positions that it gets, and expects their sum to follow.
    const positions = run.positions.map((position) => ({ ...position }));
    return {
      glyphs: run.glyphs,
      positions,
      get advanceWidth() {
        return positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0);
      },
    } as GlyphRun;
  };
  return font;
}
