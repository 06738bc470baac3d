import { domainToASCII } from "node:url";

/** An internationalized name with its A-labels (RFC 5890). SQL judges whatever this cannot read. */
export const asciiName = (name: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins with control characters
  /[^\x00-\x7f]/.test(name) ? domainToASCII(name) || name : name;

/** The name of a zone as it is kept: with A-labels, in lower case, without a final dot. */
export const zoneName = (name: string): string => asciiName(name).toLowerCase().replace(/\.$/, "");
