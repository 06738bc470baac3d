/** Characters that move the pen, turn the writing direction or show nothing: a label must not look like another line. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}]/gu;

export const REPLACEMENT = "\u{fffd}";

/** A text with U+FFFD in the place of each invisible character. */
export const visible = (text: string) => text.replace(INVISIBLE, REPLACEMENT);
