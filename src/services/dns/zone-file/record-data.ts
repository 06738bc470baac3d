import type { Token } from "./entries.ts";
import { textContent, unescaped } from "./text-strings.ts";
import { ZoneFileError } from "./zone-file-error.ts";

interface Data {
  readonly content: string;
  readonly priority: number | null;
}

const HOSTS = new Set(["ALIAS", "CNAME", "NS", "PTR"]);

/**
 * The data of a record in the form of the API. Data of another form stay as they stand in the file: SQL then says what is wrong.
 * @param nameOf makes a name whole
 * @throws ZoneFileError for escapes that cannot be read
 */
export function contentOf(type: string, data: readonly Token[], nameOf: (host: Token) => string): Data {
  const [one, two, three, four, five] = data;
  const asItStands: Data = { content: data.map(shown).join(" "), priority: null };
  if (type === "TXT") return { content: textContent(data.map(bytesOf)), priority: null };
  if (one === undefined || data.some(({ isQuoted }) => isQuoted) !== (type === "CAA" && three?.isQuoted === true))
    return asItStands;
  if (HOSTS.has(type) && two === undefined) return { content: hostOf(one, nameOf), priority: null };
  if (type === "MX" && two !== undefined && three === undefined && isNumber(one))
    return { content: hostOf(two, nameOf), priority: Number(one.text) };
  if (type === "SRV" && two && three && four && five === undefined && isNumber(one))
    return { content: `${two.text} ${three.text} ${hostOf(four, nameOf)}`, priority: Number(one.text) };
  if (type === "CAA" && two && three && four === undefined) {
    const value = bytesOf(three).toString("latin1");
    if (PRINTABLE.test(value))
      return { content: `${one.text} ${two.text} "${value.replaceAll(/["\\]/g, "\\$&")}"`, priority: null };
  }
  return asItStands;
}

const PRINTABLE = /^[\x20-\x7e]*$/;
const isNumber = ({ text }: Token) => /^\d{1,9}$/.test(text);
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
