/**
 * An expression of SQL that is another value of a column's type.
 * @param type as format_type has it
 */
export function columnEdit(column: string, type: string): string {
  const edits: Readonly<Record<string, string>> = {
    uuid: "gen_random_uuid()",
    text: `coalesce(${column}, '') || 'x'`,
    name: `(${column} || 'x')::name`,
    bytea: `set_byte(${column}, 0, get_byte(${column}, 0) # 1)`,
    "timestamp with time zone": `coalesce(${column}, now()) + interval '1 microsecond'`,
    date: `${column} + 1`,
    bigint: `coalesce(${column}, 0) + 1000`,
    numeric: `${column} / 2 + 0.01`,
    "double precision": `${column} / 2 + 0.01`,
    integer: `coalesce(${column}, 0) + 1000`,
    smallint: `coalesce(${column}, 0) + 1000`,
    boolean: `not ${column}`,
    "text[]": `${column} || 'x'::text`,
    "integer[]": `coalesce(${column}, '{}') || 1`,
    jsonb: `coalesce(${column}, '[]') || '[{"x": 1}]'`,
    json: `(${column}::jsonb || '{"x": 1}')::json`,
  };
  const made = edits[type];
  if (made === undefined) throw new Error(`say here how a ${type} is edited`);
  return made;
}
