import { lambda, type Step } from "grafast";
import type {} from "graphile-build-pg";
import type { PgCodec, PgCodecWithAttributes, PgResource } from "postgraphile/@dataplan/pg";
import { shownKeyOf } from "./ids.ts";

/** `@links event api.webhook_events The event.` */
const LINK = /^(?<field>\w+) api\.(?<view>\w+) (?<description>.+)$/s;

type Row = Step & { get(column: string): Step };

/**
 * Fields that lead from an object to other objects. The comment of a view names them: a `@foreignKey` with `|@fieldName webhook` leads to one object, and
 * `|@foreignFieldName deliveries` makes the list on the other side, which an index must serve. A column may have the key of another view as that view shows it
 * (`evt_…`). The tag `@links event api.webhook_events Words` of such a column names its field. The linked view checks the scope, as for a root field.
 */
export const LinksPlugin: GraphileConfig.Plugin = {
  name: "LinksPlugin",
  schema: {
    entityBehavior: {
      pgCodecRelation: {
        inferred: {
          provides: ["postInferred"],
          after: ["inferred"],
          callback(behavior, { isReferencee, extensions }) {
            const isNamed = extensions?.tags?.[isReferencee ? "foreignFieldName" : "fieldName"] !== undefined;
            return isNamed
              ? [behavior, "-singularRelation:resource:list", "-manyRelation:resource:list"]
              : [behavior, "-*"];
          },
        },
      },
    },
    hooks: {
      GraphQLObjectType_fields(fields, build, { scope, Self, fieldWithHooks }) {
        const { isPgClassType, pgCodec: codec } = scope;
        if (!isPgClassType || codec?.attributes == null) return fields;
        let linked = fields;
        for (const [column, { extensions }] of Object.entries((codec as PgCodecWithAttributes).attributes)) {
          const tag = extensions?.tags?.["links"];
          if (tag === undefined) continue;
          const { field = "", view = "", description = "" } = LINK.exec(String(tag))?.groups ?? {};
          const target = build.pgResources[view];
          const key = target === undefined ? null : shownKeyOf(build, target.codec as PgCodec);
          if (target === undefined || key === null)
            throw new Error(`${codec.name}.${column}: @links must name a field, a view with a @keyPrefix, and words`);
          const link = fieldWithHooks({ fieldName: field }, () => ({
            description,
            type: build.getOutputTypeByName(build.inflection.tableType(target.codec as never)),
            plan: ($row: Row) => (target as PgResource).get({ [key.key]: lambda($row.get(column), key.read) }),
          }));
          linked = build.extend(linked, { [field]: link }, `${field} of ${Self.name}`);
        }
        return linked;
      },
    },
  },
};
