import type { Token } from "./entries.ts";
import { cut, escapedBytes, MOST_STRING, textContent, unescaped } from "./text-strings.ts";
import { contentOfUnknownForm, isUnknownForm } from "./unknown-data.ts";
import { ZoneFileError } from "./zone-file-error.ts";
import type { Data } from "./zone-record.ts";

const HOSTS = new Set(["ALIAS", "CNAME", "NS", "PTR"]);

/**
 * The data of a record in the form of the API. Data of another form stay as they stand in the file: SQL then says what is wrong.
 * @param nameOf makes a name whole
 * @throws ZoneFileError for escapes that cannot be read, and for bytes (RFC 3597) that are no data of the type
 */
export function contentOf(type: string, data: readonly Token[], nameOf: (host: Token) => string): Data {
  const [one, two, three, four, five] = data;
  const asItStands: Data = { content: data.map(shown).join(" "), priority: null };
  if (one !== undefined && isUnknownForm(data)) {
    const known = contentOfUnknownForm(type, data);
    if (known === null)
      throw new ZoneFileError(`the bytes after \\# are not data of type ${type}`, one.line, one.column);
    return known ?? asItStands;
  }
  if (type === "TXT") return textOf(data.map(bytesOf));
  if (one === undefined || data.some(({ isQuoted }) => isQuoted) !== (type === "CAA" && three?.isQuoted === true))
    return asItStands;
  if (HOSTS.has(type) && two === undefined) return { content: hostOf(one, nameOf), priority: null };
  if (type === "MX" && two !== undefined && three === undefined && isNumber(one))
    return { content: hostOf(two, nameOf), priority: Number(one.text) };
  if (type === "SRV" && two && three && four && five === undefined && isNumber(one))
    return { content: `${two.text} ${three.text} ${hostOf(four, nameOf)}`, priority: Number(one.text) };
  if (type === "CAA" && two && three && four === undefined)
    return { content: `${one.text} ${two.text} "${escapedBytes(bytesOf(three))}"`, priority: null };
  return asItStands;
}

/** A text; strings that are too long for the wire are split. */
function textOf(strings: readonly Buffer[]): Data {
  const isSplit = strings.some((each) => each.length > MOST_STRING);
  const fitting = isSplit ? strings.flatMap((each) => (each.length > MOST_STRING ? cut(each) : [each])) : strings;
  return { content: textContent(fitting), priority: null, isSplit };
}

const isNumber = ({ text }: Token) => /^0*\d{1,9}$/.test(text);
const shown = ({ text, isQuoted }: Token) => (isQuoted ? `"${text}"` : text);
/** A host; the root is a dot. */
const hostOf = (token: Token, nameOf: (host: Token) => string) => nameOf(token) || ".";

function bytesOf(token: Token): Buffer {
  const bytes = unescaped(token.text);
  if (bytes === null)
    throw new ZoneFileError(
      "an escape must be \\ and three digits up to 255, or \\ and a character",
      token.line,
      token.column,
    );
  return bytes;
}
