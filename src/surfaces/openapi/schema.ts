import { z } from "zod";

/** A JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export interface Schema {
  readonly [keyword: string]: unknown;
}

export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** An object with these members; all are required except those in `optional`. */
export function objectOf(properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", ...(required.length > 0 ? { required } : {}), properties };
}

export function orNull(schema: Schema): Schema {
  const { type, enum: values, ...rest } = schema;
  if (typeof type !== "string") return { anyOf: [schema, { type: "null" }] };
  return { type: [type, "null"], ...(Array.isArray(values) ? { enum: [...values, null] } : {}), ...rest };
}

/** The components of a document that it refers to, directly or through other components. */
export function reachable<Components extends Readonly<Record<string, Readonly<Record<string, object>>>>>(
  document: object,
  components: Components,
): Record<string, object> {
  const found = new Set<string>();
  const follow = (value: unknown) => {
    for (const [, kind = "", name = ""] of JSON.stringify(value).matchAll(REFERENCE)) {
      const component = components[kind]?.[name];
      if (component === undefined || found.has(`${kind}/${name}`)) continue;
      found.add(`${kind}/${name}`);
      follow(component);
    }
  };
  follow(document);
  return Object.fromEntries(
    Object.entries(components).map(([kind, named]) => [
      kind,
      Object.fromEntries(Object.entries(named).filter(([name]) => found.has(`${kind}/${name}`))),
    ]),
  );
}

const REFERENCE = /"\$ref":"#\/components\/(\w+)\/([^"]+)"/g;

/** Keywords that are left out: names for GraphQL and for the description, and what zod writes for every object. */
const UNSAID: ReadonlySet<string> = new Set(["title", "schema", "namesOf", "words", "additionalProperties", "$schema"]);

/** The schema of a shape, as the API description writes it. An object in it with a name (`schema` of its meta) is referred to by that name. */
export function schemaOf(shape: z.ZodType): Schema {
  const within = (schema: Schema) => (typeof schema["schema"] === "string" ? ref(schema["schema"]) : plain(schema));
  const plain = (schema: Schema): Schema => {
    const said = Object.entries(simplified(schema)).filter(([keyword]) => !UNSAID.has(keyword));
    const { properties, items, ...rest }: Schema = Object.fromEntries(said);
    return {
      ...rest,
      ...(properties === undefined
        ? {}
        : {
            properties: Object.fromEntries(
              Object.entries(properties as Record<string, Schema>).map(([name, member]) => [name, within(member)]),
            ),
          }),
      ...(items === undefined ? {} : { items: within(items as Schema) }),
    };
  };
  return plain(z.toJSONSchema(shape) as Schema);
}

/**
 * Formats by their names. JSON whose format is a shape of zod has a type of GraphQL: an object, or a list of objects, with its name as `title`; or rows (`rowOf` of operation.ts).
 * JSON whose format is a schema is shown as one value, such as what was signed.
 */
export type Formats = Readonly<Record<string, Schema | z.ZodType>>;

/** The schema of a format of a column. */
export function formatSchema(format: Schema | z.ZodType): Schema {
  if (!(format instanceof z.ZodType)) return format;
  const { schema } = format.meta() ?? {};
  return typeof schema === "string" ? ref(schema) : schemaOf(format);
}

/** A member of a request, with its schema. */
export interface Member {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Schema;
}

/** The members of a request, with their limits. */
export function membersOf(shape: z.ZodObject): readonly Member[] {
  const made = members.get(shape) ?? readMembers(shape);
  members.set(shape, made);
  return made;
}

/** A cache: GraphQL asks for the members with every request. */
const members = new WeakMap<z.ZodObject, readonly Member[]>();

function readMembers(shape: z.ZodObject): readonly Member[] {
  // The input of a query parameter is text; the output of its parser is the value that the text stands for.
  const meant = propertiesOf(shape, "output");
  return Object.entries(shape.shape).map(([name, member]) => ({
    name,
    required: !(member as z.ZodType).safeParse(undefined).success,
    schema: meant[name] ?? {},
  }));
}

function propertiesOf(shape: z.ZodObject, io: "input" | "output"): Record<string, Schema> {
  const { properties } = z.toJSONSchema(shape, { io, unrepresentable: "any" });
  return Object.fromEntries(
    Object.entries(properties ?? {}).map(([name, schema]) => [name, simplified(schema as Schema)]),
  );
}

/** The same schema in plain form, without keywords of zod that say nothing. */
export function simplified(schema: Schema): Schema {
  const { minimum, maximum, pattern, anyOf, ...rest } = schema;
  const [first, second] = Array.isArray(anyOf) ? (anyOf as Schema[]) : [];
  if (first !== undefined && second?.["type"] === "null") return { ...orNull(simplified(first)), ...rest };
  // ±(2^53 - 1) together are zod's own bounds of an integer; one bound alone is a limit of ours.
  const isBounded = minimum !== -Number.MAX_SAFE_INTEGER || maximum !== Number.MAX_SAFE_INTEGER;
  return {
    ...rest,
    ...(isBounded && minimum !== undefined ? { minimum } : {}),
    ...(isBounded && maximum !== undefined ? { maximum } : {}),
    ...(rest["type"] === "integer" && Number(maximum) > 2 ** 31 ? { format: "int64" } : {}),
    ...(pattern !== undefined && rest["format"] !== "uuid" ? { pattern } : {}),
  };
}
