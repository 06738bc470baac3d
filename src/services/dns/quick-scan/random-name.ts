import { randomInt } from "node:crypto";

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const DIGITS = "0123456789";

/** The shapes of labels. A server may answer by the look of a name. */
const SHAPES: readonly (() => string)[] = [
  () => some(LETTERS + DIGITS, 16),
  () => some(LETTERS, 13),
  () => `${some(LETTERS, 8)}-${some(DIGITS, 7)}`,
];

/**
 * A name that no domain has.
 * @param place of the name among several: neighbours have different shapes
 */
export const randomName = (above: string, place = 0): string =>
  `${(SHAPES[place % SHAPES.length] as () => string)()}.${above}`;

const some = (characters: string, length: number): string =>
  Array.from({ length }, () => characters[randomInt(characters.length)]).join("");
