import type { z } from "zod";
import { AppError, invalidRequest } from "../../errors/app-error.ts";
import { membersOf } from "../openapi/schema.ts";
import { parseShape } from "./shape.ts";

/**
 * Reads the query of a request. The entries of a list stand in one parameter with commas between them, in repeated parameters, or both.
 * @throws AppError 422 invalid_request, also for another parameter that is given twice
 */
export function readQuery<Shape extends z.ZodObject>(shape: Shape, given: unknown): z.output<Shape> {
  const parameters = Object.entries(given as object);
  if (!parameters.some(([, value]) => Array.isArray(value))) return parseShape(shape, given);
  const lists = new Set(membersOf(shape).flatMap(({ name, schema }) => (schema["type"] === "array" ? [name] : [])));
  const joined = parameters.map(([name, value]) => [name, lists.has(name) ? String(value) : value] as const);
  try {
    // A name may be __proto__, which fromEntries makes a member like any other.
    return parseShape(shape, Object.fromEntries(joined));
  } catch (error) {
    if (!(error instanceof AppError) || error.fields === undefined) throw error;
    const twice = new Set(
      joined.flatMap(([name, value]) => (Array.isArray(value) && Object.hasOwn(shape.shape, name) ? [name] : [])),
    );
    throw invalidRequest(
      error.fields.map(({ field, message }) => ({ field, message: twice.has(field) ? "is given twice" : message })),
    );
  }
}
