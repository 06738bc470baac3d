import { type EmbeddedFont, type Face, type Run, runsOf } from "./fonts.ts";

/** Position and style of a text; lengths in points. */
export interface Setting {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly size: number;
  /** The standard font for the characters that it has. */
  readonly face: Face;
  readonly color: string;
  /** Whether lines may break between any two characters; otherwise they break at spaces, if there are any. */
  readonly breakAnywhere?: boolean;
  /** The font size shrinks until the text fits into this many lines. */
  readonly mostLines?: number;
}

/** One character with its face and its advance width at size 1. */
interface Glyph {
  readonly face: Face;
  readonly text: string;
  readonly advance: number;
}

const LEADING = 1.22;
const SMALLEST = 2;

/** Sets text of mixed faces in lines, because pdfkit knows one font at a time. */
export class TextSetter {
  readonly #document: PDFKit.PDFDocument;
  readonly #embedded: readonly EmbeddedFont[];
  readonly #faces = new Map<number, Face | undefined>();
  readonly #advances = new Map<string, number>();

  constructor(document: PDFKit.PDFDocument, embedded: readonly EmbeddedFont[]) {
    this.#document = document;
    this.#embedded = embedded;
    // pdfkit's types allow only file names.
    for (const { face, sfnt } of embedded) document.registerFont(face, sfnt as unknown as string);
  }

  /** @returns the y below the last line */
  set(text: string, setting: Setting): number {
    const glyphs = this.#glyphs(text, setting.face);
    let { size } = setting;
    while (size > SMALLEST && broken(glyphs, setting, size).length > (setting.mostLines ?? Number.POSITIVE_INFINITY))
      size -= 0.5;
    return this.#write(broken(glyphs, setting, size), setting, size);
  }

  /** The same within a height: the font size shrinks until the text fits. */
  setWithin(text: string, height: number, setting: Setting): void {
    const glyphs = this.#glyphs(text, setting.face);
    let { size } = setting;
    while (size > SMALLEST && broken(glyphs, setting, size).length * size * LEADING > height) size -= 0.25;
    this.#write(broken(glyphs, setting, size), setting, size);
  }

  #write(lines: readonly (readonly Glyph[])[], setting: Setting, size: number): number {
    let { y } = setting;
    for (const line of lines) {
      let { x } = setting;
      for (const run of joined(line)) {
        this.#document.font(run.face).fontSize(size).fillColor(setting.color).fillOpacity(1);
        this.#document.text(run.text, x, y, { lineBreak: false });
        x += this.#document.widthOfString(run.text);
      }
      y += size * LEADING;
    }
    return y;
  }

  #glyphs(text: string, standard: Face): Glyph[] {
    return runsOf(text, standard, (codePoint) => this.#faceOf(codePoint)).flatMap(({ face, text: run }) =>
      [...run].map((character) => ({ face, text: character, advance: this.#advanceOf(face, character) })),
    );
  }

  #faceOf(codePoint: number): Face | undefined {
    if (!this.#faces.has(codePoint)) {
      const found = this.#embedded.find(({ face }) => {
        this.#document.font(face);
        const { _font } = this.#document as unknown as {
          _font: { font: { hasGlyphForCodePoint(c: number): boolean } };
        };
        return _font.font.hasGlyphForCodePoint(codePoint);
      });
      this.#faces.set(codePoint, found?.face);
    }
    return this.#faces.get(codePoint);
  }

  #advanceOf(face: Face, character: string): number {
    const name = `${face} ${character}`;
    const known = this.#advances.get(name) ?? this.#document.font(face).fontSize(100).widthOfString(character) / 100;
    this.#advances.set(name, known);
    return known;
  }
}

/** Breaks a text into lines at a font size. */
function broken(glyphs: readonly Glyph[], { width, breakAnywhere }: Setting, size: number): Glyph[][] {
  const lines: Glyph[][] = [[]];
  let used = 0;
  const widest = width / size;
  for (const [index, glyph] of glyphs.entries()) {
    const isWordStart = !breakAnywhere && glyphs[index - 1]?.text === " ";
    const needed = isWordStart ? Math.min(wordWidth(glyphs, index), widest) : glyph.advance;
    if (used + needed > widest && glyph.text !== " " && used > 0) {
      const next = breakAnywhere ? carriedOver(lines.at(-1) ?? []) : [];
      lines.push(next);
      used = next.reduce((sum, { advance }) => sum + advance, 0);
    }
    lines.at(-1)?.push(glyph);
    used += glyph.advance;
  }
  return lines;
}

/**
 * Takes characters from the end of a full line to the next line, so that no space stands at the break, where text extraction
 * would lose it. Takes nothing where all words are single letters.
 */
function carriedOver(line: Glyph[]): Glyph[] {
  let cut = line.length;
  while (cut > 0 && (line[cut - 1]?.text === " " || line[cut]?.text === " ")) cut--;
  return cut > line.length / 2 ? line.splice(cut) : [];
}

function wordWidth(glyphs: readonly Glyph[], start: number): number {
  let width = 0;
  for (let index = start; index < glyphs.length && glyphs[index]?.text !== " "; index++)
    width += glyphs[index]?.advance ?? 0;
  return width;
}

function joined(line: readonly Glyph[]): Run[] {
  const runs: { face: Face; text: string }[] = [];
  for (const { face, text } of line) {
    const last = runs.at(-1);
    if (last?.face === face) last.text += text;
    else runs.push({ face, text });
  }
  return runs;
}
