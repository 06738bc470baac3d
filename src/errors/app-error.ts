/** One wrong member of a request. */
export interface FieldError {
  /** Name of the member as the caller wrote it. */
  readonly field: string;
  readonly message: string;
}

/** An answer names at most this many wrong members, because a megabyte of JSON may hold half a million. */
export const MOST_FIELD_ERRORS = 100;

/** Members of `detail` of some codes, so that no program has to read a message. */
export const ERROR_FACTS = {
  tries_left: { codes: ["wrong_answer", "wrong_code"], type: "integer", description: "How many tries are left." },
  reason: {
    codes: ["unprocessable_pdf"],
    type: "string",
    description:
      "Why: `encrypted`, `truncated` and the others that the message words, or a reason for the quarantine of a document.",
  },
} as const;
export interface ErrorFacts {
  readonly tries_left?: number;
  readonly reason?: string;
}

/** An error of the documented kind. It holds everything that the caller is told. platform.error_codes has the meaning of each code. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly status: number;
  readonly code: string;
  readonly fields: readonly FieldError[] | undefined;
  /** Seconds after which the caller may ask again; null where waiting changes nothing. */
  readonly retryAfterSeconds: number | null;
  /** What programs branch on besides the code: see ERROR_FACTS. */
  readonly facts: ErrorFacts;

  constructor(
    status: number,
    code: string,
    message: string,
    fields?: readonly FieldError[],
    options: ErrorOptions & { readonly retryAfterSeconds?: number; readonly facts?: ErrorFacts } = {},
  ) {
    super(message, options);
    this.status = status;
    this.code = code;
    this.fields = fields;
    this.facts = options.facts ?? {};
    this.retryAfterSeconds = options.retryAfterSeconds ?? (status === 503 ? 5 : null);
  }
}

/** 422 invalid_request, with the wrong members. */
export function invalidRequest(fields: readonly FieldError[]): AppError {
  return new AppError(422, "invalid_request", "The request is not valid; fields names each wrong member.", fields);
}

/** 400 malformed_request: the request cannot be read. */
export function malformedRequest(message: string): AppError {
  return new AppError(400, "malformed_request", message);
}

/** 401 unauthenticated. */
export function unauthenticated(): AppError {
  return new AppError(401, "unauthenticated", "The bearer token is missing, unknown, revoked or expired.");
}

/** 503 unavailable: the caller may try again soon. */
export function unavailable(cause: unknown): AppError {
  return new AppError(503, "unavailable", "The service cannot answer now. Try again soon.", undefined, { cause });
}
