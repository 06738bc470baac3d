import { type GraphQLEnumType, isEnumType } from "graphql";

/**
 * Names of reference tables are values of enums, in capitals as GraphQL writes them: `live` is `LIVE`.
 *
 * A gateway reads them once, when it starts. A name that a later migration adds while it runs is answered all the same, in capitals: a row that says something
 * new is better than an error in place of its whole list. As input it is refused until the gateway starts again.
 */
export const EnumsPlugin: GraphileConfig.Plugin = {
  name: "EnumsPlugin",
  inflection: {
    replace: {
      enumValue(_previous, _preset, value) {
        return this.constantCase(String(value));
      },
    },
  },
  schema: {
    hooks: {
      finalize(schema, { inflection }) {
        for (const type of Object.values(schema.getTypeMap()))
          if (isEnumType(type) && !type.name.startsWith("__")) answerLaterNames(type, inflection.constantCase);
        return schema;
      },
    },
  },
};

function answerLaterNames(type: GraphQLEnumType, inCapitals: (name: string) => string): void {
  const known = new Set<unknown>(type.getValues().map(({ value }) => value));
  const serialize = type.serialize.bind(type);
  type.serialize = (value) => (known.has(value) || typeof value !== "string" ? serialize(value) : inCapitals(value));
}

/** The enum of a reference table, such as `webhooks.delivery_statuses`; null where the schema has none. */
export function enumOf(build: GraphileBuild.Build, table: string): GraphQLEnumType | null {
  const { inflection } = build;
  const name = inflection.upperCamelCase(inflection.singularize(table.replace(/^\w+\./, "")));
  const type = build.getTypeMetaByName(name) ? build.getTypeByName(name) : undefined;
  return isEnumType(type) ? type : null;
}
