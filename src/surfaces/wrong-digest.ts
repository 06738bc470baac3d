/** The pattern of a SHA-256 in the limits of a parameter. */
export const SHA256_PATTERN = "^[0-9a-f]{64}$";

/** The digests of other functions, by their hexadecimal digits. */
const OTHERS: Readonly<Record<number, string>> = { 32: "MD5", 40: "SHA-1", 96: "SHA-384", 128: "SHA-512" };

/**
 * What a text that is not a SHA-256 in lower case has in place of one, as the end of the sentence that refuses it. Such a text is not corrected: it is signed as
 * it was sent.
 * @returns an empty text where nothing is known
 */
export function wrongDigest(given: unknown): string {
  if (typeof given !== "string") return "";
  const digits = given.replace(/[\s\p{Default_Ignorable_Code_Point}]/gu, "");
  const other = /^[0-9a-f]+$/i.test(digits) ? OTHERS[digits.length] : undefined;
  if (other !== undefined) return `: these ${digits.length} are a digest by ${other}`;
  if (/^0x[0-9a-f]{64}$/i.test(digits)) return ', without "0x" before them';
  if (!/^[0-9a-f]{64}$/i.test(digits)) return "";
  if (digits === given) return ", without capital letters";
  return ", without spaces or invisible characters";
}
