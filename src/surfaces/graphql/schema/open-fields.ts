/** A field that needs no token: counted as a request of its address, or free because it costs nothing. */
export type OpenField = "counted" | "free";

/** The extension that marks a field of the schema as open. */
export const openField = (open: OpenField) => ({ selo: { open } });

export const openOf = (extensions: Readonly<Record<string, unknown>>): OpenField | null =>
  (extensions["selo"] as { readonly open?: OpenField } | undefined)?.open ?? null;

/** Opens views with the tag @anyone to callers without a token. A catalog test compares the tag with the view's own check. */
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
