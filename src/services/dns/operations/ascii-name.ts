import { domainToASCII } from "node:url";

/** The most characters that commands take. */
const MOST = 1_000;

/** A host whose last label is a number is an IPv4 address to the parser of addresses, which would write "①" as "0.0.0.1". */
const NO_NUMBER = ".x";

/** An internationalized name with its A-labels (RFC 5890). A name without them, or one that they make too long, is judged by SQL as it is. */
export function asciiName(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins with control characters
  if (!/[^\x00-\x7f]/.test(name)) return name;
  // The parser of addresses ends a host at these characters, and decodes others.
  if (/[/?#\\:@%[\]\s]/.test(name)) return name;
  const ascii = domainToASCII(`${name}${NO_NUMBER}`).slice(0, -NO_NUMBER.length);
  return ascii === "" || ascii.length > MOST ? name : ascii;
}

/** The name of a zone as it is kept: with A-labels, in lower case, without a final dot. */
export const zoneName = (name: string): string => asciiName(name).toLowerCase().replace(/\.$/, "");
