import type { Font } from "fontkit";
import { type Shown, shownCharacters } from "./characters.ts";
import type { Face, Fonts } from "./faces.ts";
import { inVisualOrder, levelsOf, type Placed } from "./reading-order.ts";
import { isRightToLeft } from "./shared-font.ts";

/** A stretch of text in one face. */
export interface Span {
  readonly text: string;
  readonly face: Face;
  /** Whether the text is ours and contains names that others gave. Such a text runs from left to right. Any other text runs in the direction of its first letter. */
  readonly isOurs?: boolean;
}

/** How a text is set; lengths in points. */
export interface Setting {
  readonly width: number;
  readonly size: number;
  /** Height of a line, as a multiple of the size. */
  readonly leading: number;
  readonly color: string;
  readonly align?: "left" | "right";
  /** Whether all digits are equally wide, and no comma stands under the digit before it: amounts are read without error. */
  readonly isTabular?: boolean;
  /** Whether lines may break between any two characters; otherwise they break after spaces and slashes, if there are any. */
  readonly breakAnywhere?: boolean;
  /** The font size shrinks until the text fits into this many lines. */
  readonly mostLines?: number;
  /** The font size shrinks until the text fits into this height. */
  readonly mostHeight?: number;
  readonly smallest?: number;
}

/** A text broken into lines, not drawn yet. */
export interface Laid {
  readonly width: number;
  readonly height: number;
  readonly lines: number;
  readonly draw: (x: number, y: number) => void;
}

/** One character with its advance width at size 1. */
interface Glyph extends Shown, Placed {
  readonly advance: number;
}

/** The part of a line's height above the baseline, as Inter divides it. */
const ASCENT = 0.8;
const SMALLEST = 2;
const STEP = 0.25;
/** Sets text of mixed fonts in lines, because pdfkit knows one font at a time. */
export class TextSetter {
  readonly #document: PDFKit.PDFDocument;
  readonly #fonts: Fonts;
  readonly #names = new Map<Font, string>();
  /** Texts are laid out several times, until the page is filled. */
  readonly #known = new Map<string, readonly Glyph[]>();
  readonly #advances = new Map<Font, Map<string, number>>();

  constructor(document: PDFKit.PDFDocument, fonts: Fonts) {
    this.#document = document;
    this.#fonts = fonts;
  }

  /** Breaks a text into lines, at the largest size at which it fits. */
  lay(text: readonly Span[], setting: Setting): Laid {
    const glyphs = this.#glyphs(text);
    const { width, leading, smallest = SMALLEST } = setting;
    const mostLines = setting.mostLines ?? Number.POSITIVE_INFINITY;
    const mostHeight = setting.mostHeight ?? Number.POSITIVE_INFINITY;
    let { size } = setting;
    let lines = broken(glyphs, setting, size);
    while (size > smallest && (lines.length > mostLines || lines.length * size * leading > mostHeight)) {
      size = Math.max(size - STEP, smallest);
      lines = broken(glyphs, setting, size);
    }
    return {
      width: Math.min(width, Math.max(...lines.map((line) => sum(line) * size))),
      height: lines.length * size * leading,
      lines: lines.length,
      draw: (x, y) => this.#draw(lines, { ...setting, size }, x, y),
    };
  }

  /** How many characters, as Postgres counts them, stand in so many first lines of this size, none of which is wider than it may be. */
  charactersIn(
    text: readonly Span[],
    setting: Setting,
    mostLines: number,
  ): { readonly count: number; readonly isWhole: boolean } {
    const lines = broken(this.#glyphs(text), setting, setting.size);
    const wide = lines.findIndex((line) => (sum(line) - hanging(line)) * setting.size > setting.width);
    const fitting = lines.slice(0, Math.min(mostLines, wide === -1 ? lines.length : wide));
    const count = fitting.flat().reduce((total, glyph) => total + [...glyph.text].length, 0);
    return { count, isWhole: fitting.length === lines.length };
  }

  #draw(lines: readonly (readonly Glyph[])[], setting: Setting, left: number, top: number): void {
    const { size, leading, width, color, align, isTabular } = setting;
    const options = isTabular ? { features: ["tnum" as const] } : {};
    let baseline = top + (size * (leading - 1)) / 2 + size * ASCENT;
    this.#document.fillColor(color);
    for (const line of lines) {
      const shown = inVisualOrder(line);
      const runs = joined(shown);
      const widths = runs.map(({ font, text }) => this.#use(font).fontSize(1).widthOfString(text, options));
      const total = widths.reduce((sum, each) => sum + each, 0);
      // Together, letters can be wider than alone.
      const fitting = Math.min(size, width / (total - hanging(line)));
      let x = align === "right" ? left + width - total * fitting : left;
      const placed = runs.map((run, index) => {
        const at = x;
        x += (widths[index] ?? 0) * fitting;
        return { ...run, x: at };
      });
      // Drawn in the order in which the text is written, for programs that read the page aloud.
      if (shown !== line) placed.sort((one, other) => one.place - other.place);
      for (const run of placed) {
        this.#use(run.font).fontSize(fitting);
        this.#document.text(run.text, run.x, baseline, { lineBreak: false, baseline: "alphabetic", ...options });
      }
      baseline += size * leading;
    }
  }

  #use(font: Font): PDFKit.PDFDocument {
    let name = this.#names.get(font);
    if (name === undefined) {
      name = `font ${this.#names.size + 1}`;
      this.#names.set(font, name);
      // pdfkit takes a font of fontkit's as well, which its types do not say.
      this.#document.registerFont(name, font as unknown as string);
    }
    return this.#document.font(name);
  }

