import pg from "pg";
import { z } from "zod";
import { AppError, invalidRequest, unavailable } from "../errors/app-error.ts";

const failureDetail = z.object({
  code: z.string(),
  fields: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
});

/** The parts of a Postgres error that decide how it is handled. */
export interface DatabaseFailure {
  readonly code: string;
  readonly message: string;
  readonly detail: string | null;
}

/** SQLSTATEs of a statement whose function or view the repeatable step replaced; XX000 is "cache lookup failed". */
const REPLACED = new Set(["42883", "42P01", "0A000", "XX000", "3F000"]);
/** SQLSTATEs of a deadlock and of a serialization failure. */
const CONFLICTS = new Set(["40P01", "40001"]);

/** Classes of SQLSTATE for a server that cannot work now: connection, resources, operator intervention, system. */
const UNAVAILABLE_CLASSES = new Set(["08", "53", "57", "58"]);
/** Single codes of the same kind: the database is missing, closed to connections, or read-only (a replica); a lock was not available. */
const UNAVAILABLE_CODES = new Set(["3D000", "55000", "25006", "55P03"]);

/** Codes for a value that cannot be read as its type: not a text, number or time that Postgres can hold. */
const BAD_VALUE_CODES = new Set(["22P02", "22003", "22007", "22008", "22021", "22P05"]);

/** Whether the database changed under a statement; prepared statements may be out of date, too. */
export function isReplaced(error: unknown): boolean {
  return error instanceof pg.DatabaseError && REPLACED.has(error.code ?? "");
}

/** SQLSTATEs of our own errors: PT<status>. */
const REFUSAL = /^PT[45]\d\d$/;

/** Whether our own functions refused a call. Its transaction is over, and its connection as good as after an answer. */
export function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === "ERROR" && REFUSAL.test(error.code ?? "");
}

/** Whether nothing was written and a second attempt may succeed. */
export function isTransient(error: unknown): boolean {
  return isReplaced(error) || (error instanceof pg.DatabaseError && CONFLICTS.has(error.code ?? ""));
}

/** Whether Postgres does not know the named statement: a pooler gave the transaction to another connection than the one that prepared it. */
export function isUnknownStatement(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === "26000";
}

/** Whether a statement ran into its time-out; also true for the error that {@link decodeDatabaseError} makes of it. */
export function isTimeout(error: unknown): boolean {
  const cause = error instanceof AppError ? error.cause : error;
  return cause instanceof pg.DatabaseError && cause.code === "57014";
}

/**
 * The error that a caller sees for a failed statement. Our own errors (SQLSTATE PT<status>, detail {code, fields}) are decoded,
 * an unreachable server is 503, and every other error is returned unchanged; the edge answers it with 500 and a request id.
 */
export function decodeDatabaseError(error: unknown): unknown {
  if (error instanceof pg.DatabaseError) {
    const failure = { code: error.code ?? "", message: error.message, detail: error.detail ?? null };
    return decodeFailure(failure, error);
  }
  // Any other error of pg (a refused or broken connection, a pool's time-out) means that no answer came. A TypeError is our own fault.
  if (error instanceof Error && !(error instanceof AppError) && !(error instanceof TypeError))
    return unavailable(error);
  return error;
}

/** Decodes an error that arrives as a row of gateway.call_many. */
export function decodeFailure(failure: DatabaseFailure, cause: unknown = failure): unknown {
  if (REFUSAL.test(failure.code)) {
    const detail = failureDetail.parse(JSON.parse(failure.detail ?? "{}"));
    return new AppError(Number(failure.code.slice(2)), detail.code, failure.message, detail.fields);
  }
  if (UNAVAILABLE_CLASSES.has(failure.code.slice(0, 2)) || UNAVAILABLE_CODES.has(failure.code))
    return unavailable(cause);
  // The caller's fault, which no schema caught. The answer does not repeat Postgres' words.
  if (BAD_VALUE_CODES.has(failure.code))
    return invalidRequest([{ field: "", message: "has a value that is not valid" }]);
  return cause instanceof Error ? cause : new Error(`database error ${failure.code}`, { cause });
}
