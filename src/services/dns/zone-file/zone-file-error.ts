/** A zone file that cannot be read. */
export class ZoneFileError extends Error {
  override readonly name = "ZoneFileError";
  /** The place of the fault: lines and columns are counted from 1, columns in UTF-16 code units. */
  readonly line: number;
  readonly column: number;

  constructor(message: string, line: number, column: number) {
    super(message);
    this.line = line;
    this.column = column;
  }
}

/** The fault with its place, as callers read it. */
export const placed = ({ line, column, message }: ZoneFileError): string =>
  `line ${line}, column ${column}: ${message}`;
