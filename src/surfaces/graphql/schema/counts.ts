import { type ConnectionStep, lambda, type Step } from "grafast";
import { type PgExecutor, type PgResource, type PgSelectStep, TYPES } from "postgraphile/@dataplan/pg";
import { sql } from "postgraphile/pg-sql2";
import { MOST_COUNTED } from "../../../postgres/generated/commands.ts";

const SHOWN = MOST_COUNTED.toLocaleString("en");

type Connection = ConnectionStep<Step, Step>;

/**
 * How many rows a connection has under its filters, wherever its page stands: exact up to {@link MOST_COUNTED}, and said to be capped beyond it. Counted in
 * a statement of its own, where one of the two fields is selected, which reads no more rows than that and one. PostGraphile's own count reads all.
 */
export const CountsPlugin: GraphileConfig.Plugin = {
  name: "CountsPlugin",
  schema: {
    hooks: {
      GraphQLObjectType_fields(fields, build, { scope, fieldWithHooks, Self }) {
        if (!scope.isPgConnectionRelated || !scope.isConnectionType) return fields;
        const { GraphQLBoolean, GraphQLInt, GraphQLNonNull } = build.graphql;
        return build.extend(
          fields,
          {
            totalCount: fieldWithHooks({ fieldName: "totalCount" }, () => ({
              description: `How many there are under the filters: exact up to ${SHOWN}, and ${SHOWN} where there are more.`,
              type: new GraphQLNonNull(GraphQLInt),
              plan: ($connection: Connection) =>
                lambda(counted($connection), (count) => Math.min(Number(count), MOST_COUNTED), true),
            })),
            totalCountCapped: fieldWithHooks({ fieldName: "totalCountCapped" }, () => ({
              description: "Whether there are more than `totalCount` says.",
              type: new GraphQLNonNull(GraphQLBoolean),
              plan: ($connection: Connection) =>
                lambda(counted($connection), (count) => Number(count) > MOST_COUNTED, true),
            })),
          },
          `counts of ${Self.name}`,
        );
      },
    },
  },
};

/** How many rows, up to one more than are counted: both fields of a connection share the statement. */
function counted($connection: Connection): Step {
  // As an aggregate the clone keeps the filters, and leaves out page and order.
  const $rows = $connection.cloneSubplanWithoutPagination("aggregate") as PgSelectStep;
  Object.assign($rows, { resource: countingResource($rows.resource) });
  return $rows.singleAsRecord().select(sql`1`, TYPES.int, true);
}

const countingResources = new WeakMap<PgResource, PgResource>();

/** A resource whose statements count the rows that they would answer. */
function countingResource(resource: PgResource): PgResource {
  const made = countingResources.get(resource);
  if (made !== undefined) return made;
  const { executor } = resource;
  const counting: PgExecutor = Object.create(executor, {
    executeWithCache: {
      value: ((values, { name: _, ...common }) =>
        executor.executeWithCache(values, {
          ...common,
          text: countText(common.text, common.identifierIndex),
        })) satisfies PgExecutor["executeWithCache"],
    },
  });
  const countingOne: PgResource = Object.create(resource, { executor: { value: counting } });
  countingResources.set(resource, countingOne);
  return countingOne;
}

function countText(text: string, identifierIndex: number | null | undefined): string {
  if (identifierIndex !== null && identifierIndex !== undefined)
    throw new Error("a connection inside a row cannot be counted yet");
  return `select count(*)::text as "0" from (${text.replace(/;\s*$/, "")} limit ${MOST_COUNTED + 1}) as counted`;
}
