import type { Step } from "grafast";
import type {} from "graphile-build-pg";
import type { PgCodec, PgCodecWithAttributes, PgSelectQueryBuilder } from "postgraphile/@dataplan/pg";
import { shownKeyOf } from "./ids.ts";

/**
 * Offers filters and orders only if a column's comment says so (`@behavior +filterBy`, `@behavior +orderBy`): those that an
 * index serves. A connection has one order, a value of `orderBy`. Rows that are equal in it follow their key in the same
 * direction, as in the index. `@defaultOrder REGISTERED_AT_DESC` in the comment of a view sets the order of requests
 * without `orderBy`.
 */
export const OptInPlugin: GraphileConfig.Plugin = {
  name: "OptInPlugin",
  schema: {
    entityBehavior: {
      pgCodecAttribute: {
        inferred: {
          provides: ["postInferred"],
          after: ["inferred"],
          callback: (behavior) => [behavior, "-attribute:filterBy", "-attribute:orderBy"],
        },
      },
    },
    hooks: {
      init(_, build) {
        for (const { codec, parameters } of Object.values(build.pgResources)) {
          if (!hasColumns(codec) || parameters !== undefined || orders(build, codec).length === 0) continue;
          build.registerEnumType(
            typeName(build, codec),
            {},
            () => ({
              description: `Orders of a list of ${build.inflection.tableType(codec)}.`,
              values: Object.fromEntries(orders(build, codec).map(([name, { sqlName: _, ...value }]) => [name, value])),
            }),
            "OptInPlugin",
          );
        }
        return _;
      },
      GraphQLObjectType_fields_field_args(args, build, { scope }) {
        const { isPgFieldConnection, pgFieldResource } = scope;
        // Functions have their own order.
        if (!isPgFieldConnection || pgFieldResource === undefined || pgFieldResource.parameters !== undefined)
          return args;
        const { codec } = pgFieldResource;
        if (!hasColumns(codec) || orders(build, codec).length === 0) return args;
        const type = build.getInputTypeByName(typeName(build, codec));
        const tag = codec.extensions?.tags?.defaultOrder;
        const defaultOrder = orders(build, codec).find(([, { sqlName }]) => sqlName === tag)?.[0];
        if (defaultOrder === undefined)
          throw new Error(`${codec.name}: its comment needs @defaultOrder with one of the orders of its columns`);
        return build.extend(
          args,
          {
            orderBy: {
              description: "The order of the items.",
              type,
              defaultValue: defaultOrder,
              applyPlan: (_$parent: Step, $connection, arg) => arg.apply($connection.getSubplan()),
            },
          },
          `order of ${scope.fieldName}`,
        );
      },
    },
  },
};

function hasColumns(codec: PgCodec): codec is PgCodecWithAttributes {
  return codec.attributes !== undefined && codec.attributes !== null;
}

function typeName(build: GraphileBuild.Build, codec: PgCodecWithAttributes): string {
  return build.inflection.upperCamelCase(`${build.inflection.tableType(codec)}-order-by`);
}

/** All orders of a view by their GraphQL names, with their names in the tag of the view's comment. */
function orders(build: GraphileBuild.Build, codec: PgCodecWithAttributes) {
  const columns = Object.keys(codec.attributes).filter((column) =>
    build.behavior.pgCodecAttributeMatches([codec, column], "attribute:orderBy"),
  );
  const key = build.pgTableResource(codec)?.uniques.find(({ isPrimary }) => isPrimary)?.attributes ?? [];
  return columns.flatMap((column) =>
    (["ASC", "DESC"] as const).map((direction) => {
      const shown = shownKeyOf(build, codec)?.key === column ? "id" : column;
      const name = build.inflection.constantCase(`${shown}-${direction}`);
      const sqlName = build.inflection.constantCase(`${column}-${direction}`);
      const apply = (select: PgSelectQueryBuilder) => {
        for (const attribute of [column, ...key]) select.orderBy({ attribute, direction });
        select.setOrderIsUnique();
      };
      const description = `By \`${build.inflection.attribute({ attributeName: shown, codec })}\`, ${direction === "ASC" ? "ascending" : "descending"}.`;
      return [name, { value: name, sqlName, description, extensions: { grafast: { apply } } }] as const;
    }),
  );
}
