import { type ConnectionStep, lambda, type Step } from "grafast";
import { type PgExecutor, type PgResource, type PgSelectStep, TYPES } from "postgraphile/@dataplan/pg";
import { sql } from "postgraphile/pg-sql2";
import { MOST_COUNTED } from "../../../postgres/generated/commands.ts";

const SHOWN = MOST_COUNTED.toLocaleString("en");

type Connection = ConnectionStep<Step, Step>;

/**
 * Counts the rows of a connection under its filters, independent of the page: exact up to {@link MOST_COUNTED}, and marked as capped beyond. If one of the
 * two fields is selected, a separate statement counts, and reads at most one row more than that number. PostGraphile's own count reads all rows.
 * Connections inside several rows are counted in one statement, each up to that number.
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
              description: `Number of items that match the filters. Exact up to ${SHOWN}, and ${SHOWN} if there are more.`,
              type: new GraphQLNonNull(GraphQLInt),
              plan: ($connection: Connection) =>
                lambda(counted($connection), (count) => Math.min(Number(count), MOST_COUNTED), true),
            })),
            totalCountCapped: fieldWithHooks({ fieldName: "totalCountCapped" }, () => ({
              description: "Whether there are more items than `totalCount` says.",
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

/** The number of rows, at most one more than are counted. Both fields of a connection share the statement. */
function counted($connection: Connection): Step {
  // As an aggregate the clone keeps the filters, and drops page and order.
  const $rows = $connection.cloneSubplanWithoutPagination("aggregate") as PgSelectStep;
  Object.assign($rows, { resource: countingResource($rows.resource) });
  // Inlined into the statement that reads the rows above, it would not become a count.
  $rows.setInliningForbidden();
  return $rows.singleAsRecord().select(sql`1`, TYPES.int, true);
}

const countingResources = new WeakMap<PgResource, PgResource>();

/** A resource whose statements count the rows that they would answer. Mutations execute without a cache, queries with one. */
function countingResource(resource: PgResource): PgResource {
  const made = countingResources.get(resource);
  if (made !== undefined) return made;
  const { executor } = resource;
  const executing = (name: "executeWithCache" | "executeWithoutCache"): PropertyDescriptor => ({
    value: ((values, { name: _, ...common }) =>
      executor[name](values, {
        ...common,
        text: countText(common.text, common.identifierIndex ?? null),
      })) satisfies PgExecutor["executeWithCache"],
  });
  const counting: PgExecutor = Object.create(executor, {
    executeWithCache: executing("executeWithCache"),
    executeWithoutCache: executing("executeWithoutCache"),
  });
  const countingOne: PgResource = Object.create(resource, { executor: { value: counting } });
  countingResources.set(resource, countingOne);
  return countingOne;
}

/** PgSelectStep's statement for several parents: for each parent in the list it selects all columns of the part after `lateral`. */
const FOR_EACH_PARENT =
  /^(?<parents>select (?<rows>\S+)\.\*\nfrom \(select ids\.ordinality - 1 as idx[^\n]* as ids\) as (?<parent>\S+),\n)lateral \((?<one>.*)\) as \k<rows>;$/s;

/**
 * The statement that counts the rows of a PgSelectStep statement.
 * @param parentColumn the column of the answer with the parent's position in their list; null for one parent or none
 */
function countText(text: string, parentColumn: number | null): string {
  if (parentColumn === null) return countOf(text.replace(/;\s*$/, ""), "");
  const { parents, rows, parent, one } = FOR_EACH_PARENT.exec(text)?.groups ?? {};
  if (parents === undefined || one === undefined || parentColumn !== 1)
    throw new Error("PgSelectStep has another statement for several parents; change FOR_EACH_PARENT");
  return `${parents}lateral (${countOf(one, `, ${parent}.idx as "1"`)}) as ${rows};`;
}

const countOf = (select: string, more: string) =>
  `select count(*)::text as "0"${more} from (${select} limit ${MOST_COUNTED + 1}) as counted`;
