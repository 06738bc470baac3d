import type { z } from "zod";

/** The error for a value of a wrong type, by zod's name of the expected type. */
const TYPES: Readonly<Record<string, string>> = {
  array: "must be a list",
  boolean: "must be true or false",
  int: "must be a whole number",
  number: "must be a number",
  object: "must be an object",
  record: "must be an object",
  string: "must be text",
  stringbool: "must be true or false",
};

/** The error for a wrong size, by zod's name of the kind of value. */
const SIZES: Readonly<Record<string, readonly [verb: string, noun: string]>> = {
  array: ["have", "entries"],
  string: ["have", "characters"],
};

/** The error for a wrong value whose schema has no words of its own. Callers never see zod's texts. */
export const shapeWords: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case "invalid_type":
      return TYPES[issue.expected] ?? NOT_VALID;
    case "invalid_value":
      // An issue of zod.stringbool has an expected type, which its TypeScript type does not declare.
      if ("expected" in issue) return TYPES[String(issue["expected"])] ?? NOT_VALID;
      return `must be ${issue.values.length === 1 ? "" : "one of "}${issue.values.map(String).join(", ")}`;
    case "too_small":
      if (issue.origin === "string" && Number(issue.minimum) === 1) return "must not be empty";
      return bounded(issue.origin, "at least", issue.minimum);
    case "too_big":
      return bounded(issue.origin, "at most", issue.maximum);
    default:
      return NOT_VALID;
  }
};

const NOT_VALID = "is not valid";

function bounded(origin: string, bound: string, limit: number | bigint): string {
  const [verb, noun] = SIZES[origin] ?? ["be", null];
  return ["must", verb, bound, String(limit), ...(noun === null ? [] : [noun])].join(" ");
}

/** The error for a member that is missing or null; null for any other value, because its schema has the words. */
export function wordsOfAbsence({ code, input }: z.core.$ZodIssue): string | null {
  if (code === "custom" || code === "unrecognized_keys") return null;
  if (input === undefined) return "is required";
  return input === null ? "must not be null" : null;
}
