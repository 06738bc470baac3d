/** The range of bytes that a request asks for, both ends included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

const SINGLE_RANGE = /^bytes=(?:(?<first>\d+)-(?<last>\d*)|-(?<suffix>\d+))$/i;

/**
 * The range that a Range header names (RFC 9110 §14.1.2). Several ranges, another unit and an invalid header ask for the
 * whole file, as §14.2 allows. (range-parser treats a suffix longer than the file, and a range that ends before it
 * begins, as unsatisfiable, against §14.1.)
 */
export function byteRange(header: string | undefined, length: number): ByteRange | "whole" | "unsatisfiable" {
  const { first, last, suffix } = SINGLE_RANGE.exec(header ?? "")?.groups ?? {};
  if (suffix !== undefined) {
    if (Number(suffix) === 0) return "unsatisfiable";
    // An empty file has no last bytes, and Content-Range cannot express that.
    return length === 0 ? "whole" : { start: Math.max(0, length - Number(suffix)), end: length - 1 };
  }
  if (first === undefined) return "whole";
  const start = Number(first);
  const end = last === undefined || last === "" ? length - 1 : Math.min(Number(last), length - 1);
  if (last !== undefined && last !== "" && Number(last) < start) return "whole";
  return start < length ? { start, end } : "unsatisfiable";
}
