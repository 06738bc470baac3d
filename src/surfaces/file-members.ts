import type { z } from "zod";
import { AppError, invalidRequest } from "../errors/app-error.ts";
import type { ReceivedFile } from "./operation.ts";

/** Members of an input that a file provides, see `FileInput.kept`. */
export const OF_FILE: ReadonlySet<string> = new Set(["sha256", "file_name", "file_size"]);

/** The equivalent request without its file: the members that the file provides, and those given beside it. */
export function withMembersOf(
  file: ReceivedFile,
  given: Readonly<Record<string, unknown>>,
  shape: Readonly<Record<string, z.ZodType>>,
): Record<string, unknown> {
  const ofFile: Readonly<Record<string, unknown>> = {
    sha256: file.sha256.toString("hex"),
    file_name: file.fileName,
    file_size: file.bytes,
  };
  return Object.fromEntries(
    Object.entries(shape).flatMap(([name, member]): [string, unknown][] => {
      const value = OF_FILE.has(name) ? ofFile[name] : given[name];
      if (value !== undefined && value !== null) return [[name, value]];
      // An absent member is null: for an Idempotency-Key the same form must be the same request as in earlier releases.
      return member.safeParse(null).success ? [[name, null]] : [];
    }),
  );
}

/** A form has no member file_name, so its faults are reported as faults of the file. */
export function namingTheFile<Result>(parse: () => Result): Result {
  try {
    return parse();
  } catch (error) {
    throw ofTheFile(error);
  }
}

/** An error whose faults of file_name are faults of the file; any other error is as it was. */
export function ofTheFile(error: unknown): unknown {
  if (!(error instanceof AppError) || error.fields === undefined) return error;
  return invalidRequest(
    error.fields.map(({ field, message }) =>
      field === "file_name" ? { field: "file", message: `its name ${message}` } : { field, message },
    ),
  );
}
