import { type ConnectionStep, type FieldArgs, lambda, list, type Step } from "grafast";
import {
  type PgResource,
  type PgSelectQueryBuilder,
  type PgSelectStep,
  sqlValueWithCodec,
  TYPES,
} from "postgraphile/@dataplan/pg";
import { type SQL, sql } from "postgraphile/pg-sql2";
import { z } from "zod";
import { commandFacts } from "../../../postgres/any-command.ts";
import type { Parameter } from "../../../postgres/command.ts";
import { commands, MOST_COUNTED } from "../../../postgres/generated/commands.ts";
import { parseShape } from "../../http/shape.ts";
import { inputOf } from "../../input.ts";
import { PAGE_SIZE } from "../../page-size.ts";
import { cursorValues } from "./cursors.ts";
import { wordsOf } from "./parameter-words.ts";

const READ = ["search", "first", "last", "after", "before", "filter", "orderBy"] as const;
type Given = Readonly<Record<(typeof READ)[number], unknown>>;

/**
 * A view whose comment has the tag `@search list_proofs registered_at` has a connection with the argument `search`. This argument is the parameter `search` of that
 * command, with its words and limits. Only SQL decides what a search finds: `gateway.find_<view>` answers the keys of the requested page, or, for a count, the keys
 * of at most one row more than are counted. The connection then reads these rows like any page. An empty search changes nothing. The tag also names the columns that
 * have filters: first an instant, then others (`@search list_envelopes created_at status`). The connection is ordered by the instant, or by the key alone.
 * With the tag `@narrowedBy label_id` the connection also has the argument `labelId`, the parameter of this name of the same command.
 *
 * A view whose comment has the tag `@searches name, title` has the same argument, the parameter `search` (or `q`) of its list. It searches these columns, as that
 * list does: `customer.name` is a member of a column of JSON, and `number^` must begin with the text. If the view has a column `archived_at`, the connection also
 * has the argument `archived`.
 */
export const SearchPlugin: GraphileConfig.Plugin = {
  name: "SearchPlugin",
  schema: {
    hooks: {
      GraphQLObjectType_fields_field_args(args, build, { scope }) {
        const search = scope.isPgFieldConnection ? searchOf(build, scope.pgFieldResource) : null;
        if (search === null) return args;
        const { GraphQLString: type } = build.graphql;
        const { narrowing, canBeArchived } = search;
        return build.extend(
          args,
          {
            search: { description: search.words, type },
            ...(narrowing && { [narrowing.name]: { description: narrowing.words, type: build.graphql.GraphQLID } }),
            ...(canBeArchived && { archived: { description: ARCHIVED_WORDS, type: build.graphql.GraphQLBoolean } }),
          },
          `search of ${scope.fieldName}`,
        );
      },
      GraphQLObjectType_fields_field(field, build, { scope }) {
        const search = scope.isPgFieldConnection ? searchOf(build, scope.pgFieldResource) : null;
        const { plan } = field;
        if (search === null || plan === undefined) return field;
        return {
          ...field,
          plan($parent: Step, fieldArgs: FieldArgs, info) {
            const $connection = plan($parent, fieldArgs, info) as ConnectionStep<Step, Step>;
            const $given = list(search.read.map((name) => fieldArgs.getRaw(name)));
            const $rows: Step = $connection.getSubplan();
            ($rows as PgSelectStep).apply(lambda($given, search.condition, true));
            return $connection;
          },
        };
      },
    },
  },
};

const ARCHIVED_WORDS = "Only archived items (true), or only those in use (false). Without it, both.";

interface Search {
  /** Description of the argument. */
  readonly words: string;
  /** The argument beside it that is the id of another object. Null without one. */
  readonly narrowing: { readonly name: string; readonly words: string | undefined } | null;
  /** Whether it has an argument for archived rows. */
  readonly canBeArchived: boolean;
  /** Arguments of the connection that the condition needs. */
  readonly read: readonly string[];
  /** Makes the condition of the statement from the values of these arguments. */
  readonly condition: (values: readonly unknown[]) => (select: PgSelectQueryBuilder) => void;
}

