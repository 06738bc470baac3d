/** What is odd about a line of a zone file, though it can be read. */
const WORDS = {
  final_dot_missing:
    "a name looks whole and has no final dot, so it lies below the origin. If it is whole, end it with a dot.",
  origin_without_dot:
    "$ORIGIN has no final dot, so it lies below the origin before it. If it is whole, end it with a dot.",
  text_in_parentheses:
    "a TXT stands in parentheses. They are not part of the text, and its strings follow each other without blanks.",
  text_split:
    "a quoted string has more than 255 bytes. It was split into strings of at most 255 bytes; the text is whole.",
  comment_cut: "a comment has more than 500 characters. The record has the first 500.",
} as const;

export type WarningCode = keyof typeof WORDS;

/** A warning as the API answers it. */
export interface FileWarning {
  readonly code: string;
  readonly message: string;
}

/** More lines are counted. */
const MOST_LINES = 20;

/** Warnings about a zone file: one of each kind, with its lines. */
export class FileWarnings {
  readonly #lines = new Map<WarningCode, Set<number>>();

  add(code: WarningCode, line: number): void {
    const lines = this.#lines.get(code);
    if (lines === undefined) this.#lines.set(code, new Set([line]));
    else lines.add(line);
  }

  all(): FileWarning[] {
    return [...this.#lines].map(([code, lines]) => ({
      code,
      message: `${placesOf([...lines].toSorted((a, b) => a - b))}: ${WORDS[code]}`,
    }));
  }
}

function placesOf(lines: readonly number[]): string {
  const more = lines.length - MOST_LINES;
  const shown = lines.slice(0, MOST_LINES).map((line) => `line ${line}`);
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(", ");
}
