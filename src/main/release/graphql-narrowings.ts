import { isDeepStrictEqual } from "node:util";
import {
  buildSchema,
  DangerousChangeType,
  findBreakingChanges,
  findDangerousChanges,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from "graphql";
import { hasInPlaceOf } from "./schema-narrowings.ts";

/** Dangerous changes, in the sense of the package graphql, that take something from callers. Its other dangerous changes are additions. */
const NARROWING: ReadonlySet<DangerousChangeType> = new Set([
  DangerousChangeType.VALUE_ADDED_TO_ENUM,
  DangerousChangeType.TYPE_ADDED_TO_UNION,
  DangerousChangeType.ARG_DEFAULT_VALUE_CHANGE,
]);

/**
 * What callers lose between two schemas, in the words of the package graphql: its breaking changes, new values and types in answers, and
 * changed defaults of arguments. A new value of an enum that only requests use, such as an order, is an addition.
 * @param before a schema in GraphQL's language, as is `after`
 * @returns sentences such as "GraphQL: `Query.searchProofs` was removed."
 */
export function graphqlNarrowings(before: string, after: string): string[] {
  const [old, now] = [buildSchema(before), buildSchema(after)];
  const answered = answeredTypes(old);
  const dangerous = findDangerousChanges(old, now).filter(
    ({ type, description }) =>
      NARROWING.has(type) &&
      (type !== DangerousChangeType.VALUE_ADDED_TO_ENUM || answered.has(/(\w+)\.$/.exec(description)?.[1] as string)),
  );
  const found = [...findBreakingChanges(old, now), ...dangerous]
    .map(({ description }) => description.replace(/^(?!(?:A|Standard) )\S+/, "`$&`"))
    // A standard scalar, such as ID, disappears with its last field. The change of that field is already in the list.
    .filter((sentence) => !sentence.startsWith("Standard scalar "));
  return [...found, ...inputDefaults(old, now)].map((each) => `GraphQL: ${each}`);
}

/** Changed defaults of members of inputs. The package graphql compares only the defaults of arguments. */
function inputDefaults(before: GraphQLSchema, after: GraphQLSchema): string[] {
  return Object.values(before.getTypeMap()).flatMap((old) => {
    const now = after.getType(old.name);
    if (!isInputObjectType(old) || !isInputObjectType(now)) return [];
    return Object.values(old.getFields()).flatMap(({ name, defaultValue }) => {
      const field = now.getFields()[name];
      if (defaultValue === undefined || !field || isDeepStrictEqual(defaultValue, field.defaultValue)) return [];
      return [hasInPlaceOf(`${old.name}.${name}`, "default", defaultValue, field.defaultValue)];
    });
  });
}

/** The names of the types of fields. */
function answeredTypes(schema: GraphQLSchema): Set<string> {
  return new Set(
    Object.values(schema.getTypeMap())
      .filter((type) => isObjectType(type) || isInterfaceType(type))
      .flatMap((type) => Object.values(type.getFields()).map((field) => getNamedType(field.type).name)),
  );
}