function searchOf(build: GraphileBuild.Build, resource: PgResource | undefined): Search | null {
  const { codec, extensions, parameters } = resource ?? {};
  const columns = codec?.extensions?.tags?.["searches"];
  if (codec?.attributes && parameters === undefined && typeof columns === "string")
    return searchOfColumns(`list_${extensions?.pg?.name}`, columns.split(", "), "archived_at" in codec.attributes);
  const tag = codec?.extensions?.tags?.["search"];
  if (!codec?.attributes || parameters !== undefined || typeof tag !== "string") return null;
  const [name = "", column = "", ...others] = tag.split(" ");
  const filtered = Object.keys(codec.attributes).filter((each) =>
    build.behavior.pgCodecAttributeMatches([codec as never, each], "attribute:filterBy"),
  );
  if (filtered.sort().join() !== [column, ...others].sort().join())
    throw new Error(`@search ${tag}: it must name the columns that are filtered by`);
  const fieldOf = (attribute: string) =>
    build.inflection.attribute({ attributeName: attribute, codec: codec as never });
  const form: PageForm = {
    instant: fieldOf(column),
    others: others.map((other) => [other, fieldOf(other)]),
  };
  const { parameter, shape, shapes, taken } = searchOfCommand(name);
  const narrowedBy = codec.extensions?.tags?.["narrowedBy"];
  const narrowing = typeof narrowedBy === "string" ? narrowingOf(build, narrowedBy, taken) : null;
  const find = sql.identifier("gateway", `find_${extensions?.pg?.name}`);
  const key = sql.identifier(resource?.uniques.find(({ isPrimary }) => isPrimary)?.attributes[0] ?? "id");
  const input = z.object({
    search: shape,
    ...(narrowing && { [narrowing.name]: shapes[narrowing.parameter] ?? z.never() }),
  });
  return {
    words: wordsOf(parameter),
    narrowing,
    canBeArchived: false,
    read: [...READ, ...(narrowing ? [narrowing.name] : [])],
    condition: (values) => {
      const given = Object.fromEntries(READ.map((each, place) => [each, values[place]])) as Given;
      const id = values[READ.length] ?? null;
      const { search } = parseShape(input, { search: given.search ?? "", ...(narrowing && { [narrowing.name]: id }) });
      if (search === "" && id === null) return () => {};
      const narrowed = narrowing && { [narrowing.parameter]: id };
      return (select) => {
        // A count covers all matches, not only the page.
        const page =
          select.mode === "aggregate" ? { ...filtersOf(given, form), most: MOST_COUNTED + 1 } : pageOf(given, form);
        const found = sql`${find}(${sqlValueWithCodec(search, TYPES.text)}, ${sqlValueWithCodec({ ...page, ...narrowed }, TYPES.jsonb)})`;
        select.where(sql`${select.alias}.${key} = any (array(select ${found}))`);
      };
    },
  };
}

/** The parameter `search` of a command, and what else it takes. */
function searchOfCommand(name: string) {
  if (!(name in commands)) throw new Error(`the search of ${name}: there is no such command`);
  const command = name as keyof typeof commands;
  const taken = commandFacts(command).arguments;
  const shapes = inputOf({ name, command, rest: null }, "json");
  const search = "q" in taken ? "q" : "search";
  const [parameter, shape] = [taken[search], shapes[search]];
  if (parameter === undefined || shape === undefined)
    throw new Error(`the search of ${name}: the command takes no search`);
  return { parameter, shape, shapes, taken };
}

