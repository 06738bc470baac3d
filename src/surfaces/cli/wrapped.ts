/** The width of a terminal that nobody has widened. */
const COLUMNS = 80;

/**
 * A text in lines of 80 columns. A longer word has its own line, so that it can be copied.
 * @param first what the first line begins with
 * @param rest what each further line begins with: as many blanks, unless given
 */
export function wrapped(text: string, first = "", rest = " ".repeat(first.length)): string[] {
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of text.split(" ")) {
    if (!isEmpty && line.length + 1 + word.length > COLUMNS) {
      lines.push(line);
      line = rest;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line];
}
