import { domainToASCII, domainToUnicode } from "node:url";

/** The most characters that commands take. */
const MOST = 1_000;
/** The most characters of a label and of a name (RFC 1035 §2.3.4). A-labels are never shorter than what they stand for. */
const MOST_LABEL = 63;
const MOST_NAME = 253;
/** What the parser of addresses takes for dots (UTS 46 §2.3). */
const DOTS = /[.\u3002\uff0e\uff61]/;

/** A host whose last label is a number is an IPv4 address to the parser of addresses, which would write "①" as "0.0.0.1". */
const NO_NUMBER = ".x";

/** An internationalized name with its A-labels (RFC 5890). A name without them, or one that they make too long, is judged by SQL as it is. */
export function asciiName(name: string): string {
  if (isAscii(name)) return name;
  // The parser of addresses ends a host at these characters, and decodes others.
  if (/[/?#\\:@%[\]\s]/.test(name)) return name;
  if (isTooLong(name)) return name;
  const ascii = domainToASCII(`${name}${NO_NUMBER}`).slice(0, -NO_NUMBER.length);
  return ascii === "" || ascii.length > MOST ? name : ascii;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins with control characters
const isAscii = (text: string) => /^[\x00-\x7f]*$/.test(text);

/** Whether a name has too many characters for its A-labels. The time to make them grows with the square of a label: 5 ms for a thousand characters. */
function isTooLong(name: string): boolean {
  // Decomposed characters become fewer.
  const composed = name.normalize("NFC");
  const lengths = composed.split(DOTS).map((label) => [...label].length);
  return Math.max(...lengths) > MOST_LABEL || [...composed].length > MOST_NAME + 1;
}

/** Whether a label begins with `xn--`, and stands for no label of an internationalized name (RFC 5891 §5.4). */
export function hasBrokenLabel(name: string): boolean {
  return name.split(".").some((label) => {
    if (!label.startsWith("xn--")) return false;
    const host = `${label}${NO_NUMBER}`;
    const shown = domainToUnicode(host);
    return isAscii(shown) || domainToASCII(shown) !== host;
  });
}

/** The name of a zone as it is kept: with A-labels, in lower case, without a final dot. */
export const zoneName = (name: string): string => asciiName(name).toLowerCase().replace(/\.$/, "");
