import type { z } from "zod";
import { MOST_COUNTED } from "../../postgres/generated/commands.ts";
import type { CatalogColumn, CatalogView } from "../../postgres/migrate/api-catalog.ts";
import { PAGE_SIZE } from "../page-size.ts";
import { DAY, INSTANT, SIGNED_INSTANT, UUID } from "./members.ts";
import { type Formats, formatSchema, objectOf, orNull, ref, type Schema, schemaOf } from "./schema.ts";

/** The JSON form of a column of each Postgres type. */
const TYPES: Readonly<Record<string, Schema>> = {
  bigint: { type: "integer", format: "int64" },
  boolean: { type: "boolean" },
  date: DAY,
  "double precision": { type: "number", format: "double" },
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

/** @param formats the formats that the tag `@format` of a column's comment may name */
export function rowsOf(views: ReadonlyMap<string, CatalogView>, formats: Formats): Rows {
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

/** A row with members beside it; their description continues that of the row. */
export function rowWith(row: Schema, beside: z.ZodObject): Schema {
  const { properties = {}, required = [], description } = schemaOf(beside);
  const optional = Object.keys(properties as object).filter((name) => !(required as string[]).includes(name));
  return {
    description: [row["description"], ...(description === undefined ? [] : [description])].join(" "),
    ...objectOf({ ...propertiesOf(row), ...(properties as Record<string, Schema>) }, optional),
  };
}

/** The members of a schema, for use in another schema. */
export const propertiesOf = (schema: Schema) => schema["properties"] as Readonly<Record<string, Schema>>;

/** The schema of a column, from its type and the tags of its comment. */
function commentedSchema(place: string, { type, format, texts, isHashed }: CatalogColumn, formats: Formats): Schema {
  const plain = TYPES[type];
  if (plain === undefined) throw new Error(`add the JSON form of ${type} to TYPES`);
  if (isHashed && plain === INSTANT) return SIGNED_INSTANT;
  if (format === null && texts === null) return plain;
  const isJson = type === "json" && texts === null;
  if (type !== "text" && type !== "text[]" && !isJson)
    throw new Error(`${place} is not a text, so it can have neither format nor values`);
  const found = format === null ? { type: "string" } : formats[format];
  if (found === undefined) throw new Error(`${place} has the format ${format}, which nobody describes`);
  const named = formatSchema(found);
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

/** The name of the partial form of a schema. */
export const partOf = (schema: string): string => `Partial${schema}`;

/**
 * The schema of an answer with only some members, or of a page without counts.
 * @param page the name of the item's schema if the answer is a page
 * @param ofItems whether a caller chooses members of the items, not of the answer itself
 */
export function partial(whole: Schema, name: string, page: string | null, ofItems: boolean): Schema {
  if (page === null) {
    const { required: _, ...rest } = whole;
    return { ...rest, description: `The members of \`${name}\` that \`fields\` asked for.` };
  }
  const properties = propertiesOf(whole);
  const items = { ...properties["items"], items: ref(ofItems ? partOf(page) : page) };
  return {
    ...whole,
    description: ofItems
      ? "A page whose items have the members that `fields` asked for, or a page that follows a `cursor`."
      : "A page that follows a `cursor`.",
    required: ["items", "next_cursor", "limit"],
    properties: { ...properties, items },
  };
}

/** A list as platform.page returns it. */
export function pageOf(item: string, description: string): Schema {
  return {
    description,
    ...objectOf(
      {
        items: { type: "array", items: ref(item), maxItems: PAGE_SIZE.most },
        next_cursor: {
          type: ["string", "null"],
          maxLength: 200,
          description: "The `cursor` of the next page. Null on the last page.",
        },
        total: {
          type: "integer",
          minimum: 0,
          maximum: MOST_COUNTED,
          description: `Number of items on all pages. Exact up to ${SHOWN}, and ${SHOWN} if there are more.`,
        },
        limit: {
          type: "integer",
          minimum: 1,
          maximum: PAGE_SIZE.most,
          description: "The `limit` of the request, or its default.",
        },
        offset: {
          type: "integer",
          minimum: 0,
          maximum: 2_147_483_647,
          description: "The `offset` of the request, or its default.",
        },
        total_capped: { type: "boolean", const: true, description: `Present if there are more than ${SHOWN} items.` },
      },
      ["total_capped"],
    ),
  };
}
