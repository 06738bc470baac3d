import { printable } from "./printable.ts";

/** Prints a result: JSON on one line with `--json`, otherwise text for people. */
export function print(json: boolean | undefined, value: unknown, text: () => string): void {
  console.log(json ? printable(JSON.stringify(value)) : text());
}

type Cell = string | number | Date | null;

/**
 * Prints a list: as JSON, or for people as a table, or a sentence if the list is empty.
 * @param columns the content of each column, by its heading
 */
export function printList<Item>(
  json: boolean | undefined,
  items: readonly Item[],
  none: string,
  columns: Readonly<Record<string, (item: Item) => Cell>>,
): void {
  print(json, items, () => (items.length === 0 ? none : table(items, columns)));
}

/** A count with its noun: "1 event", "2 events". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function table<Item>(items: readonly Item[], columns: Readonly<Record<string, (item: Item) => Cell>>): string {
  const aligned = Object.entries(columns).map(([heading, cellOf]) => {
    const cells = items.map(cellOf);
    const texts = [heading, ...cells.map(textOf)];
    const width = Math.max(...texts.map((text) => text.length));
    const isNumeric = cells.every((cell) => typeof cell === "number");
    return texts.map((text) => (isNumeric ? text.padStart(width) : text.padEnd(width)));
  });
  const lines = [-1, ...items.keys()].map((item) => aligned.map((column) => column[item + 1]).join("  "));
  return lines.map((line) => line.trimEnd()).join("\n");
}

function textOf(cell: Cell): string {
  if (cell === null) return "-";
  // Names that somebody chose and answers of servers must not control the terminal.
  return cell instanceof Date ? cell.toISOString() : printable(String(cell));
}
