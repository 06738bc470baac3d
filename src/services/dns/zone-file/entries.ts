import { type Faults, ZoneFileError } from "./zone-file-error.ts";

/** A word of a zone file, with its escapes as they stand there. */
export interface Token {
  readonly text: string;
  readonly isQuoted: boolean;
  readonly line: number;
  readonly column: number;
}

/** What a line of ours says about the record after it. */
export interface Facts {
  readonly disabled?: boolean | undefined;
  readonly comment?: string | undefined;
  /** The content as it was sent, where another text means the same. */
  readonly content?: string | undefined;
}

/** An entry of a zone file: a directive or a record (RFC 1035 §5.1). */
export interface Entry {
  readonly tokens: readonly Token[];
  /** Whether it begins with a blank, and so has the owner of the record before it. */
  readonly isIndented: boolean;
  /** Whether a parenthesis stands behind its first word. */
  readonly hasParentheses: boolean;
  readonly facts: Facts | null;
  /** The comments behind its words, in one line. */
  readonly comment: string | null;
}

/** The beginning of lines that only Selo reads. Other programs take them for comments. */
export const OWN = ";selo ";
/** The beginning of records that only Selo reads. */
export const HIDDEN = `${OWN}record `;

// The next three match the one character that ends a run. A pattern for the run itself (`[ ]+`) would keep a place to go back to for each
// of its characters, and a run of megabytes would exceed V8's memory for that.
/** What ends blanks. No-break spaces are blanks: they come with text that was copied from a page. */
const NO_BLANK = /[^ \t\f\v\u00a0]/g;
/** What ends the plain part of a word: an escape, or the end of the word. */
const NOT_PLAIN = /[ \t\f\v\u00a0\r\n;()"\\]/g;
const NOT_PLAIN_IN_QUOTES = /["\\\r\n]/g;
const LINE_END = /[\r\n]/g;

/** A longer word is no data of a record that the service takes, and words are repeated in answers. */
const MOST_WORD = 70_000;
/** The strings of 16 KiB of text are fewer. */
const MOST_WORDS = 20_000;

/**
 * Splits a zone file into its entries. Reads each character once; what follows a parenthesis without an end is read again.
 * @param faults gets parentheses and quotation marks without an end, and lines of ours that cannot be read. An entry with a fault is left out
 */
export function* entriesOf(text: string, faults: Faults): Generator<Entry> {
  let place = text.startsWith("\ufeff") ? 1 : 0;
  let line = 1;
  let lineStart = 0;
  let tokens: Token[] = [];
  let isIndented = false;
  let hasParentheses = false;
  let facts: Facts | null = null;
  let comment: string | null = null;
  /** Faults of the entry. They count once its end is found, because text behind a parenthesis without an end is read again. */
  let wrong: ZoneFileError[] = [];
  let readAgain = 0;
  /** Where each open parenthesis stands. */
  const open: { readonly line: number; readonly column: number; readonly place: number }[] = [];
  const fault = (message: string) => new ZoneFileError(message, line, place - lineStart + 1);
  const isBroken = () => wrong.length > 0;
  const note = (message: string) => {
    // An error costs far more than a character, and each character may be a fault.
    if (wrong.length < MOST_WRONG) wrong.push(fault(message));
    tokens = [];
  };
  const skipBlanks = (): boolean => {
    const from = place;
    place = endOfRun(text, place, NO_BLANK);
    return place > from;
  };
  /** The entry that ends here. The next one begins. */
  const ended = (): Entry | null => {
    const entry = !isBroken() && tokens.length > 0 ? { tokens, isIndented, hasParentheses, facts, comment } : null;
    for (const each of wrong) faults.add(each);
    if (entry !== null || isBroken()) facts = null;
    [tokens, wrong, comment, hasParentheses] = [[], [], null, false];
    return entry;
  };

  while (!faults.isFull) {
    if (place >= text.length) {
      const [left] = open;
      if (left === undefined) break;
      // The rest of the file stands in this parenthesis. Its faults are told, too.
      wrong = wrong.filter((each) => each.line <= left.line);
      wrong = [
        ...wrong.slice(0, MOST_WRONG - 1),
        new ZoneFileError("the parenthesis has no end", left.line, left.column),
      ];
      ended();
      open.length = 0;
      place = endOfRun(text, left.place, LINE_END);
      readAgain += text.length - place;
      if (readAgain > MOST_READ_AGAIN) return;
      line = left.line;
      lineStart = left.place - left.column + 1;
      continue;
    }
    if (place === lineStart && open.length === 0 && text.startsWith(OWN, place)) {
      if (text.startsWith(HIDDEN, place)) {
        place += HIDDEN.length;
        isIndented = skipBlanks();
      } else {
        const end = endOfLine(text, place);
        facts = readFacts(text.slice(place + OWN.length, end));
        if (facts === null) faults.add(fault(WRONG_FACTS));
        place = end;
        continue;
      }
    } else if (place === lineStart && open.length === 0) isIndented = skipBlanks();
    const character = text[place];
    if (character === undefined) continue;
    const at = { line, column: place - lineStart + 1 };
    if (character === "\n" || character === "\r") {
      if (character === "\r" && text[place + 1] === "\n") place += 1;
      place += 1;
      line += 1;
      lineStart = place;
      if (open.length > 0) continue;
      const entry = ended();
      if (entry !== null) yield entry;
    } else if (character === ";") {
      const end = endOfLine(text, place);
      if (tokens.length > 0) comment = joined(comment, text.slice(place + 1, Math.min(end, place + MOST_COMMENT_READ)));
      place = end;
    } else if (character === "(") {
      if (tokens.length > 0) hasParentheses = true;
      if (open.length === MOST_OPEN) {
        note("too many parentheses are open");
        open.length = 0;
        place = endOfRun(text, place, LINE_END);
      } else {
        open.push({ ...at, place });
        place += 1;
      }
    } else if (character === ")") {
      if (open.pop() === undefined) note("the parenthesis has no beginning");
      place += 1;
    } else if (character === '"') {
      const end = endOfWord(text, place + 1, NOT_PLAIN_IN_QUOTES);
      if (text[end] === '"') {
        if (!isBroken()) tokens.push({ text: text.slice(place + 1, end), isQuoted: true, ...at });
        place = end + 1;
      } else {
        note("the quotation mark has no end on this line");
        place = endOfRun(text, end, LINE_END);
      }
    } else if (!skipBlanks()) {
      const end = endOfWord(text, place, NOT_PLAIN);
      if (end === place) {
        note(character === "\\" ? "the backslash escapes nothing" : "unexpected character");
        place += 1;
      } else {
        if (!isBroken()) tokens.push({ text: text.slice(place, end), isQuoted: false, ...at });
        place = end;
      }
    }
    if (tokens.length > MOST_WORDS) note("the record has too many words");
    if ((tokens.at(-1)?.text.length ?? 0) > MOST_WORD) note("the word is too long");
  }
  const last = ended();
  if (last !== null) yield last;
}

/** An entry with more faults names these. */
const MOST_WRONG = 100;
/** Characters that are read again before the reader gives up: each parenthesis without an end costs the rest of the file. */
const MOST_READ_AGAIN = 16 * 1024 * 1024;
/** Characters of a comment that are looked at. */
const MOST_COMMENT_READ = 2_000;

const NOISE = /[\p{Cc}\s]+/gu;

/** Comments of one entry, as one line of text. */
function joined(before: string | null, comment: string): string | null {
  const said = comment
    .toWellFormed()
    .replaceAll(NOISE, " ")
    .replace(/^[; ]+/, "")
    .trimEnd();
  if (said === "" || (before ?? "").length > MOST_COMMENT_READ) return before;
  return before === null ? said : `${before}; ${said}`;
}

/** Nobody nests parentheses. */
const MOST_OPEN = 100;

/** The place of the first character, from a place on, that a pattern matches. Without a match, the end of the text. */
function endOfRun(text: string, from: number, end: RegExp): number {
  end.lastIndex = from;
  return end.exec(text)?.index ?? text.length;
}

/** The end of a word; an escape that has no character after it is not passed. */
function endOfWord(text: string, from: number, notPlain: RegExp): number {
  let place = from;
  for (;;) {
    place = endOfRun(text, place, notPlain);
    const next = text.codePointAt(place + 1);
    if (text[place] !== "\\" || next === undefined || next === LINE_FEED || next === CARRIAGE_RETURN) return place;
    place += next > 0xffff ? 3 : 2;
  }
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  if (end < 0) return text.length;
  return text[end - 1] === "\r" ? end - 1 : end;
}

/** What a line of ours says; null for one that cannot be read. */
function readFacts(json: string): Facts | null {
  try {
    const facts = JSON.parse(json) as Readonly<Record<string, unknown>>;
    const isRead =
      json.trimStart().startsWith("{") &&
      Object.entries(facts).every(
        ([name, value]) =>
          typeof value === TYPES[name] && isWritable(value) && (typeof value !== "string" || value.length <= MOST_WORD),
      );
    return isRead ? facts : null;
  } catch {
    return null;
  }
}

const WRONG_FACTS = `a line that begins with "${OWN.trim()}" must go on with "record" or with JSON of disabled, comment and content`;

/** Whether Postgres can hold a value: escapes of JSON can name what is no text. */
const isWritable = (value: unknown) => typeof value !== "string" || (value.isWellFormed() && !value.includes("\0"));

/** The members of {@link Facts}. */
const TYPES: Readonly<Record<string, string>> = { disabled: "boolean", comment: "string", content: "string" };
