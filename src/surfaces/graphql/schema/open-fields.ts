/** A field that needs no token: counted as a request of its address, or free because it costs nothing. */
export type OpenField = "counted" | "free";

/** What a field of the schema keeps of it. */
export const openField = (open: OpenField) => ({ selo: { open } });

export const openOf = (extensions: Readonly<Record<string, unknown>>): OpenField | null =>
  (extensions["selo"] as { readonly open?: OpenField } | undefined)?.open ?? null;

/** Views with the tag @anyone are for anyone; a catalog test compares the tag with what the view asks. */
export const OpenFieldsPlugin: GraphileConfig.Plugin = {
  name: "OpenFieldsPlugin",
  schema: {
    hooks: {
      GraphQLObjectType_fields_field(field, _build, { scope }) {
        const resource = scope.isRootQuery ? scope.pgFieldResource : undefined;
        if (resource === undefined || resource.parameters !== undefined) return field;
        if (resource.codec.extensions?.tags?.["anyone"] === undefined) return field;
        return { ...field, extensions: { ...field.extensions, ...openField("free") } };
      },
    },
  },
};
