/** A record of a zone file. */
export interface ZoneRecord {
  /** The whole name in lower case, without a final dot. */
  readonly name: string;
  readonly type: string;
  /** Seconds. */
  readonly ttl: number;
  /** The content as the API takes it. */
  readonly content: string;
  /** Of MX and SRV; null for other types, and for a content that cannot be read. */
  readonly priority: number | null;
  readonly disabled: boolean;
  readonly comment: string | null;
}

/** A record with its place in the file. */
export interface ParsedRecord extends ZoneRecord {
  /** The line on which the record begins, counted from 1. */
  readonly line: number;
}

/** The data of a record in the form of the API. */
export interface Data {
  readonly content: string;
  readonly priority: number | null;
  /** Whether a string of a text was longer than a string may be. */
  readonly isSplit?: boolean;
}
