import { type ConnectionStep, type FieldArg, type FieldArgs, lambda, list, type Step } from "grafast";
import type { GraphQLField } from "graphql";
import type { PgCodecRelation } from "postgraphile/@dataplan/pg";
import { invalidRequest } from "../../../errors/app-error.ts";
import { PAGE_SIZE, PRESET_WITHIN } from "../../page-size.ts";
import { cursorValues, wrongCursor } from "./cursors.ts";

/** How many rows a connection may answer. */
export interface Page {
  /** At most, whatever is asked for. */
  readonly most: number;
  /** At most, without `first` and `last`. */
  readonly preset: number;
}

/** The page of a connection of the schema, for what counts its rows before they are read. */
export const pageOf = ({ extensions }: Pick<GraphQLField<unknown, unknown>, "extensions">): Page =>
  (extensions["selo"] as { readonly page?: Page } | undefined)?.page ?? PAGE_SIZE;

type AnyConnection = ConnectionStep<Step, Step>;

/**
 * The paging arguments of connections. They replace PostGraphile's, which have no limit: `first` or `last`
 * from a cursor, within {@link PAGE_SIZE}. Offsets are not offered, because skipping a million rows costs as much as reading them. Lists of
 * functions have the arguments of their function.
 *
 * A list within an object has a smaller default page, {@link PRESET_WITHIN}, unless the object holds few of them: the tag `|@mostOfOne 50` beside the
 * `@foreignFieldName` of a foreign key says that an object has at most 50 rows in this list.
 */
export const PagesPlugin: GraphileConfig.Plugin = {
  name: "PagesPlugin",
  schema: {
    hooks: {
      GraphQLObjectType_fields_field_args(args, build, { scope }) {
        if (!scope.isPgFieldConnection) return args;
        const { GraphQLInt } = build.graphql;
        const { preset } = pageOfRelation(scope.pgRelationDetails as RelationDetails | undefined);
        const Cursor = build.getInputTypeByName(build.inflection.builtin("Cursor"));
        return build.extend(
          args,
          {
            first: {
              description: `At most this many items, from the beginning or after \`after\`: 1-${PAGE_SIZE.most}, ${preset} by default.`,
              type: GraphQLInt,
            },
            last: {
              description: `At most this many items, from the end or before \`before\`: 1-${PAGE_SIZE.most}.`,
              type: GraphQLInt,
            },
            after: {
              description: "Only items after this cursor.",
              type: Cursor,
              applyPlan: (_: Step, $connection: AnyConnection, arg) => $connection.setAfter(cursorOf("after", arg)),
            },
            before: {
              description: "Only items before this cursor.",
              type: Cursor,
              applyPlan: (_: Step, $connection: AnyConnection, arg) => $connection.setBefore(cursorOf("before", arg)),
            },
          },
          `paging arguments of ${scope.fieldName}`,
        );
      },
      GraphQLObjectType_fields_field(field, build, { scope }) {
        const { plan } = field;
        const { GraphQLNonNull, isNonNullType } = build.graphql;
        const type = isNonNullType(field.type) ? field.type : new GraphQLNonNull(field.type);
        // A list is never null: it is empty, or its field has failed. Every edge has a cursor, because every list has an order.
        if (scope.fieldBehaviorScope === "queryField:resource:list" || scope.isCursorField) return { ...field, type };
        if (!scope.isPgFieldConnection || plan === undefined) return field;
        const page = pageOfRelation(scope.pgRelationDetails as RelationDetails | undefined);
        const sizes = pageSizes(page);
        return {
          ...field,
          type,
          extensions: { ...field.extensions, selo: { ...(field.extensions?.["selo"] ?? {}), page } },
          plan($parent: Step, fieldArgs: FieldArgs, info) {
            const $connection = plan($parent, fieldArgs, info) as AnyConnection;
            const $sizes = lambda(list([fieldArgs.getRaw("first"), fieldArgs.getRaw("last")]), sizes, true);
            $connection.setFirst(lambda($sizes, ({ first }) => first, true));
            $connection.setLast(lambda($sizes, ({ last }) => last, true));
            return $connection;
          },
        };
      },
    },
  },
};

interface RelationDetails {
  readonly registry: { readonly pgRelations: Readonly<Record<string, Readonly<Record<string, PgCodecRelation>>>> };
  readonly codec: { readonly name: string };
  readonly relationName: string;
}

/** @param details of a list within an object; undefined for a list of all objects */
function pageOfRelation(details: RelationDetails | undefined): Page {
  if (details === undefined) return PAGE_SIZE;
  const { registry, codec, relationName } = details;
  const tag = registry.pgRelations[codec.name]?.[relationName]?.extensions?.tags?.["mostOfOne"];
  if (tag === undefined) return { most: PAGE_SIZE.most, preset: PRESET_WITHIN };
  const most = Number(tag);
  if (!Number.isInteger(most) || most < 1)
    throw new Error(`${codec.name}.${relationName}: @mostOfOne ${tag} must be a number`);
  return { most: Math.min(most, PAGE_SIZE.most), preset: Math.min(most, PAGE_SIZE.preset) };
}

/** PostGraphile reads the cursor again, and takes values of any form from it. */
function cursorOf(field: "after" | "before", arg: FieldArg) {
  const read = (cursor: unknown): string | null => {
    if (cursor === undefined || cursor === null) return null;
    if (typeof cursor !== "string" || cursorValues(cursor) === null) throw wrongCursor(field);
    return cursor;
  };
  return lambda(arg.getRaw(), read, true);
}

interface PageSizes {
  readonly first: number | null;
  readonly last: number | null;
}

const pageSizes =
  ({ preset }: Page) =>
  ([first, last]: readonly unknown[]): PageSizes => {
    const sizes = { first: pageSize("first", first), last: pageSize("last", last) };
    if (sizes.first !== null && sizes.last !== null)
      throw invalidRequest([{ field: "last", message: "must not be given together with first" }]);
    return sizes.first === null && sizes.last === null ? { first: preset, last: null } : sizes;
  };

function pageSize(field: string, value: unknown): number | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== "number" || value < 1 || value > PAGE_SIZE.most)
    throw invalidRequest([{ field, message: `must be between 1 and ${PAGE_SIZE.most}` }]);
  return value;
}
