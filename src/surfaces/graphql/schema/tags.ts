import { withPgClientFromPgService } from "postgraphile/graphile-build-pg";
import { parseSmartComment } from "postgraphile/graphile-build-pg/pg-introspection";

interface ViewComment {
  readonly view: string;
  /** Empty for a comment of the view itself. */
  readonly column_name: string;
  readonly comment: string;
}

/**
 * Reads smart tags of views and columns from gateway.view_comments. The comments in the catalog, which analysts read, contain
 * only words, and express in words what a tag expresses here.
 */
export const TagsPlugin: GraphileConfig.Plugin = {
  name: "TagsPlugin",
  // Like PostGraphile's own plugins of smart tags.
  before: ["smart-tags"],
  gather: {
    hooks: {
      async pgIntrospection_introspection(info, { introspection, serviceName }) {
        const service = info.resolvedPreset.pgServices?.find(({ name }) => name === serviceName);
        if (service === undefined) throw new Error(`there is no service ${serviceName}`);
        const { rows } = await withPgClientFromPgService(service, null, (client) =>
          client.query<ViewComment>({ text: "select view, column_name, comment from gateway.view_comments" }),
        );
        const comments = new Map(rows.map((row) => [`${row.view}.${row.column_name}`, row.comment]));
        const views = new Set(rows.map(({ view }) => view));
        for (const relation of introspection.classes) {
          const name = `${relation.getNamespace()?.nspname}.${relation.relname}`;
          // The catalog holds hundreds of relations with thousands of columns, and only these views have tags.
          if (!views.has(name)) continue;
          takeComment(relation, comments.get(`${name}.`));
          for (const column of relation.getAttributes()) takeComment(column, comments.get(`${name}.${column.attname}`));
        }
      },
    },
  },
};

/** All plugins read the same object, so a change here reaches all of them. */
function takeComment(
  entity: { getTagsAndDescription(): ReturnType<typeof parseSmartComment> },
  comment: string | undefined,
): void {
  if (comment === undefined) return;
  const { tags, description } = parseSmartComment(comment);
  const kept = entity.getTagsAndDescription();
  Object.assign(kept.tags, tags);
  kept.description = description;
}
