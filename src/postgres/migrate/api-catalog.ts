import pg from "pg";
import { clientConfig } from "../pool.ts";

/** The parts of the API that the database's catalog defines: resources, error codes, scopes. */
export interface ApiCatalog {
  readonly views: ReadonlyMap<string, CatalogView>;
  readonly errorCodes: ReadonlyMap<string, ErrorCode>;
  /** The rights of each scope, by its name. */
  readonly scopes: ReadonlyMap<string, string>;
}

/** A resource view of schema api. */
export interface CatalogView {
  readonly name: string;
  readonly description: string;
  readonly columns: readonly CatalogColumn[];
}

export interface CatalogColumn {
  readonly name: string;
  /** The Postgres type. */
  readonly type: string;
  readonly notNull: boolean;
  readonly description: string;
  /** Allowed values of a column that refers to an enum table; null for any other column. */
  readonly values: readonly EnumValue[] | null;
  /** The name of the format of a text, or of JSON: the tag `@format sha256` of the column's comment. For a list, the format of each text. */
  readonly format: string | null;
  /** Whether REST shows an instant as it was signed or hashed: the tag `@hashed`. */
  readonly isHashed: boolean;
  /** Allowed texts: the tag `@values Ed25519, ML-DSA-87`. For a list, the allowed texts of each entry. */
  readonly texts: readonly string[] | null;
}

export interface EnumValue {
  readonly name: string;
  readonly description: string;
}

export interface ErrorCode {
  readonly status: number;
  readonly meaning: string;
}

/** Reads the catalog of a migrated database. */
export async function readApiCatalog(adminUrl: string): Promise<ApiCatalog> {
  const client = new pg.Client(clientConfig({ url: adminUrl, role: null, applicationName: "selo generate" }));
  await client.connect();
  try {
    const errors = await client.query<ErrorCode & { code: string }>(
      "select code, status, meaning from platform.error_codes order by status, code",
    );
    const scopes = await client.query<{ name: string; grants: string }>(
      "select name, grants from platform.scopes order by name",
    );
    const views = await readViews(client);
    return {
      views: new Map(views.map((view) => [view.name, view])),
      errorCodes: new Map(errors.rows.map(({ code, status, meaning }) => [code, { status, meaning }])),
      scopes: new Map(scopes.rows.map(({ name, grants }) => [name, grants])),
    };
  } finally {
    await client.end();
  }
}

/** Reads rows of a migrated database. */
export async function readRows<Row>(adminUrl: string, query: string): Promise<Row[]> {
  const client = new pg.Client(clientConfig({ url: adminUrl, role: null, applicationName: "selo generate" }));
  await client.connect();
  try {
    return (await client.query(query)).rows;
  } finally {
    await client.end();
  }
}

interface ViewColumnRow {
  readonly view: string;
  readonly view_comment: string;
  readonly name: string;
  readonly type: string;
  readonly comment: string;
}

/**
 * The resource views with their members, in the documented order: columns that the API shows, then members that a tag `@member` or `@memberOfOne` adds.
 * The comments come without their tags, which platform.take_tags has moved.
 */
export async function readViews(client: pg.Client): Promise<CatalogView[]> {
  const { rows } = await client.query<ViewColumnRow>(`
    select view.relname as view, coalesce(kept.comment, obj_description(view.oid, 'pg_class')) as view_comment,
      member.name, member.type, member.comment
    from pg_class as view
    left join gateway.view_comments as kept on kept.view = format('api.%I', view.relname) and kept.column_name = ''
    cross join lateral (
      select attnum::bigint as place, attname as name, format_type(atttypid, null) as type,
        coalesce(of_column.comment, col_description(view.oid, attnum)) as comment
      from pg_attribute
      left join gateway.view_comments as of_column on of_column.view = format('api.%I', view.relname) and of_column.column_name = attname
      where attrelid = view.oid and attnum > 0 and not attisdropped
      union all
      select 10000 + tag.place, tag.parts[1], format_type(maker.prorettype, null), E'@notNull\\n' || obj_description(maker.oid, 'pg_proc')
      from regexp_matches(kept.comment, '(?n)^@member(?:OfOne)? (\\w+) ([\\w.]+)\\(\\w+\\)$', 'g') with ordinality as tag (parts, place)
      join pg_proc as maker on maker.oid = tag.parts[2]::regproc
    ) as member
    where view.relnamespace = 'api'::regnamespace and view.relkind = 'v'
    order by view.relname collate "C", member.place`);
  const views: CatalogView[] = [];
  const shown = rows.filter(({ comment }) => !/^@behavior -attribute:select$/m.test(comment));
  for (const [name, columns] of Map.groupBy(shown, ({ view }) => view)) {
    const comment = columns[0]?.view_comment ?? "";
    const valuesOf = await readEnums(client, comment);
    views.push({
      name,
      description: prose(comment),
      columns: columns.map((column) => ({
        name: column.name,
        type: column.type,
        notNull: /^@notNull$/m.test(column.comment),
        description: prose(column.comment),
        values: valuesOf.get(column.name) ?? null,
        format: tagOf(column.comment, "format"),
        isHashed: /^@hashed$/m.test(column.comment),
        texts: tagOf(column.comment, "values")?.split(", ") ?? null,
      })),
    });
  }
  return views;
}

/** The values of a view's columns that refer, by a tag of the view's comment, to a table with the tag @enum. */
async function readEnums(client: pg.Client, viewComment: string): Promise<Map<string, EnumValue[]>> {
  const values = new Map<string, EnumValue[]>();
  for (const [, column = "", schema = "", table = ""] of viewComment.matchAll(
    /^@foreignKey \((\w+)\) references (\w+)\.(\w+) \(name\)/gm,
  )) {
    const name = `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(table)}`;
    const { rows } = await client.query<{ comment: string }>("select obj_description($1::regclass) as comment", [name]);
    if (!/^@enum$/m.test(rows[0]?.comment ?? "")) continue;
    const found = await client.query<EnumValue>(`select name, description from ${name} order by name`);
    values.set(column, found.rows);
  }
  return values;
}

/** The text behind a tag in a comment; null if the comment lacks the tag. */
const tagOf = (comment: string, tag: string) => new RegExp(`^@${tag} (.+)$`, "m").exec(comment)?.[1] ?? null;

/** A comment without its PostGraphile tags. */
function prose(comment: string): string {
  return comment.replaceAll(/^@.*\n/gm, "");
}
