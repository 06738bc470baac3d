/** An escape of a name: \DDD is a byte, a backslash before another character is that character (RFC 1035 §5.1). */
const ESCAPE = /\\(?:(\d{3})|(\D))/gsu;
/**
 * How Route 53, whose escapes are octal, writes a wildcard. RFC 1035 has decimal numbers, and there it would be the digit 4, which nobody escapes.
 */
const WILDCARD = /^\\052(?=\.|$)/;
/** Characters of names here. A dot is not among them: an escaped one belongs to its label. */
const PLAIN = /^[A-Za-z0-9_*/-]$/;

/**
 * A name in which escapes of letters, digits, and of `-`, `_`, `*`, `/` are read: `\042.example.com` is `*.example.com`. Other escapes stay, and
 * SQL refuses them, because no name here has such characters.
 */
export function readEscapes(name: string): string {
  if (!name.includes("\\")) return name;
  return name
    .replace(WILDCARD, "*")
    .replaceAll(ESCAPE, (whole, digits: string | undefined, one: string | undefined) => {
      const character = digits === undefined ? one : String.fromCharCode(Number(digits));
      return character !== undefined && PLAIN.test(character) ? character : whole;
    });
}

/** A name of the wire (RFC 1035 §3.1) that begins at this place, and the place after it. Null for one that cannot be read, or that is compressed. */
export function nameOnWire(bytes: Buffer, from: number): { readonly name: string; readonly end: number } | null {
  const labels: string[] = [];
  for (let place = from; ; ) {
    const length = bytes[place];
    if (length === undefined || length > 63 || place + length >= bytes.length) return null;
    place += 1;
    if (length === 0) return place - from > 255 ? null : { name: labels.join("."), end: place };
    labels.push([...bytes.subarray(place, place + length)].map(characterOf).join(""));
    place += length;
  }
}

function characterOf(byte: number): string {
  const character = String.fromCharCode(byte);
  return PLAIN.test(character) ? character.toLowerCase() : `\\${String(byte).padStart(3, "0")}`;
}
