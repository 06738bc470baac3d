/** A zone file that cannot be read. */
export class ZoneFileError extends Error {
  override readonly name = "ZoneFileError";
  /** The place of the fault: lines and columns are counted from 1, columns in UTF-16 code units. */
  readonly line: number;
  readonly column: number;
  /** The faults of the file after this one, in its order. */
  readonly others: readonly ZoneFileError[];

  constructor(message: string, line: number, column: number, others: readonly ZoneFileError[] = []) {
    super(message);
    this.line = line;
    this.column = column;
    this.others = others;
  }
}

/** All faults with their places, as callers read them. */
export const placed = (error: ZoneFileError): readonly string[] =>
  [error, ...error.others].map(({ line, column, message }) => `line ${line}, column ${column}: ${message}`);

/** A reader gives up after so many faults. */
const MOST_FAULTS = 100;

/** Faults that a reader has found so far. */
export class Faults {
  readonly #found: ZoneFileError[] = [];
  /** Whether the reader is to end. */
  isFull = false;

  get isEmpty(): boolean {
    return this.#found.length === 0;
  }

  add(fault: ZoneFileError): void {
    if (this.isFull) return;
    this.isFull = this.#found.length === MOST_FAULTS;
    this.#found.push(
      this.isFull ? new ZoneFileError(`the file has more than ${MOST_FAULTS} faults`, fault.line, fault.column) : fault,
    );
  }

  /** @throws ZoneFileError the first fault by its place, with the others, if there is any */
  throwAny(): void {
    const [first, ...others] = this.#found.toSorted((a, b) => a.line - b.line || a.column - b.column);
    if (first !== undefined) throw new ZoneFileError(first.message, first.line, first.column, others);
  }
}
