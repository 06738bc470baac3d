/** Lays out scripts whose letters change form and place beside each other. fontkit knows the rules of Devanagari, but of few other such scripts. */
import type { Font, Glyph, GlyphRun, Subset } from "fontkit";

/** A font whose texts HarfBuzz lays out, each from left to right. */
export async function shapedFont(font: Font, bytes: Uint8Array): Promise<Font> {
  // Its program is compiled when the module is imported.
  const harfbuzz = await import("harfbuzzjs");
  const face = new harfbuzz.Font(new harfbuzz.Face(new harfbuzz.Blob(bytes)));
  font.layout = (text) => {
    const buffer = new harfbuzz.Buffer();
    buffer.addText(text);
    buffer.guessSegmentProperties();
    harfbuzz.shape(face, buffer);
    const infos = buffer.getGlyphInfos();
    const positions = buffer.getGlyphPositions();
    const characters = charactersOf(
      text,
      infos.map(({ cluster }, place) => ({ cluster, isWide: (positions[place]?.xAdvance ?? 0) > 0 })),
    );
    const glyphs = infos.map(({ codepoint: id }, place) => namedGlyph(font, id, characters[place] ?? []));
    return { glyphs, positions, advanceWidth: positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0) } as GlyphRun;
  };
  const createSubset = font.createSubset.bind(font);
  font.createSubset = () => {
    const subset = createSubset() as Subset & { glyphs: (number | string)[] };
    const encode = subset.encode.bind(subset);
    subset.encode = () => {
      subset.glyphs = subset.glyphs.map(idOf);
      return encode();
    };
    return subset;
  };
  return font;
}

/**
 * A glyph that pdfkit takes for another one when it stands for other characters: in a PDF each glyph has its characters, for who copies the
 * text, and a vowel sign that stands before its consonant stands for both.
 */
function namedGlyph(font: Font, id: number, codePoints: number[]): Glyph {
  const { advanceWidth } = font.getGlyph(id, codePoints);
  return { id: `${id} ${codePoints.join(" ")}`, advanceWidth, codePoints } as unknown as Glyph;
}

/** The number of a glyph in its font. */
const idOf = (name: number | string) => Number.parseInt(String(name), 10);

/** A glyph, with the place in the text at which its cluster begins: the letters and marks that were laid out together. */
interface Placed {
  readonly cluster: number;
  readonly isWide: boolean;
}

/**
 * The characters of each glyph. The glyphs of a cluster, in the order in which they are shown, have its characters in the order in which they
 * are written, so that the copied text is the written one. Where a program sees a wide glyph without characters, it copies a space.
 */
function charactersOf(text: string, glyphs: readonly Placed[]): number[][] {
  const clusters = [...Map.groupBy(glyphs, ({ cluster }) => cluster).entries()];
  return clusters.flatMap(([start, placed], index) => {
    const written = text.slice(start, clusters[index + 1]?.[0]);
    const carriers = placed.some(({ isWide }) => isWide) ? placed.filter(({ isWide }) => isWide) : placed;
    // A vowel sign with a part on either side is two glyphs, and in its decomposed form two characters.
    const characters = codePointsOf(carriers.length > [...written].length ? written.normalize("NFD") : written);
    return placed.map((glyph) => {
      const at = carriers.indexOf(glyph);
      if (at < 0) return [];
      return characters.slice(at, at === carriers.length - 1 ? undefined : at + 1);
    });
  });
}

const codePointsOf = (text: string) => Array.from(text, (character) => character.codePointAt(0) ?? 0);
