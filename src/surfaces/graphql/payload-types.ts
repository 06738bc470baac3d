import "./setup.ts";
import { camelCase, constantCase, singularize, upperCamelCase } from "graphile-build";
import { Field, Float, ID, InputType, Int, ObjectType, registerEnumType } from "type-graphql";
import { z } from "zod";
import type { Parameter } from "../../postgres/command.ts";
import { type Member, membersOf, type Schema, simplified } from "../openapi/schema.ts";
import { type Operation, rowOf, type ShownPayload } from "../operation.ts";
import type { ResolverClass } from "./context.ts";
import { enumName } from "./schema/enums.ts";
import { namesId } from "./schema/ids.ts";
import { wordsOf } from "./schema/parameter-words.ts";
import { BigIntScalar, DatetimeScalar, JsonScalar } from "./schema/scalars.ts";

/** A type in the form of TypeGraphQL's decorators. */
interface TypeOf {
  readonly type: () => never;
  readonly options: { readonly nullable: boolean; readonly description?: string };
}

/**
 * The type of a member of an input.
 * @param parameter the parameter of the command that takes it; absent for a member that the command does not take as it is given
 */
export function inputTypeOf(member: Member, parameter?: Parameter): TypeOf {
  const { type: written, isNullable } = read(member.name, member.schema, InputType);
  const type = parameter?.namesOf === undefined ? written : enumType(parameter.namesOf, parameter.enum ?? []);
  const description = wordsOf(member.schema);
  return typeOf(type, isNullable || !member.required, { ...member.schema, ...(description ? { description } : {}) });
}

/**
 * The payload of an operation with all its members.
 * @throws Error for a payload of a row if the operation answers no row, or if it answers other members than another operation with this payload
 */
export function payloadOf({ name, answers, graphql }: Pick<Operation, "name" | "answers" | "graphql">): ShownPayload {
  if (graphql === undefined) throw new Error(`operation ${name} has no field of GraphQL`);
  const { payload } = graphql;
  if (!("row" in payload)) return payload;
  const { row = undefined, with: beside = NOTHING } = answers !== undefined && "schema" in answers ? answers : {};
  if (row === undefined) throw new Error(`operation ${name}: its payload is of a row, but it answers no row`);
  const known = ofRows.get(payload);
  if (known !== undefined && (known.row !== row || known.beside !== beside))
    throw new Error(`operation ${name}: another operation with the same payload has another answer`);
  const { row: shown, ...rest } = payload;
  const members = z.object({
    [shown.name]: rowOf(row).meta({ description: shown.description }),
    ...beside.shape,
  });
  const made = known?.made ?? { ...rest, members };
  ofRows.set(payload, { row, beside, made });
  return made;
}

const NOTHING = z.object({});
/** A cache of payloads of rows, because TypeGraphQL keeps their classes forever. */
const ofRows = new WeakMap<
  object,
  { readonly row: string; readonly beside: z.ZodObject; readonly made: ShownPayload }
>();

/** The type of a field's answer. */
export function answerTypeOf(payload: ShownPayload): () => never {
  if ("members" in payload) {
    const made = classes.get(payload) ?? classOf(payload.name, payload.description, membersOf(payload.members));
    classes.set(payload, made);
    return () => made as never;
  }
  const { type } = read("the value", memberOf(payload)?.schema ?? {});
  return () => type as never;
}

const memberOf = ({ value }: { readonly value: z.ZodType }): Member | undefined => membersOf(z.object({ value }))[0];

/** A cache: each payload, and each object in it, has one class, because TypeGraphQL keeps classes forever. */
const classes = new WeakMap<object, ResolverClass>();
const named = new Map<string, { readonly text: string; readonly made: ResolverClass }>();

/** The GraphQL form of JSON in a column: an object, or a list of objects. */
export interface ColumnShape {
  /** Of the type of the object. */
  readonly name: string;
  readonly isList: boolean;
  /** The class of the type; null for a row of a view, whose type is PostGraphile's. */
  readonly made: ResolverClass | null;
  /** The JSON with the names of GraphQL. */
  readonly shown: (value: unknown) => unknown;
}

/** @throws Error for a shape that no class can express, such as an object without a title */
export function columnShape(format: string, shape: z.ZodType): ColumnShape {
  const [member] = membersOf(z.object({ value: shape }));
  const schema = member?.schema ?? {};
  const isList = schema["type"] === "array";
  const one = (isList ? schema["items"] : schema) as Schema;
  const { type } = read(`the format ${format}`, one);
  const view = viewOf(one);
  if (view !== null && isList) throw new Error(`the format ${format} is a list of rows: give the view a foreign key`);
  return {
    name: view === null ? String(one["title"]) : rowName(view),
    isList,
    made: view === null ? (type as ResolverClass) : null,
    shown: (value) => inCamelCase(value, schema),
  };
}

/** An operation's answer in the form of its payload. */
export function shownAs(payload: ShownPayload, answer: unknown): unknown {
  if (!("members" in payload)) return inCamelCase(answer, memberOf(payload)?.schema ?? {});
  const row = answer as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    membersOf(payload.members).map(({ name, schema }) => [
      camelCase(name),
      viewOf(schema) !== null ? row : inCamelCase(row[name] ?? null, schema),
    ]),
  );
}

