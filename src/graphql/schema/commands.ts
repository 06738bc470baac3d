import { constant, context, each, type FieldArgs, list, object, type Step, sideEffect } from "grafast";
import type { PgResource } from "postgraphile/@dataplan/pg";
import { type CommandName, commands } from "../../db/generated/commands.ts";
import { CommandRowStep } from "./command-row.ts";
import { describedParameters } from "./functions.ts";

/**
 * Functions of schema api that write are mutations. PostGraphile would call them on its own; here they take the way of
 * every write, gateway.call: scope, Idempotency-Key, command and stored answer in one transaction.
 */
export const CommandsPlugin: GraphileConfig.Plugin = {
  name: "CommandsPlugin",
  schema: {
    hooks: {
      GraphQLObjectType_fields_field(field, build, { scope }) {
        if (scope.fieldBehaviorScope !== "mutationField") return field;
        const resource = Object.values(build.pgResources).find(
          (some) =>
            isFunction(some) &&
            some.isMutation &&
            build.inflection.customMutationField({ resource: some }) === scope.fieldName,
        );
        if (resource === undefined || !isFunction(resource))
          throw new Error(`there is no function behind the mutation ${scope.fieldName}`);
        return { ...field, plan: planOf(build, resource) };
      },
      // The argument is read as it is, by the plan.
      GraphQLObjectType_fields_field_args_arg(arg, _build, { scope }) {
        if (scope.fieldBehaviorScope !== "mutationField") return arg;
        const { applyPlan: _, ...plain } = arg;
        return plain;
      },
      // The header of the request does what this was made for.
      GraphQLInputObjectType_fields(fields, build, { scope, Self }) {
        if (!scope.isMutationInput) return fields;
        delete fields.clientMutationId;
        const resource = Object.values(build.pgResources)
          .filter(isFunction)
          .find((some) => some.isMutation && build.inflection.customMutationInput({ resource: some }) === Self.name);
        const descriptions = describedParameters(build, resource?.extensions?.tags?.param);
        for (const [index, param] of (resource?.parameters ?? []).entries()) {
          const name = build.inflection.argument({ param, resource: resource as FunctionResource, index });
          const field = fields[name];
          if (field === undefined) continue;
          field.description = descriptions.get(name);
          // A parameter without a default must be given, also where the function answers no row.
          const { GraphQLNonNull, isNonNullType } = build.graphql;
          if (!param.optional && !isNonNullType(field.type)) field.type = new GraphQLNonNull(field.type);
        }
        return fields;
      },
      GraphQLObjectType_fields(fields, build, { scope }) {
        if (!scope.isMutationPayload) return fields;
        delete fields.clientMutationId;
        if (fields.result !== undefined) fields.result.description = "What was answered.";
        if (Object.keys(fields).length > 0) return fields;
        const { GraphQLBoolean, GraphQLNonNull } = build.graphql;
        const done = {
          description: "Always true: a command that answers nothing has done what was asked.",
          type: new GraphQLNonNull(GraphQLBoolean),
          plan: () => constant(true),
        };
        return build.extend(fields, { done }, "a payload must have a field");
      },
      // A type that came out empty takes its field with it, and nobody is told.
      finalize(schema, build) {
        for (const resource of Object.values(build.pgResources).filter(isFunction)) {
          const root = resource.isMutation ? schema.getMutationType() : schema.getQueryType();
          const field = resource.isMutation
            ? build.inflection.customMutationField({ resource })
            : build.inflection.customQueryField({ resource });
          if (root?.getFields()[field] === undefined)
            throw new Error(`api.${resource.extensions?.pg?.name} became no field; a command needs a parameter`);
        }
        return schema;
      },
    },
  },
};

type FunctionResource = Parameters<GraphileBuild.Inflection["customMutationField"]>[0]["resource"];

function isFunction(resource: PgResource): resource is FunctionResource {
  return resource.parameters !== undefined;
}

function planOf(build: GraphileBuild.Build, resource: FunctionResource) {
  const name = String(resource.extensions?.pg?.name);
  if (!isCommand(name)) {
    throw new Error(
      `api.${name} writes, but gateway.call does not know it: it must begin with platform.require_scope('…') or platform.allow_anyone(); then run npm run generate`,
    );
  }
  const parameters = resource.parameters.map((param, index) => ({
    member: build.inflection.argument({ param, resource, index }),
    argument: param.name?.replace(/^p_/, "") ?? "",
  }));
  const run = ([{ selo }, input]: readonly [Grafast.Context, Readonly<Record<string, unknown>>]): Promise<unknown> => {
    const given = parameters.filter(({ member }) => input[member] !== undefined);
    return selo.command(name, Object.fromEntries(given.map(({ member, argument }) => [argument, input[member]])));
  };
  return (_$root: Step, fieldArgs: FieldArgs): Step => {
    const $answer: Step = sideEffect(list([context(), fieldArgs.getRaw("input")]) as Step, run as never);
    return object({ result: resource.codec.attributes ? rows(resource, $answer) : $answer });
  };
}

function rows(resource: FunctionResource, $answer: Step): Step {
  return resource.isUnique
    ? new CommandRowStep($answer)
    : each($answer as Step<readonly unknown[]>, ($row) => new CommandRowStep($row));
}

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(commands, name);
}
