import pg from "pg";
import { z } from "zod";
import { AppError, invalidRequest, unavailable } from "../app-error.ts";

const failureDetail = z.object({
  code: z.string(),
  fields: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
});

/** The pieces of a Postgres error that decide what becomes of it. */
export interface DatabaseFailure {
  readonly code: string;
  readonly message: string;
  readonly detail: string | null;
}

/** SQLSTATEs of a statement under which the repeatable step replaced a function or view; XX000 is "cache lookup failed". */
const REPLACED = new Set(["42883", "42P01", "0A000", "XX000", "3F000"]);
/** Of a deadlock, and of a serialization failure. */
const CONFLICTS = new Set(["40P01", "40001"]);

/** Classes of SQLSTATE that say the server cannot work now: connection, resources, operator intervention, system. */
const UNAVAILABLE_CLASSES = new Set(["08", "53", "57", "58"]);
/** The same of single codes: the database is missing, closed to connections, or read-only (a replica); a lock was not to be had. */
const UNAVAILABLE_CODES = new Set(["3D000", "55000", "25006", "55P03"]);

/** A value of a request that cannot be read as its type: not text, a number or a time Postgres can hold. */
const BAD_VALUE_CODES = new Set(["22P02", "22003", "22007", "22008", "22021", "22P05"]);

/** Whether the database changed under a statement: what is prepared may be, too. */
export function isReplaced(error: unknown): boolean {
  return error instanceof pg.DatabaseError && REPLACED.has(error.code ?? "");
}

/** Whether nothing was written and the same statement may work. */
export function isTransient(error: unknown): boolean {
  return isReplaced(error) || (error instanceof pg.DatabaseError && CONFLICTS.has(error.code ?? ""));
}

/** Whether Postgres has no statement of the name that was said: a pooler gave the transaction to another connection than the one that prepared it. */
export function isUnknownStatement(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === "26000";
}

/** Whether a statement ran past its time; also of what {@link decodeDatabaseError} made of that. */
export function isTimeout(error: unknown): boolean {
  const cause = error instanceof AppError ? error.cause : error;
  return cause instanceof pg.DatabaseError && cause.code === "57014";
}

/**
 * What a caller is told about a failed statement: our own errors (SQLSTATE PT<status>, detail {code, fields}) as they
 * are, a server that cannot be reached as 503, everything else as it came, which the edge answers with 500 and a request id.
 */
export function decodeDatabaseError(error: unknown): unknown {
  if (error instanceof pg.DatabaseError) {
    const failure = { code: error.code ?? "", message: error.message, detail: error.detail ?? null };
    return decodeFailure(failure, error);
  }
  // Anything else that pg throws (a refused or broken connection, a pool's time-out) means that no answer came. A type error is a fault of ours.
  if (error instanceof Error && !(error instanceof AppError) && !(error instanceof TypeError))
    return unavailable(error);
  return error;
}

/** The same for an error that arrives as a row of gateway.call_many. */
export function decodeFailure(failure: DatabaseFailure, cause: unknown = failure): unknown {
  if (/^PT[45]\d\d$/.test(failure.code)) {
    const detail = failureDetail.parse(JSON.parse(failure.detail ?? "{}"));
    return new AppError(Number(failure.code.slice(2)), detail.code, failure.message, detail.fields);
  }
  if (UNAVAILABLE_CLASSES.has(failure.code.slice(0, 2)) || UNAVAILABLE_CODES.has(failure.code))
    return unavailable(cause);
  // What no schema caught before: the caller's, but never in Postgres' words.
  if (BAD_VALUE_CODES.has(failure.code)) return invalidRequest([{ field: "", message: "a value is not valid" }]);
  return cause instanceof Error ? cause : new Error(`database error ${failure.code}`, { cause });
}