/** Names members as GraphQL does, but those of rows and of JSON, which keep theirs. */
function inCamelCase(value: unknown, schema: Schema): unknown {
  if (isJson(schema) || viewOf(schema) !== null) return value;
  if (Array.isArray(value)) return value.map((entry) => inCamelCase(entry, (schema["items"] ?? {}) as Schema));
  if (typeof value !== "object" || value === null) return value;
  const members = (simplified(schema)["properties"] ?? {}) as Readonly<Record<string, Schema>>;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [camelCase(name), inCamelCase(member, members[name] ?? {})]),
  );
}

/** How TypeGraphQL declares a class: as a type of answers, or of input. */
type Declare = typeof ObjectType | typeof InputType;

/** The GraphQL type of a schema. @throws Error for a schema that no class can express: a union, an object without a title */
function read(
  name: string,
  schema: Schema,
  declare: Declare = ObjectType,
): { readonly type: unknown; readonly isNullable: boolean } {
  const { type, items, title, format } = schema;
  if (Array.isArray(type) && type.length === 2 && type.includes("null")) {
    const present = { ...schema, type: type.find((each) => each !== "null") };
    return { type: read(name, present, declare).type, isNullable: true };
  }
  const isNullable = false;
  const view = viewOf(schema);
  if (view !== null) return { type: rowClass(view), isNullable };
  if (isJson(schema)) return { type: JsonScalar, isNullable: schema["nullable"] === true };
  switch (type) {
    case "string":
      if (declare === ObjectType && typeof schema["namesOf"] === "string")
        return { type: enumType(schema["namesOf"], []), isNullable };
      // What takes a text from callers goes on taking one.
      if (declare === ObjectType && format === "date-time") return { type: DatetimeScalar, isNullable };
      return { type: format === "uuid" || namesId(name) ? ID : String, isNullable };
    case "boolean":
      return { type: Boolean, isNullable };
    case "number":
      return { type: Float, isNullable };
    case "integer":
      if (namesId(name)) return { type: ID, isNullable };
      return { type: format === "int64" ? BigIntScalar : Int, isNullable };
    case "array":
      return { type: [read(`an entry of ${name}`, (items ?? {}) as Schema, declare).type], isNullable };
    case "object":
      if (typeof title === "string") return { type: titled(title, schema, declare), isNullable };
  }
  throw new Error(`GraphQL cannot say what ${name} is: ${JSON.stringify(schema)}`);
}

function typeOf(type: unknown, nullable: boolean, { description }: Schema): TypeOf {
  return {
    type: () => type as never,
    options: { nullable, ...(typeof description === "string" ? { description } : {}) },
  };
}

/** Whether a member is JSON as REST answers it ({@link jsonOf}). */
const isJson = (schema: Schema): boolean => schema["json"] === true;

const viewOf = (schema: unknown): string | null => {
  const view = (schema as Schema | undefined)?.["view"];
  return typeof view === "string" ? view : null;
};

const rowName = (view: string): string => upperCamelCase(singularize(view));

/** A placeholder for a type of PostGraphile, which has the fields and reads them from the row that a command answered. */
function rowClass(view: string): ResolverClass {
  return once(rowName(view), `row of ${view}`, (name) =>
    // GraphQL needs at least one field; PostGraphile's own definition later replaces this type.
    classOf(name, undefined, [{ name: "id", required: true, schema: { type: "string" } }]),
  );
}

/** A placeholder for the enum that PostGraphile makes of a reference table, whose values are the names in the table. */
function enumType(table: string, names: readonly string[]): object {
  const known = enums.get(table);
  if (known !== undefined) return known;
  // GraphQL needs at least one value; PostGraphile's own definition later replaces this type.
  const made = Object.fromEntries((names.length > 0 ? names : [table]).map((name) => [constantCase(name), name]));
  registerEnumType(made, { name: enumName(table) });
  enums.set(table, made);
  return made;
}

/** A cache by reference table, because TypeGraphQL keeps enums forever. */
const enums = new Map<string, object>();

function titled(title: string, schema: Schema, declare: Declare): ResolverClass {
  const required = (schema["required"] ?? []) as readonly string[];
  const members = Object.entries((schema["properties"] ?? {}) as Readonly<Record<string, Schema>>).map(
    ([name, member]): Member => ({ name, required: required.includes(name), schema: simplified(member) }),
  );
  // Members of one type may have their own words beside it, and may be null or not.
  return once(title, JSON.stringify([schema["properties"], required]), (name) =>
    classOf(name, (schema["words"] ?? schema["description"]) as string, members, declare),
  );
}

function once(name: string, text: string, make: (name: string) => ResolverClass): ResolverClass {
  const known = named.get(name);
  if (known !== undefined && known.text !== text) throw new Error(`GraphQL has two types ${name}`);
  const made = known?.made ?? make(name);
  named.set(name, { text, made });
  return made;
}

function classOf(
  name: string,
  description: string | undefined,
  members: readonly Member[],
  declare: Declare = ObjectType,
): ResolverClass {
  class Made {}
  for (const member of members) {
    const { type, isNullable } = read(`${name}.${member.name}`, member.schema, declare);
    const { type: of, options } = typeOf(type, isNullable || !member.required, member.schema);
    Field(of, options)(Made.prototype, camelCase(member.name));
  }
  declare(name, description === undefined ? {} : { description })(Made);
  return Made;
}
