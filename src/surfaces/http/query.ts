import type { z } from "zod";
import { invalidRequest } from "../../errors/app-error.ts";
import { membersOf } from "../openapi/schema.ts";
import { parseShape } from "./shape.ts";

/**
 * Reads the query of a request. The entries of a list stand in one parameter with commas between them, in repeated parameters, or both.
 * @throws AppError 422 invalid_request, also for another parameter that is given twice
 */
export function readQuery<Shape extends z.ZodObject>(shape: Shape, given: unknown): z.output<Shape> {
  const parameters = Object.entries(given as object);
  const repeated = parameters.flatMap(([name, value]) => (Array.isArray(value) ? [name] : []));
  if (repeated.length === 0) return parseShape(shape, given);
  const single = membersOf(shape).filter(({ schema }) => schema["type"] !== "array");
  const twice = repeated.filter((field) => single.some(({ name }) => name === field));
  if (twice.length > 0) throw invalidRequest(twice.map((field) => ({ field, message: "is given twice" })));
  // A name may be __proto__, which fromEntries makes a member like any other.
  return parseShape(shape, Object.fromEntries(parameters.map(([name, value]) => [name, String(value)])));
}
