import type { GraphQLFieldConfigArgumentMap } from "graphql";

/** Smart tag of a function's comment, one per parameter: `@param limit How many: 1-200.` */
const DESCRIPTION = /^(\w+)\s+(.*)$/s;

/** What the comment of a function says of its parameters, by the names they have in GraphQL. */
export function describedParameters(build: GraphileBuild.Build, tags: unknown): ReadonlyMap<string, string> {
  const texts = Array.isArray(tags) ? tags : [tags];
  return new Map(
    texts.map((text): [string, string] => {
      const [, name = "", description = ""] = DESCRIPTION.exec(typeof text === "string" ? text : "") ?? [];
      return [build.inflection.camelCase(name), description];
    }),
  );
}

/** Functions of schema api: what their declaration cannot say is said here by rule. */
export const FunctionsPlugin: GraphileConfig.Plugin = {
  name: "FunctionsPlugin",
  gather: {
    hooks: {
      // A parameter without a default must be given.
      pgProcedures_functionResourceOptions(_info, { functionResourceOptions: options }) {
        options.parameters = options.parameters?.map((parameter) =>
          parameter.optional ? parameter : { ...parameter, notNull: true },
        );
      },
    },
  },
  schema: {
    entityBehavior: {
      pgResource: {
        override: {
          before: ["override"],
          provides: ["default"],
          // Sets are lists with the arguments of the function, which knows how to page.
          callback: (behavior, { parameters }) =>
            parameters === undefined
              ? behavior
              : ["-queryField:resource:connection", "queryField:resource:list", behavior],
        },
      },
    },
    hooks: {
      GraphQLObjectType_fields_field_args(args, build, { scope }) {
        const resource = scope.pgFieldResource;
        if (resource?.parameters === undefined) return args;
        for (const [name, description] of describedParameters(build, resource.extensions?.tags?.param)) {
          const arg = (args as GraphQLFieldConfigArgumentMap)[name];
          if (arg !== undefined) arg.description = description;
        }
        return args;
      },
    },
  },
};
