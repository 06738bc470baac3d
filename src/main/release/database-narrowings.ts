/** A view that analysts may read: its columns by name. */
type View = Map<string, { type: string; isNeverNull: boolean }>;

/**
 * What analysts lose between two descriptions of the catalog: removed views and columns, columns with another type, and columns that may now be null.
 * test/system/upgrade tests the statements of the last release's gateway; this function ignores them.
 * @param before the text of database.sql, as is `after`
 * @returns sentences such as "Analysts: `api.proofs.label` was removed."
 */
export function databaseNarrowings(before: string, after: string): string[] {
  const now = analystsViews(after);
  const found = [...analystsViews(before)].flatMap(([name, columns]) => {
    const view = now.get(name);
    return view ? columnsNarrowings(name, columns, view) : [`\`${name}\` was removed.`];
  });
  return found.map((each) => `Analysts: ${each}`);
}

function columnsNarrowings(view: string, before: View, after: View): string[] {
  return [...before].flatMap(([column, old]) => {
    const name = `${view}.${column}`;
    const now = after.get(column);
    if (!now) return [`\`${name}\` was removed.`];
    const found: string[] = [];
    if (now.type !== old.type) found.push(`\`${name}\` has the type \`${now.type}\` in place of \`${old.type}\`.`);
    if (old.isNeverNull && !now.isNeverNull) found.push(`\`${name}\` may be null.`);
    return found;
  });
}

function analystsViews(text: string): Map<string, View> {
  const views = new Map<string, View>();
  for (const [, name = "", columns = ""] of text.matchAll(/^create view (\S+) \(\n(.*?)\n\);$/gms)) {
    if (!text.includes(`\ngrant select on ${name} to selo_analyst;\n`)) continue;
    const view: View = new Map();
    for (const [, column = "", type = ""] of columns.matchAll(/^ {2}(\S+) (.*?),?$/gm))
      view.set(column, { type, isNeverNull: false });
    views.set(name, view);
  }
  // Columns of views have no constraints in Postgres. Their comments say that they are never null.
  for (const [, name = "", column = ""] of text.matchAll(
    /^comment on column (\S+)\.(\S+) is '.*Not null\.(?: References [^']*)?';$/gm,
  )) {
    const described = views.get(name)?.get(column);
    if (described) described.isNeverNull = true;
  }
  return views;
}
