import { type GraphQLEnumType, type GraphQLOutputType, getNamedType, isEnumType } from "graphql";

/** Describes the argument of every mutation. */
export const INPUT_WORDS = "The members of the request.";

/** Takes descriptions from the comments of SQL where PostGraphile has its own phrase or none. */
export const DescriptionsPlugin: GraphileConfig.Plugin = {
  name: "DescriptionsPlugin",
  after: ["PgEnumTablesPlugin"],
  gather: {
    hooks: {
      // The comment of its reference table describes an enum.
      async pgCodecs_attribute({ helpers }, { attribute, serviceName }) {
        const table = attribute.codec.extensions?.enumTableEnumDetails;
        if (table === undefined) return;
        const introspection = await helpers.pgIntrospection.getIntrospection();
        const pgClass = introspection
          .find(({ pgService }) => pgService.name === serviceName)
          ?.introspection.classes.find(
            ({ relname, getNamespace }) => relname === table.tableName && getNamespace()?.nspname === table.schemaName,
          );
        const { description } = pgClass?.getTagsAndDescription() ?? {};
        if (description !== undefined) attribute.codec.description = description;
      },
    },
  },
  schema: {
    hooks: {
      GraphQLObjectType(type, _build, { scope }) {
        if (scope.isRootQuery) type.description = "All reads.";
        if (scope.isRootMutation) type.description = "All writes. Each field is a separate transaction.";
        return type;
      },
      GraphQLObjectType_fields_field(field, build, { scope }) {
        const { pgFieldAttribute: column, pgFieldResource: resource, fieldBehaviorScope } = scope;
        if (fieldBehaviorScope === "query:resource:connection" && resource?.codec.description !== undefined)
          field.description = resource.codec.description;
        if (fieldBehaviorScope === "query:resource:single" && resource?.codec.description !== undefined)
          field.description = `A single item by its key. ${resource.codec.description}`;
        const named = getNamedType(field.type);
        if (column !== undefined && isEnumType(named) && typeof field.description === "string")
          field.description = withoutNamesOf(named, field.description);
        // Arrays of views contain no nulls.
        if (column?.codec.arrayOfCodec) {
          const { GraphQLList, GraphQLNonNull, isNonNullType } = build.graphql;
          const list = new GraphQLList(
            new GraphQLNonNull(getNamedType(field.type) as GraphQLOutputType & { name: string }),
          );
          field.type = isNonNullType(field.type) ? new GraphQLNonNull(list) : list;
        }
        return field;
      },
      // The column of the key describes the argument.
      GraphQLObjectType_fields_field_args_arg(arg, build, { scope }) {
        const { isPgRowByUniqueConstraintField, pgFieldResource: resource, pgFieldResourceUnique: unique } = scope;
        if (scope.isPgFieldConnection && scope.argName === "filter")
          return { ...arg, description: "Only items that fit this filter." };
        if (scope.fieldBehaviorScope === "mutationField") return { ...arg, description: INPUT_WORDS };
        if (!isPgRowByUniqueConstraintField || resource === undefined || arg.description) return arg;
        const { codec } = resource;
        const column = unique?.attributes.find(
          (attributeName) => build.inflection.attribute({ attributeName, codec }) === scope.argName,
        );
        const description = column === undefined ? undefined : codec.attributes?.[column]?.description;
        return description === undefined ? arg : { ...arg, description };
      },
    },
  },
};

/** A list such as `manual, failing or gone.`, which is a sentence or follows a colon. */
const LIST = /(?<=^|\. )(?<sentence>\w+(?:, \w+)* or \w+)\.|: (?<end>\w+(?:, \w+)* or \w+)\./;

/** The enum lists its names itself. What it is for stands in place of a sentence that only lists them. */
function withoutNamesOf(type: GraphQLEnumType, text: string): string {
  const names = new Set<unknown>(type.getValues().map(({ value }) => value));
  return text.replace(LIST, (found, sentence?: string, end?: string) => {
    const listed = (sentence ?? end ?? "").split(/, | or /);
    if (!listed.every((name) => names.has(name))) return found;
    return sentence === undefined ? "." : (type.description ?? "");
  });
}
