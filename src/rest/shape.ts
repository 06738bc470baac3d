import type { z } from "zod";
import { invalidRequest } from "../app-error.ts";

/**
 * What a schema makes of a value.
 * @throws AppError 422 invalid_request naming every member that is missing, unknown, of the wrong type or over a limit
 */
export function parseShape<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalidRequest(
    parsed.error.issues.flatMap((issue) =>
      issue.code === "unrecognized_keys"
        ? issue.keys.map((key) => ({
            field: [...issue.path, key].join("."),
            message: "is not a member of this request",
          }))
        : [{ field: issue.path.join("."), message: issue.message }],
    ),
  );
}
