import { GraphQLError, GraphQLScalarType, Kind } from "graphql";
import { NOT_A_DAY, NOT_AN_INSTANT } from "../../not-a-time.ts";

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
  parseLiteral: (node) => wholeNumber(node.kind === Kind.INT || node.kind === Kind.STRING ? node.value : undefined),
});

/** RFC 3339 §5.6, up to microseconds, with an offset below 16 hours, the limit of Postgres. */
const INSTANT = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,6})?([Zz]|[+-](0\d|1[0-5]):\d\d)$/;

function instant(value: unknown): string {
  if (typeof value === "string" && INSTANT.test(value) && !Number.isNaN(Date.parse(value))) return value;
  throw new GraphQLError(NOT_AN_INSTANT);
}

/** Refuses texts such as "yesterday", which Postgres would accept. */
const DatetimeScalar = new GraphQLScalarType<string, string>({
  name: "Datetime",
  description: "An RFC 3339 instant. Answers are in UTC, with six digits and `Z`.",
  // Rows of commands already end in `Z`. PostGraphile writes the offset of the session, which gateway.enter sets to UTC.
  serialize: (value) => String(value).replace(/\+00:00$/, "Z"),
  parseValue: instant,
  parseLiteral: (node) => instant(node.kind === Kind.STRING ? node.value : undefined),
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
  parseLiteral: (node) => day(node.kind === Kind.STRING ? node.value : undefined),
});

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
