/** The heading of a released version, such as `## [0.1.0] - 2026-11-22`. */
const HEADING = /^## \[(\d+\.\d+\.\d+)\]/m;

/** The newest version that has a section in CHANGELOG.md. Undefined without such a section. */
export function newestVersion(changelog: string): string | undefined {
  return HEADING.exec(changelog)?.[1];
}

/**
 * The sentences that the changelog lacks above the section of a version, where it lists later changes. Backticks, line breaks and the text around a sentence do not matter.
 * @param changelog the text of CHANGELOG.md
 */
export function unnamed(sentences: readonly string[], changelog: string, since: string): string[] {
  const end = changelog.indexOf(`\n## [${since}]`);
  const text = plain(end < 0 ? changelog : changelog.slice(0, end));
  return sentences.filter((sentence) => !text.includes(plain(sentence)));
}

/** A text without backticks, in one line. The spaces at both ends prevent a match with a part of a word. */
const plain = (text: string) => ` ${text.replaceAll("`", "").replace(/\s+/g, " ").trim()} `;
