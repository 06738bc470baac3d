/** Names of SQL in GraphQL, where PostGraphile would choose other names. */
export const NamesPlugin: GraphileConfig.Plugin = {
  name: "NamesPlugin",
  inflection: {
    replace: {
      // Column id stays id instead of rowId: Relay's ids are in nodeId.
      _attributeName: (previous, _preset, details) =>
        previous?.({ ...details, skipRowId: true }) ?? details.attributeName,
      // The prefix p_ of parameters is used in SQL only.
      argument: (previous, _preset, details) =>
        previous?.({
          ...details,
          param: { ...details.param, name: details.param.name?.replace(/^p_/, "") ?? null },
        }) ?? "",
      // An enum is named after its reference table, in any schema, or as the tag @enumName of a table says whose name says too little.
      enumTableEnum(previous, _preset, details) {
        const { pgClass, pgConstraint } = details;
        if (pgConstraint.contype !== "p") return previous?.(details) ?? "";
        const { enumName } = pgClass.getTags();
        return typeof enumName === "string" ? enumName : this.upperCamelCase(this.singularize(pgClass.relname));
      },
      // A query has the name of its answer, without a verb: get_billing_plan is billingPlan.
      customQueryField(previous, _preset, details) {
        return (previous?.(details) ?? "").replace(/^(?:get|list)([A-Z])/, (_, letter: string) => letter.toLowerCase());
      },
      // A mutation answers a row by its name: the tag @rowName of the view, otherwise the view's own name in the singular.
      functionMutationResultFieldName(previous, _preset, details) {
        const { codec, isUnique } = details.resource;
        if (codec.attributes == null || !isUnique) return previous?.(details) ?? "result";
        const tag = codec.extensions?.tags?.["rowName"];
        return this.camelCase(typeof tag === "string" ? tag : this.tableType(codec));
      },
      customQueryListField(_previous, _preset, details) {
        return this.customQueryField(details);
      },
    },
  },
};
