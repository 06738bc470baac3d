import { singularize, upperCamelCase } from "graphile-build";
import { type GraphQLEnumType, isEnumType } from "graphql";

/**
 * The names in a reference table are the values of an enum, in capitals: `live` is `LIVE`.
 *
 * A gateway reads the names when it starts. A later migration may add a name while the gateway runs. Answers then contain the new name, in capitals, because an
 * error would replace the whole list. Input with the new name is refused until the gateway starts again.
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

/** The name of the enum of a reference table: that of `webhooks.delivery_statuses` is `DeliveryStatus`. */
export const enumName = (table: string): string => upperCamelCase(singularize(table.replace(/^\w+\./, "")));

/** The enum of a reference table, such as `webhooks.delivery_statuses`; null where the schema has none. */
export function enumOf(build: GraphileBuild.Build, table: string): GraphQLEnumType | null {
  const name = enumName(table);
  const type = build.getTypeMetaByName(name) ? build.getTypeByName(name) : undefined;
  return isEnumType(type) ? type : null;
}
