/** The heading of a released version, such as `## [0.1.0] - 2026-11-22`. */
const HEADING = /^## \[(\d+\.\d+\.\d+)\]/m;

/** The newest version that has a section in CHANGELOG.md; undefined where none has. */
export function newestVersion(changelog: string): string | undefined {
  return HEADING.exec(changelog)?.[1];
}

/**
 * The sentences that do not stand above the section of a version, in what the changelog says of changes since. Backticks, line breaks and what stands around a sentence are free.
 * @param changelog the text of CHANGELOG.md
 */
export function unnamed(sentences: readonly string[], changelog: string, since: string): string[] {
  const end = changelog.indexOf(`\n## [${since}]`);
  const text = plain(end < 0 ? changelog : changelog.slice(0, end));
  return sentences.filter((sentence) => !text.includes(plain(sentence)));
}

/** A text without backticks, in one line, with a space at both ends: a sentence is found where it stands whole. */
const plain = (text: string) => ` ${text.replaceAll("`", "").replace(/\s+/g, " ").trim()} `;
