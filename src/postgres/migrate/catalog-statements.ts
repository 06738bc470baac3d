/**
 * The statements of a dump by their first lines, which name what they are about. A statement here is what stands between two
 * empty lines: an object with its owner, indexes, policies, comments and rights.
 */
export function statementsOf(dump: string): Map<string, string> {
  const blocks = dump.split(/\n\n+/).map((block) => block.trim());
  return new Map(blocks.map((block) => [firstLine(block), block]));
}

/**
 * A statement without what its order and its commas do not say: constraints, indexes, policies, triggers, comments and rights
 * come in the order of their text, and each right alone. Columns keep their order.
 */
export function normalized(statement: string): string {
  return print(partsOf(statement));
}

/**
 * What the product's dump says together with the additions of services outside `sql/`: each addition has the statements that the
 * product has not, or has otherwise. Two services may add to one object, such as rights on a table. An object then has what either adds,
 * and lacks what either takes away.
 */
export function mergeCatalogs(product: string, additions: readonly string[]): string {
  if (additions.length === 0) return product;
  const base = statementsOf(product);
  const merged = new Map(base);
  for (const addition of additions) {
    for (const [name, statement] of statementsOf(addition)) {
      const before = merged.get(name);
      const own = base.get(name);
      // The first service that speaks of an object has its statement word for word.
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
 * Where a part of a statement stands in it, in this order. `rest` is what follows in the first statement: the end of a table, the
 * attributes of a function; `after` are the statements after the first.
 */
const PLACES = ["first", "column", "constraint", "rest", "after"] as const;
/** Where the order of parts says nothing. */
const SORTED = new Set<Part["place"]>(["constraint", "after"]);

interface Part {
  readonly place: (typeof PLACES)[number];
  readonly text: string;
}

function partsOf(statement: string): Part[] {
  const [first = "", ...lines] = statement.trim().split("\n");
  const parts: Part[] = [{ place: "first", text: first }];
  // The first statement ends with the first line that has a semicolon at its end; the title of a section has none.
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

/** `grant insert, select on …` as two grants; any other statement as it is. */
function rightsOf(statement: string): string[] {
  const [, privileges, rest] = /^grant (.+?)( on .+;)$/.exec(statement) ?? [];
  if (privileges === undefined || rest === undefined) return [statement];
  return privileges.split(", ").map((privilege) => `grant ${privilege}${rest}`);
}

/** A column is known by its name, so that a changed one keeps its place. */
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
