import type { z } from "zod";
import { AppError, invalidRequest } from "../app-error.ts";
import type { ReceivedFile } from "./operation.ts";

/** Members of an input that a file has, see `FileInput.kept`. */
export const OF_FILE: ReadonlySet<string> = new Set(["sha256", "file_name", "file_size"]);

/** What the same request is without its file: members that the file has, and those given beside it. */
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
      // What is absent is null: to an Idempotency-Key the same form is the same request as in earlier releases.
      return member.safeParse(null).success ? [[name, null]] : [];
    }),
  );
}

/** A form has no member file_name: what is wrong with it is wrong with the file. */
export function namingTheFile<Result>(parse: () => Result): Result {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof AppError) || error.fields === undefined) throw error;
    throw invalidRequest(
      error.fields.map(({ field, message }) =>
        field === "file_name" ? { field: "file", message: `its name ${message}` } : { field, message },
      ),
    );
  }
}
