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

/**
 * SQLSTATEs after which nothing was written and the same statement may work: the repeatable step just replaced a
 * function or view under it (42883, 42P01, 0A000, XX000 "cache lookup failed", 3F000), or a deadlock or serialization failure.
 */
const TRANSIENT = new Set(["42883", "42P01", "0A000", "XX000", "3F000", "40P01", "40001"]);

/** Classes of SQLSTATE that say the server cannot work now: connection, resources, operator intervention, system. */
const UNAVAILABLE_CLASSES = new Set(["08", "53", "57", "58"]);
/** The same of single codes: the database is missing, closed to connections, or read-only (a replica); a lock was not to be had. */
const UNAVAILABLE_CODES = new Set(["3D000", "55000", "25006", "55P03"]);

/** A value of a request that cannot be read as its type: not text, a number or a time Postgres can hold. */
const BAD_VALUE_CODES = new Set(["22P02", "22003", "22007", "22008", "22021", "22P05"]);

export function isTransient(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code !== undefined && TRANSIENT.has(error.code);
}

/** Whether a statement that was prepared by name is not there: a pooler gave the transaction to another connection. */
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
  // Whatever else pg throws (a refused or broken connection, a pool's time-out) means that no answer came.
  if (error instanceof Error && !(error instanceof AppError)) return unavailable(error);
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
