import { GraphQLError, GraphQLScalarType, Kind } from "graphql";

const DIGITS = /^-?\d{1,19}$/;

function wholeNumber(value: unknown): string {
  if (typeof value === "number" && Number.isSafeInteger(value)) return String(value);
  if (typeof value === "string" && DIGITS.test(value)) return value;
  throw new GraphQLError("must be a whole number: an integer up to 2^53-1, or a string of digits");
}

/** Its name is PostGraphile's, whose definition it replaces: that one takes any text and leaves the refusal to Postgres. */
export const BigIntScalar = new GraphQLScalarType<string, string>({
  name: "BigInt",
  description:
    "A signed eight-byte integer. Answered as a string of digits, because JSON readers round beyond 2^53; as input, an integer or a string of digits.",
  serialize: (value) => String(value),
  parseValue: wholeNumber,
  parseLiteral: (node) => wholeNumber(node.kind === Kind.INT || node.kind === Kind.STRING ? node.value : undefined),
});

/** PostGraphile's BigInt reads and writes like ours. */
export const ScalarsPlugin: GraphileConfig.Plugin = {
  name: "ScalarsPlugin",
  schema: {
    hooks: {
      GraphQLScalarType(scalar) {
        if (scalar.name !== BigIntScalar.name) return scalar;
        const { description, serialize, parseValue, parseLiteral } = BigIntScalar.toConfig();
        return { ...scalar, description, serialize, parseValue, parseLiteral };
      },
    },
  },
};
