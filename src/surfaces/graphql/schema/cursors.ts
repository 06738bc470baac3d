import { type AppError, invalidRequest } from "../../../errors/app-error.ts";

/** A value in a cursor, as JSON has it. */
type Scalar = string | number | boolean | null;

/**
 * The values in a cursor of a connection: base64 of a JSON list. Its first value stands for the order of the list, the others are the row's values in this order.
 * @returns null for a text of another form, which no connection has made
 */
export function cursorValues(cursor: string): readonly Scalar[] | null {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, "base64").toString());
    return Array.isArray(values) && values.every(isScalar) ? values : null;
  } catch {
    return null;
  }
}

const isScalar = (value: unknown): value is Scalar => value === null || typeof value !== "object";

/** 422 invalid_request for the argument `after` or `before`. */
export const wrongCursor = (field: string): AppError =>
  invalidRequest([{ field, message: "must be a cursor of a page of this list" }]);
