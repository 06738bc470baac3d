import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from "graphql";
import { NOT_A_DAY, NOT_AN_INSTANT } from "../../not-a-time.ts";

/** Reads a literal. The error of a wrong literal has its node, by which the answer names the argument and the place. */
const literal =
  (read: (value: unknown) => string, ...kinds: readonly Kind[]) =>
  (node: ValueNode): string => {
    try {
      return read(kinds.includes(node.kind) && "value" in node ? node.value : undefined);
    } catch (error) {
      throw error instanceof GraphQLError ? new GraphQLError(error.message, { nodes: node }) : error;
    }
  };

const DIGITS = /^-?\d{1,19}$/;

function wholeNumber(value: unknown): string {
  if (typeof value === "number" && Number.isSafeInteger(value)) return String(value);
  if (typeof value === "string" && DIGITS.test(value)) return value;
  throw new GraphQLError("must be a whole number: an integer up to 2^53-1, or a string of digits");
}

/** It replaces PostGraphile's scalar of the same name, which accepts any text and leaves the refusal to Postgres. */
export const BigIntScalar = new GraphQLScalarType<string, string>({
  name: "BigInt",
  description:
    "A signed eight-byte integer. Answers contain a string of digits, because JSON readers round beyond 2^53. Input may be an integer or a string of digits.",
  serialize: (value) => String(value),
  parseValue: wholeNumber,
  parseLiteral: literal(wholeNumber, Kind.INT, Kind.STRING),
});

/** RFC 3339 §5.6, up to microseconds, with an offset below 16 hours, the limit of Postgres. */
const INSTANT = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,6})?([Zz]|[+-](0\d|1[0-5]):\d\d)$/;

function instant(value: unknown): string {
  if (typeof value === "string" && INSTANT.test(value) && !Number.isNaN(Date.parse(value))) return value;
  throw new GraphQLError(NOT_AN_INSTANT);
}

/** Refuses texts such as "yesterday", which Postgres would accept. */
export const DatetimeScalar = new GraphQLScalarType<string, string>({
  name: "Datetime",
  description: "An RFC 3339 instant. Answers are in UTC, with six digits and `Z`.",
  // Rows of commands already end in `Z`. PostGraphile writes the offset of the session, which gateway.enter sets to UTC.
  serialize: (value) => String(value).replace(/\+00:00$/, "Z"),
  parseValue: instant,
  parseLiteral: literal(instant, Kind.STRING),
});

function day(value: unknown): string {
  const written = typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value) && value >= "0001" ? value : "";
  // Date.parse reads 30 February as 2 March.
  const time = Date.parse(written);
  if (!Number.isNaN(time) && new Date(time).toISOString().startsWith(written)) return written;
  throw new GraphQLError(NOT_A_DAY);
}

const DateScalar = new GraphQLScalarType<string, string>({
  name: "Date",
  description: "A calendar day, YYYY-MM-DD.",
  serialize: (value) => String(value),
  parseValue: day,
  parseLiteral: literal(day, Kind.STRING),
});

/** A placeholder: PostGraphile's scalar of the same name replaces it. */
export const JsonScalar = new GraphQLScalarType({ name: "JSON" });

const SCALARS = [BigIntScalar, DatetimeScalar, DateScalar];

/** Makes PostGraphile's scalars of these names read and write like ours. */
export const ScalarsPlugin: GraphileConfig.Plugin = {
  name: "ScalarsPlugin",
  schema: {
    hooks: {
      GraphQLScalarType(scalar) {
        const ours = SCALARS.find(({ name }) => name === scalar.name);
        if (ours === undefined) return scalar;
        const { description, serialize, parseValue, parseLiteral } = ours.toConfig();
        return { ...scalar, description, serialize, parseValue, parseLiteral };
      },
    },
  },
};
