/** One wrong member of a request. */
export interface FieldError {
  /** Name of the member, as the caller wrote it. */
  readonly field: string;
  readonly message: string;
}

/** An answer names at most so many wrong members: a megabyte may hold half a million of them. */
export const MOST_FIELD_ERRORS = 100;

/** An error of the documented kind: all that a caller is told. What every code means stands in platform.error_codes. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly status: number;
  readonly code: string;
  readonly fields: readonly FieldError[] | undefined;
  /** When it is worth asking again; null where time changes nothing. */
  readonly retryAfterSeconds: number | null;

  constructor(
    status: number,
    code: string,
    message: string,
    fields?: readonly FieldError[],
    options: ErrorOptions & { readonly retryAfterSeconds?: number } = {},
  ) {
    super(message, options);
    this.status = status;
    this.code = code;
    this.fields = fields;
    this.retryAfterSeconds = options.retryAfterSeconds ?? (status === 503 ? 5 : null);
  }
}

/** 422 invalid_request with the members that are wrong. */
export function invalidRequest(fields: readonly FieldError[]): AppError {
  return new AppError(422, "invalid_request", "The request is not valid; fields says why.", fields);
}

/** 400 malformed_request: what was sent cannot be read. */
export function malformedRequest(message: string): AppError {
  return new AppError(400, "malformed_request", message);
}

/** 401 unauthenticated. */
export function unauthenticated(): AppError {
  return new AppError(401, "unauthenticated", "The bearer token is missing, unknown, revoked or expired.");
}

/** 503 unavailable: worth trying again soon. */
export function unavailable(cause: unknown): AppError {
  return new AppError(503, "unavailable", "The service cannot answer now; try again soon.", undefined, { cause });
}