/** A search in columns, as platform.build_readers writes it into the list of a view. */
function searchOfColumns(name: string, columns: readonly string[], canBeArchived: boolean): Search {
  const { parameter, shape } = searchOfCommand(name);
  const input = z.object({ search: shape });
  return {
    words: wordsOf(parameter),
    narrowing: null,
    canBeArchived,
    read: ["search", ...(canBeArchived ? ["archived"] : [])],
    condition: ([given, archived]) => {
      const { search } = parseShape(input, { search: given ?? "" });
      return (select) => {
        if (typeof archived === "boolean")
          select.where(sql`(${select.alias}.archived_at is not null) = ${sqlValueWithCodec(archived, TYPES.boolean)}`);
        if (search === "") return;
        const text = sqlValueWithCodec(search, TYPES.text);
        select.where(
          sql`(${sql.join(
            columns.map((column) => foundIn(column, select.alias, text)),
            " or ",
          )})`,
        );
      };
    },
  };
}

/** Whether a column has a text, or begins with it. */
function foundIn(column: string, row: SQL, text: SQL): SQL {
  if (column.endsWith("^")) return sql`starts_with(${row}.${sql.identifier(column.slice(0, -1))}::text, ${text})`;
  const [of = "", member] = column.split(".");
  const read = sql`${row}.${sql.identifier(of)}`;
  const value = member === undefined ? read : sql`(${read} ->> ${sql.literal(member)})`;
  return sql`strpos(lower(normalize(${value}, nfc)), lower(normalize(${text}, nfc))) > 0`;
}

/** The argument of a parameter that is an id. */
function narrowingOf(build: GraphileBuild.Build, parameter: string, parameters: Readonly<Record<string, Parameter>>) {
  const found = parameters[parameter];
  if (found?.type !== "uuid") throw new Error(`@narrowedBy ${parameter}: the command of @search takes no such id`);
  return { parameter, name: build.inflection.camelCase(parameter), words: wordsOf(found) };
}

/** What a connection is filtered and ordered by. */
interface PageForm {
  /** The field of the instant. */
  readonly instant: string;
  /** Other columns, and their fields. */
  readonly others: readonly (readonly [string, string])[];
}

/** The filters: the period, and the operators of other columns. The connection also applies the filters itself. */
function filtersOf({ filter }: Given, { instant, others }: PageForm): Readonly<Record<string, unknown>> {
  const filters = (filter ?? {}) as Readonly<Record<string, Readonly<Record<string, unknown>> | null>>;
  const operators = filters[instant];
  const { greaterThanOrEqualTo, greaterThan, lessThan, lessThanOrEqualTo, equalTo, in: several } = operators ?? {};
  const at = [equalTo ?? null, several ?? null].filter((one) => one !== null).at(0);
  return {
    from: greaterThanOrEqualTo ?? null,
    later_than: greaterThan ?? null,
    to: lessThan ?? null,
    until: lessThanOrEqualTo ?? null,
    ...(at === undefined ? {} : { at: Array.isArray(at) ? at : [at] }),
    ...Object.fromEntries(others.map(([column, field]) => [column, filters[field] ?? null])),
  };
}

/** The requested page, and one row more, which shows whether a next page exists. */
function pageOf(given: Given, form: PageForm): Readonly<Record<string, unknown>> {
  const { first, last, after, before, orderBy } = given;
  const isAscending = String(orderBy ?? "").endsWith("_ASC");
  const size = [first, last].find((one) => typeof one === "number") ?? PAGE_SIZE.preset;
  const [older, newer] = isAscending ? [before, after] : [after, before];
  return {
    ...filtersOf(given, form),
    older_than: keyOf(older),
    newer_than: keyOf(newer),
    oldest_first: isAscending !== (typeof last === "number"),
    most: Number(size) + 1,
  };
}

/** The key in a cursor: what the list is ordered by, and the id. The connection reads the cursor too, and refuses a wrong one. */
function keyOf(cursor: unknown): readonly unknown[] | null {
  const values = typeof cursor === "string" ? cursorValues(cursor) : null;
  return values?.length === 3 ? values.slice(1) : null;
}
