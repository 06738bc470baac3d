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

/** Changes that graphql calls dangerous and that take something from callers. The others are additions. */
const NARROWING: ReadonlySet<DangerousChangeType> = new Set([
  DangerousChangeType.VALUE_ADDED_TO_ENUM,
  DangerousChangeType.TYPE_ADDED_TO_UNION,
  DangerousChangeType.ARG_DEFAULT_VALUE_CHANGE,
]);

/**
 * What the second schema takes from callers of the first, in the words of the package graphql: what it calls breaking, a new value or type that may be answered, and
 * another default of an argument. A new value of an enum that is only asked with, such as an order, is an addition.
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
    // Such as ID, once nothing is an ID: what was one is named already.
    .filter((sentence) => !sentence.startsWith("Standard scalar "));
  return [...found, ...inputDefaults(old, now)].map((each) => `GraphQL: ${each}`);
}

/** Defaults of members of inputs that are others now: the package looks at those of arguments alone. */
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

/** The names of types that fields answer. */
function answeredTypes(schema: GraphQLSchema): Set<string> {
  return new Set(
    Object.values(schema.getTypeMap())
      .filter((type) => isObjectType(type) || isInterfaceType(type))
      .flatMap((type) => Object.values(type.getFields()).map((field) => getNamedType(field.type).name)),
  );
}
