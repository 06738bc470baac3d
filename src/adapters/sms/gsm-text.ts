// The default alphabet of SMS, GSM 03.38 (3GPP TS 23.038 §6.2.1): 160 of its characters are one message. One character from outside makes
// telephone networks send the whole text in another form, of which 70 characters are a message.

/** Characters of one place, without those that move the print head. */
const BASIC = new Set(
  [
    "@£$¥èéùìòÇ\nØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
  ].flatMap((text) => [...text]),
);

/** Characters of two places: a network sends another one before each. */
const EXTENDED = new Set("^{}\\[~]|€");

/** What stands for punctuation that Unicode does not take apart. */
const PLAIN: Readonly<Record<string, string>> = {
  "‘": "'",
  "’": "'",
  "“": '"',
  "”": '"',
  "«": '"',
  "»": '"',
  "–": "-",
  "—": "-",
  "−": "-",
  "•": "-",
  "\u0131": "i",
  Ł: "L",
  ł: "l",
  Đ: "D",
  đ: "d",
  œ: "oe",
  Œ: "OE",
};

const isGsm = (character: string) => BASIC.has(character) || EXTENDED.has(character);

/** How many places of a message a text of GSM characters takes. */
export const gsmLength = (text: string): number =>
  [...text].reduce((length, character) => length + (EXTENDED.has(character) ? 2 : 1), 0);

/**
 * A text in GSM characters: letters without the accents that GSM lacks (`ã` is `a`, `ç` is `c`; `é` stays), and `?` for each run of
 * characters that nothing stands for.
 */
export function gsmText(text: string): string {
  return [...text.normalize("NFC")]
    .map((character) => (isGsm(character) ? character : plainCharacter(character)))
    .join("")
    .replaceAll(/\ufffd+/g, "?");
}

function plainCharacter(character: string): string {
  const parts = [...(PLAIN[character] ?? character.normalize("NFKD").replaceAll(/\p{M}/gu, ""))];
  return parts.map((part) => (isGsm(part) ? part : (PLAIN[part] ?? "\ufffd"))).join("");
}

/** The beginning of a text of GSM characters that takes so many places at most; it ends with `...` where something was cut off. */
export function gsmStart(text: string, most: number): string {
  if (gsmLength(text) <= most) return text;
  let start = "";
  for (const character of text) {
    if (gsmLength(start + character) > most - 3) break;
    start += character;
  }
  return `${start.trimEnd()}...`;
}
