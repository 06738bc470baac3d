import { z } from "zod";

/** A JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export interface Schema {
  readonly [keyword: string]: unknown;
}

export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** An object of these members, all of them required but those named. */
export function objectOf(properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", ...(required.length > 0 ? { required } : {}), properties };
}

export function orNull(schema: Schema): Schema {
  const { type, enum: values, ...rest } = schema;
  if (typeof type !== "string") return { anyOf: [schema, { type: "null" }] };
  return { type: [type, "null"], ...(Array.isArray(values) ? { enum: [...values, null] } : {}), ...rest };
}

/** Those components of a document that it refers to, or that one of those refers to. */
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

/** Names of GraphQL and of the description, and what zod says of every object. */
const UNSAID: ReadonlySet<string> = new Set(["title", "schema", "additionalProperties", "$schema"]);

/** What a shape is, as the description of the API writes it: an object in it that has a name there (`schema` of its meta) by that name. */
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

/** A member of a request, with its schema. */
export interface Member {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Schema;
}

/** The members of a request, with the limits that hold for them. */
export function membersOf(shape: z.ZodObject): readonly Member[] {
  const made = members.get(shape) ?? readMembers(shape);
  members.set(shape, made);
  return made;
}

/** Of shapes that were asked for: GraphQL asks with every request. */
const members = new WeakMap<z.ZodObject, readonly Member[]>();

function readMembers(shape: z.ZodObject): readonly Member[] {
  // What goes in is text in a query; what comes out of the parser is what it stands for.
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

/** The same schema without what zod adds that says nothing, and as a reader would write it. */
function simplified(schema: Schema): Schema {
  const { minimum, maximum, pattern, anyOf, ...rest } = schema;
  const [first, second] = Array.isArray(anyOf) ? (anyOf as Schema[]) : [];
  if (first !== undefined && second?.["type"] === "null") return { ...orNull(simplified(first)), ...rest };
  // ±(2^53 - 1) together are zod's own bounds of an integer; one alone is a limit of ours.
  const isBounded = minimum !== -Number.MAX_SAFE_INTEGER || maximum !== Number.MAX_SAFE_INTEGER;
  return {
    ...rest,
    ...(isBounded && minimum !== undefined ? { minimum } : {}),
    ...(isBounded && maximum !== undefined ? { maximum } : {}),
    ...(rest["type"] === "integer" && Number(maximum) > 2 ** 31 ? { format: "int64" } : {}),
    ...(pattern !== undefined && rest["format"] !== "uuid" ? { pattern } : {}),
  };
}
