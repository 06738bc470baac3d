/** How names of SQL become names of GraphQL where PostGraphile has other ideas. */
export const NamesPlugin: GraphileConfig.Plugin = {
  name: "NamesPlugin",
  inflection: {
    replace: {
      // Column id stays id instead of rowId: there are no Relay node ids to confuse it with.
      _attributeName: (previous, _preset, details) =>
        previous?.({ ...details, skipRowId: true }) ?? details.attributeName,
      // Parameters are named p_… in SQL only.
      argument: (previous, _preset, details) =>
        previous?.({
          ...details,
          param: { ...details.param, name: details.param.name?.replace(/^p_/, "") ?? null },
        }) ?? "",
      // An enum is named after its reference table, wherever that is.
      enumTableEnum(previous, _preset, details) {
        const { pgClass, pgConstraint } = details;
        if (pgConstraint.contype !== "p") return previous?.(details) ?? "";
        return this.upperCamelCase(this.singularize(pgClass.relname));
      },
      customQueryListField(_previous, _preset, details) {
        return this.customQueryField(details);
      },
    },
  },
};
