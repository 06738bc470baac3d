import { context, each, type FieldArgs, get, lambda, list, type Step, sideEffect } from "grafast";
import { extendSchema } from "graphile-utils";
import {
  type DefinitionNode,
  type GraphQLField,
  type GraphQLObjectType,
  GraphQLScalarType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isListType,
  isObjectType,
  isSpecifiedScalarType,
  Kind,
  parse,
  printSchema,
} from "graphql";
import { type BuildSchemaOptions, buildSchemaSync } from "type-graphql";
import type { GraphqlContext, ResolverClass } from "../context.ts";
import { CommandRowStep } from "./command-row.ts";

const ROOTS: ReadonlySet<string> = new Set(["Query", "Mutation"]);

type ObjectPlans = Record<string, { plans: Record<string, ($parent: Step, args: FieldArgs) => Step> }>;

/**
 * Adds TypeGraphQL's types to PostGraphile's schema; Grafast plans them like all others. PostGraphile's version wins for a type that both have:
 * a resolver answers it with a row as a command wrote it (see {@link CommandRowStep}).
 * @param shapes types that columns have, and maybe no resolver
 */
export function typeGraphqlPlugin(
  resolvers: readonly ResolverClass[],
  shapes: readonly ResolverClass[],
): GraphileConfig.Plugin {
  // The schemas of the operations check shapes, not class-validator.
  // A partial schema (no queries) is allowed here: the whole schema is checked when it is built.
  const schema = buildSchemaSync({
    resolvers: resolvers as unknown as BuildSchemaOptions["resolvers"],
    orphanedTypes: shapes as unknown as NonNullable<BuildSchemaOptions["orphanedTypes"]>,
    validate: false,
    skipCheck: true,
  });
  const plugin = extendSchema((build) => {
    const isTheirs = (name: string) => !ROOTS.has(name) && Boolean(build.getTypeMetaByName(name));
    const objects: ObjectPlans = {};
    const enums: Record<string, { values: Record<string, { value: unknown }> }> = {};
    const scalars: Record<string, GraphQLScalarType> = {};
    for (const type of Object.values(schema.getTypeMap())) {
      if (type.name.startsWith("__") || isTheirs(type.name)) continue;
      if (type instanceof GraphQLScalarType && !isSpecifiedScalarType(type)) scalars[type.name] = type;
      else if (isEnumType(type)) {
        // A member of an answer names its table only, as in `nameOf`: the names come from a view.
        if (type.getValues().some(({ value }) => String(value).includes(".")))
          throw new Error(`${type.name}: no view of schema api has a column with this enum`);
        enums[type.name] = {
          values: Object.fromEntries(type.getValues().map(({ name, value }) => [name, { value }])),
        };
      } else if (isObjectType(type)) objects[type.name] = { plans: plansOf(type, isTheirs) };
    }
    return { typeDefs: { kind: Kind.DOCUMENT, definitions: definitions(schema, isTheirs) }, objects, enums, scalars };
  }, "TypeGraphqlPlugin");
  return {
    ...plugin,
    // Only after these plugins it is known which types PostGraphile has.
    after: [...(plugin.after ?? []), "PgTablesPlugin", "PgCodecsPlugin", "CommonTypesPlugin"],
  };
}

function definitions(schema: GraphQLSchema, isTheirs: (name: string) => boolean): DefinitionNode[] {
  return parse(printSchema(schema)).definitions.flatMap((definition): DefinitionNode[] => {
    if (!("name" in definition) || definition.name === undefined || isTheirs(definition.name.value)) return [];
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION || !ROOTS.has(definition.name.value)) return [definition];
    const { description: _, ...extension } = definition;
    return [{ ...extension, kind: Kind.OBJECT_TYPE_EXTENSION }];
  });
}

function plansOf(type: GraphQLObjectType, isTheirs: (name: string) => boolean): ObjectPlans[string]["plans"] {
  return Object.fromEntries(
    Object.values(type.getFields()).map((field) => {
      const plan = ($parent: Step, args: FieldArgs): Step => {
        const $value = ROOTS.has(type.name) ? resolved(type.name, field, args) : get($parent, field.name);
        if (!isTheirs(getNamedType(field.type).name) || !isObjectType(getNamedType(field.type))) return $value;
        return isListType(getNullableType(field.type))
          ? each($value as Step<readonly unknown[]>, ($item) => new CommandRowStep($item))
          : new CommandRowStep($value);
      };
      return [field.name, plan];
    }),
  );
}

/** Runs the resolver of a root field. Mutations run one after the other, each once, as side effects. */
function resolved(root: string, field: GraphQLField<unknown, GraphqlContext>, fieldArgs: FieldArgs): Step {
  const $inputs = list([context(), list(field.args.map(({ name }) => fieldArgs.getRaw(name)))]);
  const run = ([{ selo }, values]: readonly [Grafast.Context, readonly unknown[]]): unknown => {
    const given = field.args.map(({ name }, place) => [name, values[place]]).filter(([, value]) => value !== undefined);
    // TypeGraphQL makes resolvers that read only these members of the info.
    return field.resolve?.(undefined, Object.fromEntries(given), selo, {} as never);
  };
  return root === "Mutation" ? sideEffect($inputs as Step, run as never) : lambda($inputs as Step, run as never);
}
