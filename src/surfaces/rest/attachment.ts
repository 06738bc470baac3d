import { create } from "content-disposition";

/** What no file system takes, what hides (controls), and what shows a name in another order than its bytes (bidirectional controls). */
const UNFIT = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"*/:<>?\\|]/gu;

/** Bytes of the longest name that file systems take. */
const MOST_BYTES = 255;

/** Content-Disposition of a file that is saved under the name that somebody gave it (RFC 6266, with `filename*` of RFC 8187 where it needs one). */
export function attachment(fileName: string): string {
  const name = shortened(fileName.toWellFormed().replaceAll(UNFIT, "_").replace(/^\.+/, "_").trim());
  return create(name === "" ? "file" : name);
}

/** The end of a name says what it is: it stays. */
function shortened(name: string): string {
  const end = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? "";
  const letters = [...name.slice(0, name.length - end.length)];
  while (Buffer.byteLength(letters.join("") + end) > MOST_BYTES) letters.pop();
  return letters.join("") + end;
}
