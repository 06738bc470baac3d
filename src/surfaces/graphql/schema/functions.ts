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
  },
};
