import { type ConnectionStep, type FieldArg, type FieldArgs, lambda, list, type Step } from "grafast";
import { invalidRequest } from "../../../errors/app-error.ts";
import { PAGE_SIZE } from "../../page-size.ts";
import { cursorValues, wrongCursor } from "./cursors.ts";

type AnyConnection = ConnectionStep<Step, Step>;

/**
 * The paging arguments of connections. They replace PostGraphile's, which have no limit: `first` or `last`
 * from a cursor, within {@link PAGE_SIZE}. Offsets are not offered, because skipping a million rows costs as much as reading them. Lists of
 * functions have the arguments of their function.
 */
export const PagesPlugin: GraphileConfig.Plugin = {
  name: "PagesPlugin",
  schema: {
    hooks: {
      GraphQLObjectType_fields_field_args(args, build, { scope }) {
        if (!scope.isPgFieldConnection) return args;
        const { GraphQLInt } = build.graphql;
        const Cursor = build.getInputTypeByName(build.inflection.builtin("Cursor"));
        return build.extend(
          args,
          {
            first: {
              description: `At most this many items, from the beginning or after \`after\`: 1-${PAGE_SIZE.most}, ${PAGE_SIZE.preset} by default.`,
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
        return {
          ...field,
          type,
          plan($parent: Step, fieldArgs: FieldArgs, info) {
            const $connection = plan($parent, fieldArgs, info) as AnyConnection;
            const $sizes = lambda(list([fieldArgs.getRaw("first"), fieldArgs.getRaw("last")]), pageSizes, true);
            $connection.setFirst(lambda($sizes, ({ first }) => first, true));
            $connection.setLast(lambda($sizes, ({ last }) => last, true));
            return $connection;
          },
        };
      },
    },
  },
};

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

function pageSizes([first, last]: readonly unknown[]): PageSizes {
  const sizes = { first: pageSize("first", first), last: pageSize("last", last) };
  if (sizes.first !== null && sizes.last !== null)
    throw invalidRequest([{ field: "last", message: "must not be given together with first" }]);
  return sizes.first === null && sizes.last === null ? { first: PAGE_SIZE.preset, last: null } : sizes;
}

function pageSize(field: string, value: unknown): number | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== "number" || value < 1 || value > PAGE_SIZE.most)
    throw invalidRequest([{ field, message: `must be between 1 and ${PAGE_SIZE.most}` }]);
  return value;
}
