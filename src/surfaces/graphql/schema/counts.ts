import { type ConnectionStep, lambda, type Step } from "grafast";
import { type PgExecutor, type PgResource, type PgSelectStep, TYPES } from "postgraphile/@dataplan/pg";
import { sql } from "postgraphile/pg-sql2";
import { MOST_COUNTED } from "../../../postgres/generated/commands.ts";

const SHOWN = MOST_COUNTED.toLocaleString("en");

type Connection = ConnectionStep<Step, Step>;

/**
 * How many rows a connection has under its filters, wherever its page stands: exact up to {@link MOST_COUNTED}, and said to be capped beyond it. Counted in
 * a statement of its own, where one of the two fields is selected, which reads no more rows than that and one. PostGraphile's own count reads all.
 * Connections inside several rows are counted in one statement, each so far.
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
  // As a part of the statement that reads the rows above it, it would not be made a count.
  $rows.setInliningForbidden();
  return $rows.singleAsRecord().select(sql`1`, TYPES.int, true);
}

const countingResources = new WeakMap<PgResource, PgResource>();

/** A resource whose statements count the rows that they would answer. Mutations execute without cache, and queries with one. */
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

/** A statement of PgSelectStep for several parents: it selects all columns of what follows `lateral`, for each parent of the list before it. */
const FOR_EACH_PARENT =
  /^(?<parents>select (?<rows>\S+)\.\*\nfrom \(select ids\.ordinality - 1 as idx[^\n]* as ids\) as (?<parent>\S+),\n)lateral \((?<one>.*)\) as \k<rows>;$/s;

/**
 * The statement that counts what a statement of PgSelectStep would answer.
 * @param parentColumn of the answer, the place of the parent's place in their list; null where there is one parent, or none
 */
function countText(text: string, parentColumn: number | null): string {
  if (parentColumn === null) return countOf(text.replace(/;\s*$/, ""), "");
  const { parents, rows, parent, one } = FOR_EACH_PARENT.exec(text)?.groups ?? {};
  if (parents === undefined || one === undefined || parentColumn !== 1)
    throw new Error("PgSelectStep writes the statement for several parents in another way; change FOR_EACH_PARENT");
  return `${parents}lateral (${countOf(one, `, ${parent}.idx as "1"`)}) as ${rows};`;
}

const countOf = (select: string, more: string) =>
  `select count(*)::text as "0"${more} from (${select} limit ${MOST_COUNTED + 1}) as counted`;
