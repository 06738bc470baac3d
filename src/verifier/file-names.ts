/**
 * Other names under which a file may have been registered, without the name itself. Systems spell accents in two ways: é is one character, or an e and an
 * accent. Uploads were once stored under the name that browsers and curl encode, `%22` in place of `"`. Today such names are decoded, and so is a `%22` that the
 * file itself has in its name.
 */
export function otherNamesOf(name: string): string[] {
  const spelled = [name, name.normalize("NFC"), name.normalize("NFD")];
  const encoded = spelled.map((each) => each.replace(/["\r\n]/g, encodeURIComponent));
  const decoded = spelled.map((each) => each.replace(/%(22|0D|0A)/g, decodeURIComponent));
  return [...new Set([...spelled, ...encoded, ...decoded])].filter((other) => other !== name);
}
