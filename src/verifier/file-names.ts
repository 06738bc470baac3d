/**
 * Other names under which a file may have been registered: systems spell accents in two ways (é is one character, or an e and an accent), and uploads
 * were once stored under the name that browsers and curl encode, `%22` in place of `"`. Without the name itself.
 */
export function otherNamesOf(name: string): string[] {
  const spelled = [name, name.normalize("NFC"), name.normalize("NFD")];
  const encoded = spelled.map((each) => each.replace(/["\r\n]/g, encodeURIComponent));
  return [...new Set([...spelled, ...encoded])].filter((other) => other !== name);
}
