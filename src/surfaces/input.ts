import { z } from "zod";
import { commandFacts, commandName } from "../postgres/any-command.ts";
import type { Parameter } from "../postgres/command.ts";
import { NOT_A_DAY, NOT_AN_INSTANT } from "./not-a-time.ts";
import type { Operation } from "./operation.ts";
import { textOrEmpty, wireText } from "./wire-text.ts";
import { SHA256_PATTERN, wrongDigest } from "./wrong-digest.ts";

/** How a member of the input is written: as JSON, or as text in a path or a query. */
export type Notation = "json" | "text";

/** The members that callers give an operation, by name, in the order of the command's parameters. */
export function inputOf(operation: Operation, notation: Notation): Record<string, z.ZodType> {
  const { command, input, made = [] } = operation;
  const { arguments: taken, items } = commandFacts(command);
  const own = { ...input?.shape };
  const shape: Record<string, z.ZodType> = {};
  for (const [name, parameter] of Object.entries(items ?? taken)) {
    if (made.includes(name)) continue;
    shape[name] = own[name] ?? memberOf(`${name} of ${commandName(command)}`, parameter, notation);
    delete own[name];
  }
  return { ...shape, ...own };
}

/** @throws Error for a parameter whose limits are missing in the comment of its function */
function memberOf(name: string, parameter: Parameter, notation: Notation): z.ZodType {
  const { optional, nullable, default: preset, description } = parameter;
  const value = shapeOf(name, parameter, notation);
  const described = description === undefined ? value : value.meta({ ...value.meta(), description });
  if (preset !== undefined) return described.default(preset as never).meta({ description });
  if (!optional) return described;
  if (notation === "text" || nullable === false) return value.optional().meta({ description });
  return value.nullish().meta({ description });
}

/**
 * The shape of a value of a parameter's type, within the parameter's limits.
 * @throws Error for a parameter whose limits are missing in the comment of its function
 */
export function shapeOf(name: string, parameter: Parameter, notation: Notation): z.ZodType {
  const { type, enum: names, minItems = 0, maxItems, items, minimum, maximum } = parameter;
  switch (type) {
    case "uuid":
      return z.uuid("must be a UUID");
    case "timestamp with time zone":
      return instant;
    case "date":
      return day;
    case "boolean":
      return notation === "json" ? z.boolean() : z.stringbool({ truthy: ["true"], falsy: ["false"] });
    case "text":
      return names === undefined ? textOf(name, parameter) : z.enum(names, `must be one of ${names.join(", ")}`);
    case "text[]":
      if (maxItems === undefined || items === undefined) break;
      if (items.enum !== undefined) return namesOf(parameter, notation);
      if (items.maxLength === undefined) break;
      return z
        .array(wireText(items.maxLength))
        .min(minItems, `must have ${minItems} to ${maxItems} entries`)
        .max(maxItems, `must have ${minItems} to ${maxItems} entries`);
    case "uuid[]":
      if (maxItems === undefined) break;
      return z
        .array(z.uuid("must be a UUID"))
        .min(minItems, `must have ${minItems} to ${maxItems} entries`)
        .max(maxItems, `must have ${minItems} to ${maxItems} entries`);
    case "smallint":
    case "integer":
    case "bigint":
      if (minimum === undefined || maximum === undefined) break;
      return notation === "json" ? between(minimum, maximum) : wholeNumber(minimum, maximum);
    case "double precision":
      if (minimum === undefined || maximum === undefined) break;
      return notation === "json" ? fractionBetween(minimum, maximum) : decimalNumber(minimum, maximum);
  }
  throw new Error(`state the limits of ${name} in the comment of its function, or its shape in the operation's input`);
}

function textOf(name: string, { minLength, maxLength, format, pattern, message, elseEmpty }: Parameter): z.ZodType {
  if (elseEmpty !== undefined) return textOrEmpty(elseEmpty);
  if (maxLength === undefined && pattern === undefined)
    throw new Error(`state the limits of ${name} in the comment of its function: "@param name {..200} Words"`);
  if (pattern === SHA256_PATTERN)
    return z
      .string()
      .regex(new RegExp(pattern), { error: ({ input }) => `${message}${wrongDigest(input)}` })
      .meta({ maxLength });
  let text: z.ZodString = maxLength === undefined ? z.string() : wireText(maxLength);
  if (minLength !== undefined)
    text = text.min(1, "must not be empty").min(minLength, `must have at least ${minLength} characters`);
  if (pattern !== undefined) text = text.regex(new RegExp(pattern), message);
  return text.meta({ ...(maxLength === undefined ? {} : { maxLength }), ...(format === undefined ? {} : { format }) });
}

/** Several of these names; in a path, a query or a form they are separated by commas. */
function namesOf({ items, minItems = 0, maxItems = 0 }: Parameter, notation: Notation): z.ZodType {
  const names = items?.enum ?? [];
  const unknown = (given: readonly string[]) => given.filter((name) => !names.includes(name));
  const list = z
    .array(z.string())
    .min(minItems, `must have ${minItems} to ${maxItems} entries`)
    .max(maxItems, `must have ${minItems} to ${maxItems} entries`)
    .refine((given) => unknown(given).length === 0, {
      error: ({ input }) =>
        items?.namesOf !== undefined
          ? `must be one of ${names.join(", ")}, or several of them`
          : `must have only names of members of the answer, not ${unknown(input as string[])
              .map((name) => `"${name}"`)
              .join(", ")}`,
    });
  if (notation === "json") return list.meta({ items: { type: "string", enum: names } });
  return (
    z
      .string()
      .transform((text) => text.split(","))
      .pipe(list)
      // For the API description, which cannot read a transformation.
      .meta({ type: "array", items: { type: "string", enum: names }, minItems, maxItems })
  );
}

function between(least: number, most: number) {
  const message = `must be between ${least} and ${most}`;
  // zod reports a number that a double cannot hold exactly as "not an integer".
  const isTooLarge = (input: unknown) => typeof input === "number" && Math.abs(input) > Number.MAX_SAFE_INTEGER;
  return z
    .int({ error: ({ input }) => (isTooLarge(input) ? message : "must be a whole number") })
    .min(least, message)
    .max(most, message);
}

function fractionBetween(least: number, most: number) {
  const message = `must be between ${least} and ${most}`;
  return z.number("must be a number").min(least, message).max(most, message);
}

const decimalNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^-?\d+(\.\d+)?$/, "must be a number")
    .transform(Number)
    .pipe(fractionBetween(least, most));

const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^-?\d+$/, "must be a whole number")
    .transform(Number)
    .pipe(between(least, most));

const instant = z.iso
  .datetime({
    offset: true,
    // A form, and so a query, reads + as a space.
    error: ({ input }) =>
      /T[\d:.]+ \d\d(:?\d\d)?$/.test(String(input))
        ? `${NOT_AN_INSTANT}; in an address, write + as %2B`
        : NOT_AN_INSTANT,
  })
  .refine((text) => !text.startsWith("0000"), "must be a time after the year 0")
  // Postgres has no larger offsets.
  .refine((text) => !/[+-](1[6-9]|2\d):?\d\d$/.test(text), "must have an offset below 16 hours");

const day = z.iso.date(NOT_A_DAY).refine((text) => text >= "0001", "must be a date of our era");
