import { type FieldArgs, type GrafastInputFieldConfig, lambda, type Step } from "grafast";
import type {} from "graphile-build-pg";
import type { GraphQLFieldConfigArgumentMap, GraphQLOutputType } from "graphql";
import {
  type PgCodec,
  type PgCodecWithAttributes,
  type PgCondition,
  type PgResource,
  TYPES,
} from "postgraphile/@dataplan/pg";
import { invalidRequest } from "../../../errors/app-error.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Most digits of an id that is a number. */
const MOST_DIGITS = 18;

/** Whether a member with this name is an id: of the object itself, or of another object. */
export const namesId = (member: string): boolean => /(^|[._])id$|[a-z0-9]Id$/.test(member);

/** Refuses an id. @param field the argument or the filter that has it */
export function wrongId(message: string, field = "id"): never {
  throw invalidRequest([{ field, message }]);
}

export const isUuid = (value: unknown): boolean => UUID.test(String(value));

function uuid(value: unknown, field?: string): string {
  return isUuid(value) ? String(value) : wrongId("must be a UUID", field);
}

/** A Postgres UUID. GraphQL accepts any text as `ID`, so a wrong UUID is refused here with our message. */
const uuidCodec: PgCodec = { ...TYPES.uuid, name: "id", toPg: (value) => uuid(value) };

/** The largest id that is an integer of Postgres. */
const MOST_INTEGER = 2 ** 31 - 1;

/** Ids that are numbers, of which GraphQL also accepts any text. */
const integerCodec: PgCodec = { ...TYPES.int, name: "integer_id", toPg: (value) => integer(value) };
const bigintCodec: PgCodec = { ...TYPES.bigint, name: "bigint_id", toPg: (value) => String(wholeNumber(value)) };

/** Codecs of ids, each with what refuses a wrong id. */
const READERS = new Map<PgCodec, (id: unknown, field?: string) => unknown>([
  [uuidCodec, uuid],
  [integerCodec, integer],
  [bigintCodec, wholeNumber],
]);

/**
 * Ids have the type `ID`: columns of type uuid, and columns named `id` or `…_id`.
 *
 * Each object with a key has a field `id`, because clients keep objects by `__typename` and `id`. A query finds the object by this `id`. If the key of a view is
 * another column, `id` has the value of that column. A view may show its key in another form, in a column `id` beside it. The tag `@keyPrefix evt_` of this column
 * says that `id` is this prefix and the digits of the key. The key itself is no field.
 */
export const IdsPlugin: GraphileConfig.Plugin = {
  name: "IdsPlugin",
  before: ["PgCodecsPlugin"],
  gather: {
    hooks: {
      async pgCodecs_findPgCodec(_info, event) {
        if (event.pgType.getNamespace()?.nspname === "pg_catalog" && event.pgType.typname === "uuid")
          event.pgCodec ??= uuidCodec;
      },
      async pgCodecs_attribute(_info, { pgAttribute, attribute }) {
        if (!/(^|_)id$/.test(pgAttribute.attname)) return;
        if (attribute.codec === TYPES.int) attribute.codec = integerCodec;
        else if (attribute.codec === TYPES.bigint) attribute.codec = bigintCodec;
      },
    },
  },
  schema: {
    entityBehavior: {
      pgCodecAttribute: {
        inferred: {
          provides: ["postInferred"],
          after: ["inferred"],
          callback: (behavior, [codec, column], build) =>
            column === shownKeyOf(build, codec)?.key ? [behavior, "-attribute:select"] : behavior,
        },
      },
    },
    hooks: {
      init: {
        before: ["PgCodecs"],
        callback(_, build) {
          for (const codec of [...READERS.keys(), TYPES.uuid])
            build.setGraphQLTypeForPgCodec(codec, ["input", "output"], "ID");
          return _;
        },
      },
      GraphQLObjectType_fields(fields, build, { scope, Self, fieldWithHooks }) {
        const { isPgClassType, pgCodec: codec } = scope;
        if (!isPgClassType || codec === undefined || !hasColumns(codec) || "id" in codec.attributes) return fields;
        const key = keyOf(build, codec);
        if (key === null) return fields;
        const { GraphQLID, GraphQLNonNull } = build.graphql;
        const id = fieldWithHooks({ fieldName: "id" }, () => ({
          description: `The key of this object, the same as \`${build.inflection.attribute({ attributeName: key, codec })}\`.`,
          type: new GraphQLNonNull(GraphQLID),
          plan: ($row: Step & { get(column: string): Step }) => $row.get(key),
        }));
        return build.extend(fields, { id }, `id of ${Self.name}`);
      },
      GraphQLObjectType_fields_field(field, build, { scope }) {
        const { pgFieldAttribute: column, fieldName, pgFieldResource: resource } = scope;
        const { GraphQLID, GraphQLNonNull, GraphQLString, getNullableType, isNonNullType } = build.graphql;
        if (
          column !== undefined &&
          namesId(fieldName) &&
          getNullableType(field.type as GraphQLOutputType) === GraphQLString
        )
          return { ...field, type: isNonNullType(field.type) ? new GraphQLNonNull(GraphQLID) : GraphQLID };
        if (!scope.isPgRowByUniqueConstraintField || resource === undefined) return field;
        const [key] = scope.pgFieldResourceUnique?.attributes ?? [];
        if (key === undefined) return field;
        return { ...field, plan: rowPlan(build, resource, key) };
      },
      // A filter by a wrong id is refused by the name of its column.
      GraphQLInputObjectType_fields_field(field, _build, { scope }) {
        const { apply } = field as GrafastInputFieldConfig;
        if (!scope.isPgConnectionFilterOperator || apply === undefined) return field;
        const checked: NonNullable<GrafastInputFieldConfig["apply"]> = ($where, value, info) => {
          const { fieldName, attribute } = ($where as PgCondition).extensions.pgFilterAttribute ?? {};
          const read = attribute && READERS.get(attribute.codec);
          if (read) for (const id of [value].flat()) if (id !== null && id !== undefined) read(id, fieldName);
          return apply($where, value, info);
        };
        return { ...field, apply: checked } as typeof field;
      },
      GraphQLObjectType_fields_field_args(args, build, { scope }) {
        const { isPgRowByUniqueConstraintField, pgFieldResource: resource, pgFieldResourceUnique: unique } = scope;
        const [key] = unique?.attributes ?? [];
        if (!isPgRowByUniqueConstraintField || resource === undefined || key === undefined || key === "id") return args;
        const codec = resource.codec as PgCodecWithAttributes;
        const { GraphQLID, GraphQLNonNull } = build.graphql;
        const description = codec.attributes[shownKeyOf(build, codec) === null ? key : "id"]?.description;
        const id = { type: new GraphQLNonNull(GraphQLID), ...(description === undefined ? {} : { description }) };
        return { id } satisfies GraphQLFieldConfigArgumentMap as typeof args;
      },
    },
  },
};

