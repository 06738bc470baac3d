import { parse } from "tldts";
import { asciiName } from "../zones/ascii-name.ts";
import { type Entry, entriesOf, type Token } from "./entries.ts";
import { FileWarnings } from "./file-warnings.ts";
import { readEscapes } from "./presentation-name.ts";
import { contentOf } from "./record-data.ts";
import { typeOf } from "./unknown-data.ts";
import { Faults, ZoneFileError } from "./zone-file-error.ts";
import type { ParsedRecord } from "./zone-record.ts";

/** The TTL of records for which a file names none, and which has no SOA record before them. */
const TTL = 3_600;
/** A longer name is no name of DNS (RFC 1035 §2.3.4), and names are repeated. */
const MOST_NAME = 1_000;
const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };
/** The class IN, and the others: their names, and the numbers that RFC 3597 §5 gives all classes. */
const INTERNET = /^(in|class0*1)$/;
const OTHER_CLASS = /^(ch|hs|cs|class\d+)$/;
/** When Windows last heard of a record. It stands before the TTL. */
const AGE = /^\[(age|aging):\d+\]$/;
/** SQL takes no longer comment. */
const MOST_COMMENT = 500;

const isClass = ({ text }: Token) => INTERNET.test(text.toLowerCase()) || OTHER_CLASS.test(text.toLowerCase());

/** Where the reader stands in a file: what the entries before an entry say about it. */
interface State {
  readonly zone: string;
  readonly warnings: FileWarnings;
  /** Relative owners of several labels, as they stand in the file. */
  readonly owners: Set<string>;
  /** Relative targets that look whole. Those that the file has as owners are meant as they stand. */
  readonly doubtful: { readonly target: string; readonly line: number }[];
  /** The origin of relative names. */
  origin: string;
  owner: string | null;
  /** The TTL of $TTL. */
  preset: number | null;
  /** The TTL of the last record that names one (RFC 1035 §5.1), or the minimum of the SOA record. */
  last: number | null;
}

/**
 * Reads a zone file (RFC 1035 §5.1, with $TTL of RFC 2308 §4, units of BIND, and what exports of others have). What records mean is not judged.
 * @param zoneName the origin at the beginning, in lower case, without a final dot
 * @param warnings gets what is odd
 * @returns all records in the order of the file, each as soon as it is read: names may need far more memory than the file
 * @throws ZoneFileError at the end of the file, with all faults: $INCLUDE, $GENERATE, and anything else that cannot be read
 */
export function* parseZoneFile(text: string, zoneName: string, warnings = new FileWarnings()): Generator<ParsedRecord> {
  const faults = new Faults();
  const state: State = {
    zone: zoneName,
    origin: zoneName,
    owner: null,
    preset: null,
    last: null,
    warnings,
    owners: new Set(),
    doubtful: [],
  };
  for (const entry of entriesOf(text, faults)) {
    const record = read(entry, state, faults);
    // Of a file with a fault, nothing is used.
    if (record !== null && faults.isEmpty) yield record;
  }
  faults.throwAny();
  for (const { target, line } of state.doubtful) if (!state.owners.has(target)) warnings.add("final_dot_missing", line);
}

/** The record of an entry. Null for a directive, and for an entry with a fault. */
function read(entry: Entry, state: State, faults: Faults): ParsedRecord | null {
  const [first] = entry.tokens;
  try {
    if (first === undefined || entry.isIndented || first.isQuoted || !first.text.startsWith("$"))
      return readRecord(entry, state);
    readDirective(first, entry.tokens.slice(1), state);
  } catch (error) {
    if (!(error instanceof ZoneFileError)) throw error;
    faults.add(error);
  }
  return null;
}

const faultAt = ({ line, column }: Token, message: string) => new ZoneFileError(message, line, column);

function readDirective(directive: Token, [value, more]: readonly Token[], state: State): void {
  const name = directive.text.toUpperCase();
  if (name !== "$ORIGIN" && name !== "$TTL") throw faultAt(directive, `${shortened(directive)} is not read`);
  if (value === undefined) throw faultAt(directive, `${name} has no value`);
  if (more !== undefined) throw faultAt(more, `${name} has one value`);
  if (name === "$ORIGIN") {
    if (isRelative(value)) state.warnings.add("origin_without_dot", value.line);
    state.origin = nameOf(value, state);
  } else {
    state.preset = ttlOf(value.text);
    if (state.preset === null) throw faultAt(value, "$TTL must be seconds, or a time such as 1h30m");
  }
}

