/**
 * The name of an uploaded file, from the parameter `filename` of its part. Browsers and curl write `"`, CR and LF as `%22`, `%0D` and `%0A` and leave
 * every other character alone, `%` included (https://html.spec.whatwg.org/#multipart-form-data). So exactly these three are decoded: `100%25.pdf` stays.
 *
 * Folders are left out. A backslash separates folders only behind the letter of a drive, which old browsers send: elsewhere `a\b.txt` is one name.
 * @param given as the parser returns it, with its folders; undefined for a part without a name
 * @returns null without a name
 */
export function fileNameOf(given: string | undefined): string | null {
  if (given === undefined) return null;
  const path = /^[a-z]:\\/i.test(given) ? given.replaceAll("\\", "/") : given;
  const name = path.slice(path.lastIndexOf("/") + 1);
  return name === "" || name === "." || name === ".." ? null : name.replace(/%(22|0D|0A)/g, decodeURIComponent);
}