/** Finds a row by its key, which is the argument `id`. */
function rowPlan(build: GraphileBuild.Build, resource: PgResource, key: string) {
  const read = keyReader(build, resource.codec as PgCodecWithAttributes, key);
  return (_$root: Step, fieldArgs: FieldArgs) => resource.get({ [key]: lambda(fieldArgs.getRaw("id"), read) });
}

/** What reads the key of a view from an id, and refuses a wrong id. */
export function keyReader(
  build: GraphileBuild.Build,
  codec: PgCodecWithAttributes,
  key: string,
): (id: unknown) => unknown {
  const shown = shownKeyOf(build, codec);
  if (shown !== null) return shown.read;
  const keyCodec = codec.attributes[key]?.codec;
  const reader = keyCodec === TYPES.bigint ? wholeNumber : keyCodec && READERS.get(keyCodec);
  return reader ? (id) => reader(id) : (id) => id;
}

function wholeNumber(id: unknown, field?: string): unknown {
  if (!/^\d+$/.test(String(id))) wrongId("must be a whole number", field);
  return String(id).length > MOST_DIGITS ? wrongId("is too large", field) : id;
}

function integer(id: unknown, field?: string): number {
  const number = Number(wholeNumber(id, field));
  return number > MOST_INTEGER ? wrongId("is too large", field) : number;
}

/** A key that a view shows in another form, as its column `id`. */
interface ShownKey {
  /** The column that is the key. */
  readonly key: string;
  /** Reads the key from an id. @throws AppError 422 invalid_request for a text that is no such id */
  readonly read: (id: unknown) => string;
}

export function shownKeyOf(build: Pick<GraphileBuild.Build, "pgTableResource">, codec: PgCodec): ShownKey | null {
  if (!hasColumns(codec)) return null;
  const prefix = codec.attributes["id"]?.extensions?.tags?.["keyPrefix"];
  const key = keyOf(build, codec);
  if (typeof prefix !== "string" || key === null || key === "id") return null;
  const form = new RegExp(`^${prefix}[0-9a-f]{32}$`);
  return {
    key,
    read: (id) => {
      const text = String(id);
      if (!form.test(text)) wrongId(`must be ${prefix} and 32 hexadecimal digits`);
      return text.slice(prefix.length).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
    },
  };
}

/** The column that is the key of a view. Null for a view without a key, and for a key of several columns. */
export function keyOf(
  build: Pick<GraphileBuild.Build, "pgTableResource">,
  codec: PgCodecWithAttributes,
): string | null {
  const key = build.pgTableResource(codec)?.uniques.find(({ isPrimary }) => isPrimary)?.attributes ?? [];
  return key.length === 1 ? (key[0] ?? null) : null;
}

export function hasColumns(codec: PgCodec): codec is PgCodecWithAttributes {
  return codec.attributes !== undefined && codec.attributes !== null;
}
