import { asciiName } from "../zones/ascii-name.ts";
import { type Entry, entriesOf, type Token } from "./entries.ts";
import { contentOf } from "./record-data.ts";
import { ZoneFileError } from "./zone-file-error.ts";
import type { ParsedRecord } from "./zone-record.ts";

/** The TTL of records for which a file names none, and which has no SOA record before them. */
const TTL = 3_600;
/** A longer name is no name of DNS (RFC 1035 §2.3.4), and names are repeated. */
const MOST_NAME = 1_000;
const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };
/** The class IN, and the others: their names, and the numbers that RFC 3597 §5 gives all classes. */
const INTERNET = /^(in|class0*1)$/;
const OTHER_CLASS = /^(ch|hs|cs|class\d+)$/;

const isClass = ({ text }: Token) => INTERNET.test(text.toLowerCase()) || OTHER_CLASS.test(text.toLowerCase());

/** Where the reader stands in a file: what the entries before an entry say about it. */
interface State {
  /** The origin of relative names. */
  origin: string;
  owner: string | null;
  /** The TTL of $TTL. */
  preset: number | null;
  /** The TTL of the last record that names one (RFC 1035 §5.1), or the minimum of the SOA record. */
  last: number | null;
}

/**
 * Reads a zone file (RFC 1035 §5.1, with $TTL of RFC 2308 §4 and units of BIND). What records mean is not judged.
 * @param zoneName the origin at the beginning, in lower case, without a final dot
 * @returns all records in the order of the file, each as soon as it is read: names may need far more memory than the file
 * @throws ZoneFileError for $INCLUDE, $GENERATE, and anything that cannot be read
 */
export function* parseZoneFile(text: string, zoneName: string): Generator<ParsedRecord> {
  const state: State = { origin: zoneName, owner: null, preset: null, last: null };
  for (const entry of entriesOf(text)) {
    const [first] = entry.tokens;
    if (first !== undefined && !entry.isIndented && !first.isQuoted && first.text.startsWith("$"))
      readDirective(first, entry.tokens.slice(1), state);
    else yield readRecord(entry, state);
  }
}

const faultAt = ({ line, column }: Token, message: string) => new ZoneFileError(message, line, column);

function readDirective(directive: Token, [value, more]: readonly Token[], state: State): void {
  const name = directive.text.toUpperCase();
  if (name !== "$ORIGIN" && name !== "$TTL") throw faultAt(directive, `${directive.text} is not read`);
  if (value === undefined) throw faultAt(directive, `${name} has no value`);
  if (more !== undefined) throw faultAt(more, `${name} has one value`);
  if (name === "$ORIGIN") state.origin = nameOf(value, state);
  else {
    state.preset = ttlOf(value.text);
    if (state.preset === null) throw faultAt(value, "$TTL must be seconds, or a time such as 1h30m");
  }
}

function readRecord({ tokens, isIndented, facts }: Entry, state: State): ParsedRecord {
  const [first] = tokens as readonly [Token];
  if (!isIndented) state.owner = nameOf(first, state);
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
    if (time !== null) ttl = time;
    else if (!hasClass && INTERNET.test(word)) hasClass = true;
    else if (!hasClass && OTHER_CLASS.test(word)) throw faultAt(token, `class ${token.text} is not read, only IN`);
    else break;
  }
  const type = tokens[place];
  if (type === undefined) throw faultAt(tokens.at(-1) as Token, "the record has no type");
  if (type.isQuoted || !/^[a-z][\w-]*$/i.test(type.text) || isClass(type)) throw faultAt(type, "a type was expected");
  const data = tokens.slice(place + 1);
  if (data.length === 0) throw faultAt(type, "the record has no data");
  const kind = type.text.toUpperCase();
  if (kind === "SOA" && state.last === null) state.last = ttlOf(data.at(-1)?.text ?? "");
  if (ttl !== null) state.last = ttl;
  const { content, priority } = contentOf(kind, data, (host) => nameOf(host, state));
  return {
    line: first.line,
    name: state.owner,
    type: kind,
    ttl: ttl ?? state.preset ?? state.last ?? TTL,
    content: facts?.content ?? content,
    priority,
    disabled: facts?.disabled ?? false,
    comment: facts?.comment ?? null,
  };
}

/** A name made whole, in lower case, without a final dot; the root is empty. */
function nameOf(token: Token, { origin }: State): string {
  const { text } = token;
  if (text.length > MOST_NAME) throw faultAt(token, "the name is too long");
  if (text === "@") return origin;
  const isWhole = /(^|[^\\])(\\\\)*\.$/.test(text);
  const name = asciiName(isWhole ? text.slice(0, -1) : origin === "" ? text : `${text}.${origin}`).toLowerCase();
  if (name.length > MOST_NAME) throw faultAt(token, "the name is too long");
  return name;
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