function readRecord({ tokens, isIndented, hasParentheses, facts, comment }: Entry, state: State): ParsedRecord {
  const [first] = tokens as readonly [Token];
  if (!isIndented) {
    // Where the owner has a fault, the records after it have an owner all the same.
    state.owner = state.origin;
    state.owner = nameOf(first, state);
  }
  if (state.owner === null) throw faultAt(first, "the first record has no owner");
  let place = isIndented ? 0 : 1;
  let ttl: number | null = null;
  let hasClass = false;
  // TTL and class come in either order, and each may be absent.
  for (; place < tokens.length; place++) {
    const token = tokens[place] as Token;
    const word = token.text.toLowerCase();
    const time: number | null = ttl === null ? ttlOf(word) : null;
    if (token.isQuoted) break;
    if (AGE.test(word)) continue;
    if (time !== null) ttl = time;
    else if (!hasClass && INTERNET.test(word)) hasClass = true;
    else if (!hasClass && OTHER_CLASS.test(word))
      throw faultAt(token, `class ${shortened(token)} is not read, only IN`);
    else break;
  }
  const type = tokens[place];
  if (type === undefined) throw faultAt(tokens.at(-1) as Token, "the record has no type");
  if (type.isQuoted || !/^[a-z][\w-]*$/i.test(type.text) || isClass(type)) throw faultAt(type, "a type was expected");
  const data = tokens.slice(place + 1);
  if (data.length === 0) throw faultAt(type, "the record has no data");
  const kind = typeOf(type.text);
  if (kind === "SOA" && state.last === null) state.last = ttlOf(data.at(-1)?.text ?? "");
  if (ttl !== null) state.last = ttl;
  const { content, priority, isSplit } = contentOf(kind, data, (host) => nameOf(host, state, true));
  if (isSplit) state.warnings.add("text_split", first.line);
  if (hasParentheses && kind === "TXT") state.warnings.add("text_in_parentheses", first.line);
  return {
    line: first.line,
    name: state.owner,
    type: kind,
    ttl: ttl ?? state.preset ?? state.last ?? TTL,
    content: facts?.content ?? content,
    priority,
    disabled: facts?.disabled ?? false,
    comment: facts?.comment ?? cutComment(comment, first.line, state),
  };
}

function cutComment(comment: string | null, line: number, { warnings }: State): string | null {
  const characters = comment === null ? [] : [...comment];
  if (characters.length <= MOST_COMMENT) return comment;
  warnings.add("comment_cut", line);
  return characters.slice(0, MOST_COMMENT).join("");
}

/** A word as a fault repeats it. */
const shortened = ({ text }: Token) => (text.length > 40 ? `${text.slice(0, 40).toWellFormed()}…` : text);

/** Whether a name ends with a dot that no backslash escapes. */
const hasFinalDot = (name: string) => /(^|[^\\])(\\\\)*\.$/.test(name);

/** Whether the origin belongs to a name without being written. */
const isRelative = ({ text }: Token) => !/(^|\.)@$/.test(text) && !hasFinalDot(text);

/**
 * A name made whole, in lower case, without a final dot; the root is empty.
 * @param isTarget whether the name is in the data of a record
 */
function nameOf(token: Token, state: State, isTarget = false): string {
  const { origin } = state;
  const { text } = token;
  if (text.length > MOST_NAME) throw faultAt(token, "the name is too long");
  if (text === "@") return origin;
  const isWhole = hasFinalDot(text);
  // Instructions of mail services have `_sip._tls.@`, where BIND takes the origin for @ alone.
  const bare = isWhole
    ? text.slice(0, -1)
    : text.endsWith("@") && hasFinalDot(text.slice(0, -1))
      ? text.slice(0, -2)
      : text;
  if (bare === text && origin !== "" && text.includes("."))
    noteRelative(text.toLowerCase(), token.line, state, isTarget);
  const name = asciiName(readEscapes(isWhole || origin === "" ? bare : `${bare}.${origin}`)).toLowerCase();
  if (name.length > MOST_NAME) throw faultAt(token, "the name is too long");
  return name;
}

/** Looks whether a relative name of several labels looks whole: with the zone's name at its end, or, as a target, with a public suffix. */
function noteRelative(
  name: string,
  line: number,
  { zone, warnings, owners, doubtful }: State,
  isTarget: boolean,
): void {
  if (name === zone || name.endsWith(`.${zone}`)) warnings.add("final_dot_missing", line);
  else if (!isTarget) owners.add(name);
  else if (parse(name, { allowPrivateDomains: false }).isIcann === true) doubtful.push({ target: name, line });
}

/** Seconds, from digits or from times such as 1h30m. Null for anything else. */
function ttlOf(text: string): number | null {
  if (text.length > 30 || !/^(\d+[smhdw])*\d+[smhdw]?$/i.test(text)) return null;
  const sum = [...text.toLowerCase().matchAll(/(\d+)([smhdw]?)/g)].reduce(
    (seconds, [, digits, unit = ""]) => seconds + Number(digits) * (UNITS[unit] ?? 1),
    0,
  );
  return sum <= 0xffff_ffff ? sum : null;
}
