import { escapeHtml } from "../../http/escape-html.ts";
import { type DescribedApi, nameOf, resolved, type Schema } from "./described-api.ts";
import { prose, words } from "./text.ts";

/** A longer pattern says less than its description. */
const LONGEST_PATTERN = 80;

/** What schemas are rendered with. */
export interface SchemaContext {
  readonly api: DescribedApi;
  /** The address of the page of all schemas. */
  readonly schemasPath: string;
  /** Whether members that must be there are marked. In answers nearly all are. */
  readonly marksRequired?: boolean;
}

/** A member of an object, a parameter or a header. */
interface Named {
  readonly name: string;
  readonly required?: boolean;
  readonly description?: string | undefined;
  readonly schema?: Schema | undefined;
}

/** The id of a schema on the page of all schemas. */
export function schemaId(name: string): string {
  return `schema-${name}`;
}

/** A list of names, each with its type, limits and description, and with the members of objects inside it. */
export function namedList(context: SchemaContext, named: readonly Named[]): string {
  const items = named.map(({ name, required, description, schema = {} }) => {
    const text = description ?? schema.description;
    return `<div><dt><code>${escapeHtml(name)}</code> <span class="type">${typeWords(context, schema)}</span>${required === true && context.marksRequired !== false ? ' <span class="tag">required</span>' : ""}</dt><dd>${text === undefined ? "" : text.includes("\n") ? prose(text) : `<p>${words(text)}</p>`}${limits(schema)}${nestedMembers(context, schema)}</dd></div>`;
  });
  return `<dl class="members">${items.join("")}</dl>`;
}

/** The type of a schema, its members, and those of the named schemas that it may be. */
export function schemaBody(context: SchemaContext, schema: Schema): string {
  const own = schema.$ref === undefined ? schema : resolved<Schema>(context.api, { $ref: schema.$ref });
  const [first] = own.anyOf ?? own.oneOf ?? [];
  const shown = membersOf(own) || first === undefined ? own : resolved<Schema>(context.api, first as Schema);
  return `<p class="small quiet">${typeWords(context, schema)}</p>${membersOf(shown) ? objectMembers(context, shown) : limits(shown)}`;
}

function membersOf({ properties = {}, allOf = [] }: Schema): boolean {
  return Object.keys(properties).length > 0 || allOf.length > 0;
}

function objectMembers(context: SchemaContext, schema: Schema): string {
  const parts = [schema, ...(schema.allOf ?? []).map((part) => resolved<Schema>(context.api, part as Schema))];
  const named = parts.flatMap(({ properties = {}, required = [] }) =>
    Object.entries(properties).map(([name, member]) => ({ name, required: required.includes(name), schema: member })),
  );
  return namedList(context, named);
}

/** Members of an object without a name; a named schema is linked. */
function nestedMembers(context: SchemaContext, schema: Schema): string {
  if (membersOf(schema)) return objectMembers(context, schema);
  if (schema.items !== undefined) return nestedMembers(context, schema.items);
  if (typeof schema.additionalProperties === "object") return nestedMembers(context, schema.additionalProperties);
  return "";
}

/** The type in words; named schemas are links. */
function typeWords(context: SchemaContext, schema: Schema): string {
  const { $ref, anyOf, oneOf, type, items, format, contentEncoding, contentMediaType } = schema;
  if ($ref !== undefined) {
    const name = nameOf($ref);
    return `<a href="${context.schemasPath}#${schemaId(name)}">${escapeHtml(name)}</a>`;
  }
  const choices = anyOf ?? oneOf;
  if (choices !== undefined) return choices.map((choice) => typeWords(context, choice)).join(" or ");
  if ("const" in schema) return `<code>${escapeHtml(JSON.stringify(schema.const))}</code>`;
  const kinds = (typeof type === "string" ? [type] : (type ?? [])).map((kind) => {
    if (kind === "array" && items !== undefined) return `array of ${typeWords(context, items)}`;
    if (kind === "string" && format === "binary") return "file";
    const detail = kind === "null" ? undefined : (format ?? contentEncoding ?? contentMediaType);
    return escapeHtml(detail === undefined ? kind : `${kind}, ${detail}`);
  });
  return kinds.join(" or ") || "any value";
}

function limits(schema: Schema): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern, format, items } = schema;
  const values = schema.enum ?? items?.enum;
  const said = [
    values && `One of ${values.map((value) => code(value)).join(", ")}.`,
    "default" in schema && `By default ${code(schema.default)}.`,
    range(minimum, maximum, ""),
    range(minLength, maxLength, " characters"),
    range(minItems, maxItems, " items"),
    pattern !== undefined &&
      format === undefined &&
      pattern.length <= LONGEST_PATTERN &&
      `Pattern <code>${escapeHtml(pattern)}</code>.`,
  ].filter((each) => typeof each === "string");
  return said.length === 0 ? "" : `<p class="limit">${said.join(" ")}</p>`;
}

function code(value: unknown): string {
  return `<code>${escapeHtml(typeof value === "string" ? value : JSON.stringify(value))}</code>`;
}

function range(least: number | undefined, most: number | undefined, unit: string): string | null {
  if (least === undefined && most === undefined) return null;
  if (least === undefined) return `At most ${most}${unit}.`;
  if (most === undefined) return `At least ${least}${unit}.`;
  return `${least} to ${most}${unit}.`;
}
