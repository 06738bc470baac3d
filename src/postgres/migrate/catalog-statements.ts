/**
 * The statements of a dump by their first lines, which name their objects. A statement here is the text between two
 * empty lines: an object with its owner, indexes, policies, comments and rights.
 */
export function statementsOf(dump: string): Map<string, string> {
  const blocks = dump.split(/\n\n+/).map((block) => block.trim());
  return new Map(blocks.map((block) => [firstLine(block), block]));
}

/**
 * A statement in a normal form, independent of order and commas: constraints, indexes, policies, triggers, comments and rights
 * are sorted by text, and each right stands alone. Columns keep their order.
 */
export function normalized(statement: string): string {
  return print(partsOf(statement));
}

/**
 * The product's dump together with the additions of services outside `sql/`. An addition contains the statements that the
 * product lacks or has in another form. Two services may add to one object, for example rights on a table. The object then has what either service adds,
 * and lacks what either removes.
 */
export function mergeCatalogs(product: string, additions: readonly string[]): string {
  if (additions.length === 0) return product;
  const base = statementsOf(product);
  const merged = new Map(base);
  for (const addition of additions) {
    for (const [name, statement] of statementsOf(addition)) {
      const before = merged.get(name);
      const own = base.get(name);
      // The first service that mentions an object gives the whole statement.
      merged.set(name, before === own ? statement : mergeStatement(own ?? "", before ?? "", statement));
    }
  }
  return `${[...merged.values()].join("\n\n")}\n`;
}

function mergeStatement(base: string, one: string, other: string): string {
  const [from, added] = [byName(base), byName(other)];
  const result = byName(one);
  for (const name of from.keys()) if (!added.has(name)) result.delete(name);
  for (const [name, part] of added) if (from.get(name)?.text !== part.text) result.set(name, part);
  return print([...result.values()]);
}

/**
 * The place of a part in a statement, in this order. `rest` is the rest of the first statement: the end of a table, the
 * attributes of a function. `after` are the statements after the first.
 */
const PLACES = ["first", "column", "constraint", "rest", "after"] as const;
/** Places where the order of parts has no meaning. */
const SORTED = new Set<Part["place"]>(["constraint", "after"]);

interface Part {
  readonly place: (typeof PLACES)[number];
  readonly text: string;
}

function partsOf(statement: string): Part[] {
  const [first = "", ...lines] = statement.trim().split("\n");
  const parts: Part[] = [{ place: "first", text: first }];
  // The first statement ends with the first line that ends in a semicolon; the title of a section has no semicolon.
  const length = first.endsWith(";") ? 0 : lines.findIndex((line) => line.endsWith(";")) + 1;
  for (const line of lines.slice(0, length)) {
    if (!first.endsWith("(") || !line.startsWith("  ")) parts.push({ place: "rest", text: line });
    else
      parts.push({
        place: line.startsWith("  constraint ") ? "constraint" : "column",
        text: line.replace(/,$/, ""),
      });
  }
  const after = lines.slice(length).join("\n");
  // A comment may have several lines.
  for (const text of after === "" ? [] : after.split(/(?<=;)\n/))
    parts.push(...rightsOf(text).map((right) => ({ place: "after" as const, text: right })));
  return parts;
}

/** Splits `grant insert, select on …` into two grants; any other statement stays unchanged. */
function rightsOf(statement: string): string[] {
  const [, privileges, rest] = /^grant (.+?)( on .+;)$/.exec(statement) ?? [];
  if (privileges === undefined || rest === undefined) return [statement];
  return privileges.split(", ").map((privilege) => `grant ${privilege}${rest}`);
}

/** A column's key is its name, so that a changed column keeps its place. */
function byName(statement: string): Map<string, Part> {
  return new Map(
    partsOf(statement).map((part) => [
      part.place === "column" ? `column ${/^ {2}("[^"]+"|\S+)/.exec(part.text)?.[1]}` : part.text,
      part,
    ]),
  );
}

function print(parts: readonly Part[]): string {
  return parts
    .toSorted(
      (left, right) =>
        PLACES.indexOf(left.place) - PLACES.indexOf(right.place) ||
        (SORTED.has(left.place) ? compareText(left.text, right.text) : 0),
    )
    .map(({ text }) => text)
    .join("\n");
}

const compareText = (left: string, right: string) => (left < right ? -1 : left > right ? 1 : 0);

function firstLine(block: string): string {
  return block.split("\n", 1)[0] ?? "";
}