  #glyphs(spans: readonly Span[]): readonly Glyph[] {
    const stretches = spans.map((span) => this.#stretch(span));
    // Most texts are read from left to right alone: there, nobody asks for places.
    if (stretches.every((glyphs) => glyphs.every(isFromLeft))) return stretches.flat();
    let place = 0;
    return stretches.flatMap((glyphs, stretch) => glyphs.map((glyph) => ({ ...glyph, stretch, place: place++ })));
  }

  #stretch({ text, face, isOurs = false }: Span): readonly Glyph[] {
    const key = `${face} ${isOurs} ${text}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const characters = shownCharacters(text, face, this.#fonts);
    const levels = levelsOf(
      characters.map((shown) => shown.text),
      isOurs,
    );
    const glyphs = characters.map((shown, place) => ({
      ...shown,
      advance: this.#advanceOf(shown),
      level: levels[place] ?? 0,
      stretch: 0,
      place,
    }));
    this.#known.set(key, glyphs);
    return glyphs;
  }

  #advanceOf({ font, text }: Shown): number {
    const ofFont = this.#advances.get(font) ?? new Map<string, number>();
    this.#advances.set(font, ofFont);
    const advance = ofFont.get(text) ?? font.layout(text).advanceWidth / font.unitsPerEm;
    ofFont.set(text, advance);
    return advance;
  }
}

/** The width of the spaces at the end of a line, which nobody sees outside. */
const hanging = (line: readonly Glyph[]) => sum(line.slice(line.findLastIndex(({ text }) => text !== " ") + 1));
const isFromLeft = ({ level }: Glyph) => level === 0;
const sum = (line: readonly Glyph[]) => line.reduce((total, { advance }) => total + advance, 0);

/** Breaks a text into lines at a font size. */
function broken(glyphs: readonly Glyph[], { width, breakAnywhere }: Setting, size: number): Glyph[][] {
  const lines: Glyph[][] = [[]];
  let used = 0;
  const widest = width / size;
  for (const [index, glyph] of glyphs.entries()) {
    const isWordStart = !breakAnywhere && endsWord(glyphs[index - 1]);
    const needed = isWordStart ? Math.min(wordWidth(glyphs, index), widest) : glyph.advance;
    if (used + needed > widest && glyph.text !== " " && used > 0) {
      const next = breakAnywhere ? carriedOver(lines.at(-1) ?? []) : [];
      lines.push(next);
      used = sum(next);
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

const endsWord = (glyph: Glyph | undefined) => glyph?.text === " " || glyph?.text === "/";

/** The width up to the next space, or with the next slash. */
function wordWidth(glyphs: readonly Glyph[], start: number): number {
  let width = 0;
  for (let index = start; index < glyphs.length && glyphs[index]?.text !== " "; index++) {
    width += glyphs[index]?.advance ?? 0;
    if (endsWord(glyphs[index])) break;
  }
  return width;
}

/** A stretch of a line in one font and one direction, as fontkit takes it. */
interface Run extends Shown {
  /** Of its first character. */
  readonly place: number;
}

/**
 * Characters of one font, one direction and one stretch of the text together. The line is in the order in which it is shown; letters that are
 * read from right to left are turned around once more, because fontkit takes them as they are written.
 */
function joined(line: readonly Glyph[]): Run[] {
  const runs: Glyph[][] = [];
  for (const glyph of line) {
    const last = runs.at(-1)?.at(-1);
    const isNext = last?.level === 0 || last?.place === glyph.place + (glyph.level % 2 === 0 ? -1 : 1);
    const isJoined = last?.font === glyph.font && last.level === glyph.level && isNext;
    if (isJoined) runs.at(-1)?.push(glyph);
    else runs.push([glyph]);
  }
  return runs.map((run) => {
    const [first] = run as [Glyph, ...Glyph[]];
    const shown = run.map(({ text }) => text).join("");
    const text = isRightToLeft(shown)
      ? run
          .map((glyph) => glyph.text)
          .reverse()
          .join("")
      : shown;
    return { font: first.font, text, place: Math.min(...run.map(({ place }) => place)) };
  });
}
