import { lambda, type Step } from "grafast";
import type {} from "graphile-build-pg";
import type { PgCodec, PgCodecWithAttributes, PgResource } from "postgraphile/@dataplan/pg";
import { shownKeyOf } from "./ids.ts";

/** `@links event api.webhook_events The event.` */
const LINK = /^(?<field>\w+) api\.(?<view>\w+) (?<description>.+)$/s;

type Row = Step & { get(column: string): Step };

/**
 * Objects that an object leads to, where the comment of its view says so: a `@foreignKey` with `|@fieldName webhook`, and the list on its other side with
 * `|@foreignFieldName deliveries`, which an index must serve. Where a column has the key of another view as that one shows it (`evt_…`), the tag
 * `@links event api.webhook_events Words` of its comment is the same. Each is read through the view, which asks for the scope, as if it were asked for by itself.
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
