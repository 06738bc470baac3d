/** Fonts that a package divides into many files, of which each has some of the characters: those of Chinese, Japanese and Korean. */
import fs from "node:fs/promises";
import path from "node:path";
import { pathOf } from "./font-file.ts";

/** Characters from `first` to `last` stand in a file. */
interface Stretch {
  readonly first: number;
  readonly last: number;
  readonly file: string;
}

const RULE = /url\(([^)]+\.woff2)\)[^}]*?unicode-range:([^;}]+)/g;
const RANGE = /U\+([0-9a-f]+)(?:-([0-9a-f]+))?/gi;

const known = new Map<string, Promise<readonly Stretch[]>>();

/**
 * The files in which a style sheet says that the characters of a text stand.
 * @param styleSheet of a package, with a rule `@font-face` for each file
 * @param files which of its files to use
 */
export async function slicesWith(text: string, styleSheet: string, files: RegExp): Promise<ReadonlySet<string>> {
  let stretches = known.get(styleSheet);
  if (stretches === undefined) {
    stretches = readStretches(styleSheet, files);
    known.set(styleSheet, stretches);
  }
  const all = await stretches;
  const found = Array.from(text, (character) => fileWith(all, character.codePointAt(0) ?? 0));
  return new Set(found.filter((file) => file !== undefined));
}

async function readStretches(styleSheet: string, files: RegExp): Promise<readonly Stretch[]> {
  const css = await fs.readFile(pathOf(styleSheet), "utf8");
  const stretches = [...css.matchAll(RULE)].flatMap(([, url = "", ranges = ""]) => {
    const file = path.posix.join(path.posix.dirname(styleSheet), url);
    if (!files.test(file)) return [];
    return [...ranges.matchAll(RANGE)].map(([, first = "", last = first]) => ({
      first: Number.parseInt(first, 16),
      last: Number.parseInt(last, 16),
      file,
    }));
  });
  return stretches.sort((one, other) => one.first - other.first);
}

/** Of two files with a character, one is as good as the other. */
function fileWith(stretches: readonly Stretch[], codePoint: number): string | undefined {
  let [from, to] = [0, stretches.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((stretches[middle]?.first ?? 0) <= codePoint) from = middle + 1;
    else to = middle;
  }
  const before = stretches[from - 1];
  return before !== undefined && codePoint <= before.last ? before.file : undefined;
}
