import type { GraphQLOutputType } from "graphql";

/** Descriptions from the comments of SQL, where PostGraphile has a phrase of its own or none. */
export const DescriptionsPlugin: GraphileConfig.Plugin = {
  name: "DescriptionsPlugin",
  after: ["PgEnumTablesPlugin"],
  gather: {
    hooks: {
      // An enum is described by the comment of its reference table.
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
        if (scope.isRootQuery) type.description = "What can be read.";
        if (scope.isRootMutation) type.description = "What can be done. Each field is a transaction of its own.";
        return type;
      },
      GraphQLObjectType_fields_field(field, build, { scope }) {
        const { pgFieldAttribute: column, pgFieldResource: resource, fieldBehaviorScope } = scope;
        if (fieldBehaviorScope === "query:resource:connection" && resource?.codec.description !== undefined)
          field.description = resource.codec.description;
        if (fieldBehaviorScope === "query:resource:single" && resource?.codec.description !== undefined)
          field.description = `One of them, by its key. ${resource.codec.description}`;
        // Arrays of views hold no nulls.
        if (column?.codec.arrayOfCodec) {
          const { GraphQLList, GraphQLNonNull, getNamedType, isNonNullType } = build.graphql;
          const list = new GraphQLList(
            new GraphQLNonNull(getNamedType(field.type) as GraphQLOutputType & { name: string }),
          );
          field.type = isNonNullType(field.type) ? new GraphQLNonNull(list) : list;
        }
        return field;
      },
      // The key by which a row is asked for is described by its column.
      GraphQLObjectType_fields_field_args_arg(arg, build, { scope }) {
        const { isPgRowByUniqueConstraintField, pgFieldResource: resource, pgFieldResourceUnique: unique } = scope;
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
