import type { FastifyError, FastifyReply } from "fastify";
import { AppError, malformedRequest } from "../../errors/app-error.ts";
import { discardUnreadBody } from "./unread-body.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** PUBLIC_URL, without a slash at its end. */
    publicUrl: string;
  }
}

/** Errors of Fastify itself, by their codes. */
function fromFastify(error: FastifyError): AppError | null {
  switch (error.code) {
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return new AppError(415, "unsupported_media_type", "This path does not read that content type.");
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return new AppError(413, "too_large", "The body is larger than the limit.");
    case "FST_ERR_CTP_EMPTY_JSON_BODY":
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
    case "FST_ERR_BAD_URL":
      return malformedRequest("The request cannot be read.");
    default:
      // A truncated body or a URL that does not decode is the caller's fault.
      return error.statusCode === 400 ? malformedRequest("The request cannot be read.") : null;
  }
}

/** The documented error behind a thrown value; null for a server error. */
export function asAppError(error: unknown): AppError | null {
  if (error instanceof AppError) return error;
  return error instanceof Error ? fromFastify(error as FastifyError) : null;
}

/** 500: contains only the request id, which identifies the failure in our logs. */
export function internalError(requestId: string): AppError {
  return new AppError(500, "internal_error", `Something failed on our side. Request id: ${requestId}`);
}

/** The form of errors on a surface. */
export interface ErrorForm {
  /**
   * The JSON body of an error.
   * @param documentation the address of the page that explains its code
   */
  readonly body: (error: AppError, requestId: string, documentation: string) => object;
  /** WWW-Authenticate of a 401 (RFC 9110 §11.6.1). */
  readonly challenge: string;
}

/** Headers that belong to a status: the scheme to use (RFC 6750 §3), the time to wait (RFC 9110 §10.2.3). */
export function errorHeaders(error: AppError, challenge = "Bearer"): Record<string, string> {
  if (error.status === 401) return { "www-authenticate": challenge };
  return error.retryAfterSeconds === null ? {} : { "retry-after": String(error.retryAfterSeconds) };
}

/** The address of the guide of this deployment that explains a code. */
export function documentationOf({ code }: Pick<AppError, "code">, publicUrl: string): string {
  return `${publicUrl}/guides/errors#${code}`;
}

/** The body of an error on surfaces without their own form. */
export function errorBody(
  { code, message, fields, facts }: AppError,
  requestId: string,
  documentation: string,
): object {
  return { detail: { code, message, ...facts }, request_id: requestId, documentation, ...(fields ? { fields } : {}) };
}

/** The form of errors on surfaces without their own form. */
export const commonErrors: ErrorForm = { body: errorBody, challenge: "Bearer" };

/** Answers with a documented error, and discards the part of the request that was not read. */
export function sendError(reply: FastifyReply, error: AppError, form: ErrorForm = commonErrors): FastifyReply {
  discardUnreadBody(reply);
  reply.server.metrics.errorTold(error.code);
  return reply
    .code(error.status)
    .headers(errorHeaders(error, form.challenge))
    .type("application/json; charset=utf-8")
    .send(form.body(error, reply.request.id, documentationOf(error, reply.server.publicUrl)));
}

/** 404: the path does not exist. */
export function noSuchPath(): AppError {
  return new AppError(404, "not_found", "This path does not exist.");
}

/**
 * 405 with Allow if the path exists with other methods than that of the request, otherwise 404.
 * @param methodsOf the methods that a path exists with
 */
export function unknownPath(
  reply: FastifyReply,
  path: string,
  methodsOf: (path: string) => readonly string[],
): AppError {
  const methods = methodsOf(path);
  if (methods.length === 0) {
    const isWithSlash = path.endsWith("/") && methodsOf(path.slice(0, -1)).length > 0;
    const message = "This path does not exist with a slash at its end: write it without the slash.";
    return isWithSlash ? new AppError(404, "not_found", message) : noSuchPath();
  }
  reply.header("allow", [...new Set(methods)].sort().join(", "));
  return new AppError(
    405,
    "method_not_allowed",
    "This path does not support the method; Allow names the methods that it supports.",
  );
}
