/** In which order a line shows its characters: the Unicode Bidirectional Algorithm (UAX #9). */
import bidiModule from "bidi-js";

// The package is CommonJS, and its types are those of an ES module.
const bidi = (bidiModule as unknown as typeof bidiModule.default)();

/** A character, which may be several code points, in its place in a text. */
export interface Placed {
  readonly text: string;
  /** Where it stands in the text as it is written. */
  readonly place: number;
  /** The number of the stretch that it belongs to. Each stretch is by itself, as in <bdi>: a name turns nothing that stands beside it. */
  readonly stretch: number;
  /** Odd: it is read from right to left. */
  readonly level: number;
}

/** Blocks of the scripts that are read from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * The level of each character of a stretch.
 * @param isOurs whether it begins at the left whatever stands first, as a sentence of ours does that begins with a name; otherwise it begins
 * as its first letter does (UAX #9, P2 and P3)
 */
export function levelsOf(characters: readonly string[], isOurs: boolean): readonly number[] {
  const text = characters.join("");
  if (!RIGHT_TO_LEFT.test(text)) return characters.map(() => 0);
  const { levels } = bidi.getEmbeddingLevels(text, isOurs ? "ltr" : "auto");
  let at = 0;
  return characters.map((character) => {
    const level = levels[at] ?? 0;
    at += character.length;
    return level;
  });
}

/** The characters of one line from left to right. Brackets that are read from right to left are turned around. */
export function inVisualOrder<Character extends Placed>(line: readonly Character[]): readonly Character[] {
  if (line.every(({ level }) => level === 0)) return line;
  const stretches = Map.groupBy(line, ({ stretch }) => stretch);
  return [...stretches.values()].flatMap(stretchInVisualOrder);
}

function stretchInVisualOrder<Character extends Placed>(stretch: readonly Character[]): readonly Character[] {
  // One code unit for each character; only spaces at the end matter (UAX #9, L1).
  const units = stretch.map(({ text }) => text.charAt(0)).join("");
  const whole = { start: 0, end: stretch.length - 1, level: 0 };
  const levels = Uint8Array.from(stretch, ({ level }) => level);
  const shown = stretch.map((each) =>
    each.level % 2 === 0 ? each : { ...each, text: bidi.getMirroredCharacter(each.text) ?? each.text },
  );
  for (const [start = 0, end = 0] of bidi.getReorderSegments(units, { levels, paragraphs: [whole] }))
    shown.splice(start, end - start + 1, ...shown.slice(start, end + 1).reverse());
  return shown;
}
