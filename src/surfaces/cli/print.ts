import { printable } from "./printable.ts";

/** Shows a result: JSON on one line with `--json`, otherwise as people read it. */
export function print(json: boolean | undefined, value: unknown, text: () => string): void {
  console.log(json ? JSON.stringify(value) : text());
}

type Cell = string | number | Date | null;

/**
 * Shows a list: JSON, or for people a table, or words that say that there is none.
 * @param columns what each column shows, by its heading
 */
export function printList<Item>(
  json: boolean | undefined,
  items: readonly Item[],
  none: string,
  columns: Readonly<Record<string, (item: Item) => Cell>>,
): void {
  print(json, items, () => (items.length === 0 ? none : table(items, columns)));
}

/** How many of something: "1 event", "2 events". */
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
  // What somebody named, or a server answered, must not drive the terminal.
  return cell instanceof Date ? cell.toISOString() : printable(String(cell));
}
