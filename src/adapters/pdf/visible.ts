/**
 * Characters that move the pen, turn the writing direction or show nothing: a label must not look like another line. Joiners belong after the
 * letters that they keep apart or join (signature.has_hidden_character has the same rule).
 */
const INVISIBLE =
  /(?<![\u0600-\u0dff\u0f00-\u109f\u1780-\u18af\ufb50-\ufdff\ufe70-\ufefc])[\u200c\u200d]|(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}]/gu;
/**
 * Characters that show nothing where they belong: spaces without width between words that are written without spaces, and what chooses one of
 * several forms of a Chinese character, of which the usual one is drawn.
 */
const IDLE =
  /(?<=[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff])\u200b(?=[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff])|(?<=\p{Script=Han})[\u{e0100}-\u{e01ef}]/gu;

export const REPLACEMENT = "\u{fffd}";

/** A text without the characters that show nothing where they belong. */
export const withoutIdle = (text: string) => text.replace(IDLE, "");
/** A text with U+FFFD in the place of each invisible character. */
export const visible = (text: string) => text.replace(INVISIBLE, REPLACEMENT);
