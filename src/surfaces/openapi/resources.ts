import type { z } from "zod";
import { MOST_COUNTED } from "../../postgres/generated/commands.ts";
import type { CatalogColumn, CatalogView } from "../../postgres/migrate/api-catalog.ts";
import { PAGE_SIZE } from "../page-size.ts";
import { DAY, INSTANT, UUID } from "./members.ts";
import { objectOf, orNull, ref, type Schema, schemaOf } from "./schema.ts";

/** What a column of this Postgres type is in JSON. */
const TYPES: Readonly<Record<string, Schema>> = {
  bigint: { type: "integer", format: "int64" },
  boolean: { type: "boolean" },
  date: DAY,
  integer: { type: "integer", format: "int32" },
  json: { type: "object" },
  numeric: { type: "string" },
  smallint: { type: "integer", format: "int32" },
  text: { type: "string" },
  "text[]": { type: "array", items: { type: "string" } },
  "timestamp with time zone": INSTANT,
  uuid: UUID,
};

/** Makes schemas of resources from the views of schema api and their comments. */
export interface Rows {
  /** An object with the view's columns. */
  row(view: string): Schema;
}

/** @param formats what the tag `@format` of a column's comment may name */
export function rowsOf(views: ReadonlyMap<string, CatalogView>, formats: Readonly<Record<string, Schema>>): Rows {
  return {
    row(name) {
      const view = views.get(name);
      if (view === undefined) throw new Error(`there is no view api.${name}`);
      const members = view.columns.map((column) => [
        column.name,
        columnSchema(column, commentedSchema(`${name}.${column.name}`, column, formats)),
      ]);
      return { description: view.description, ...objectOf(Object.fromEntries(members)) };
    },
  };
}

/** A row with members beside it; their description goes on where that of the row ends. */
export function rowWith(row: Schema, beside: z.ZodObject): Schema {
  const { properties = {}, required = [], description } = schemaOf(beside);
  const optional = Object.keys(properties as object).filter((name) => !(required as string[]).includes(name));
  return {
    description: [row["description"], ...(description === undefined ? [] : [description])].join(" "),
    ...objectOf({ ...propertiesOf(row), ...(properties as Record<string, Schema>) }, optional),
  };
}

/** The members of a schema, to be put into another. */
export const propertiesOf = (schema: Schema) => schema["properties"] as Readonly<Record<string, Schema>>;

/** What the type of a column and the tags of its comment say. */
function commentedSchema(
  place: string,
  { type, format, texts }: CatalogColumn,
  formats: Readonly<Record<string, Schema>>,
): Schema {
  const plain = TYPES[type];
  if (plain === undefined) throw new Error(`say in TYPES what ${type} is in JSON`);
  if (format === null && texts === null) return plain;
  const isJson = type === "json" && texts === null;
  if (type !== "text" && type !== "text[]" && !isJson)
    throw new Error(`${place} is no text: it has no format and no values`);
  const named = format === null ? { type: "string" } : formats[format];
  if (named === undefined) throw new Error(`${place} has the format ${format}, which nobody describes`);
  if (isJson) return named;
  const text = texts === null ? named : { ...named, enum: texts };
  return type === "text" ? text : { ...plain, items: text };
}

function columnSchema(column: CatalogColumn, known: Schema): Schema {
  const schema = column.values === null ? known : { ...known, enum: column.values.map(({ name }) => name) };
  return { ...(column.notNull ? schema : orNull(schema)), description: described(column) };
}

function described({ description, values }: CatalogColumn): string {
  if (values === null) return description;
  return [description, ...values.map((value) => `* \`${value.name}\`: ${value.description}`)].join("\n");
}

const SHOWN = MOST_COUNTED.toLocaleString("en");

/** The name of what a schema is in part. */
export const partOf = (schema: string): string => `Partial${schema}`;

/**
 * What is answered of a schema where only some members are asked for, or a page that is not counted.
 * @param page whether it is a page of what it has in `items`
 * @param ofItems whether members of its items may be chosen, and not its own
 */
export function partial(whole: Schema, name: string, page: string | null, ofItems: boolean): Schema {
  if (page === null) {
    const { required: _, ...rest } = whole;
    return { ...rest, description: `What was asked for of \`${name}\` by \`fields\`.` };
  }
  const properties = propertiesOf(whole);
  const items = { ...properties["items"], items: ref(ofItems ? partOf(page) : page) };
  return {
    ...whole,
    description: ofItems
      ? "A page whose items have the members that were asked for by `fields`, or that goes on from a `cursor`."
      : "A page that goes on from a `cursor`.",
    required: ["items", "next_cursor", "limit"],
    properties: { ...properties, items },
  };
}

/** A list as platform.page makes it. */
export function pageOf(item: string, description: string): Schema {
  return {
    description,
    ...objectOf(
      {
        items: { type: "array", items: ref(item), maxItems: PAGE_SIZE.most },
        next_cursor: {
          type: ["string", "null"],
          maxLength: 200,
          description: "What `cursor` of the next page is; null on the last page.",
        },
        total: {
          type: "integer",
          minimum: 0,
          maximum: MOST_COUNTED,
          description: `How many there are on all pages: exact up to ${SHOWN}, and ${SHOWN} beyond.`,
        },
        limit: { type: "integer", minimum: 1, maximum: PAGE_SIZE.most, description: "As asked for." },
        offset: { type: "integer", minimum: 0, maximum: 2_147_483_647, description: "As asked for." },
        total_capped: { type: "boolean", const: true, description: `Present when there are more than ${SHOWN}.` },
      },
      ["total_capped"],
    ),
  };
}
