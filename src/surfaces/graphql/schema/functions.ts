/** Rules for functions of schema api that their declaration cannot express. */
export const FunctionsPlugin: GraphileConfig.Plugin = {
  name: "FunctionsPlugin",
  gather: {
    hooks: {
      // A parameter without a default is required.
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
          // Sets are lists with the arguments of the function, which does the paging itself.
          callback: (behavior, { parameters }) =>
            parameters === undefined
              ? behavior
              : ["-queryField:resource:connection", "queryField:resource:list", behavior],
        },
      },
    },
  },
};
