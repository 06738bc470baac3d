import type { FastifyError, FastifyReply } from "fastify";
import { AppError, malformedRequest } from "../../app-error.ts";
import { discardUnreadBody } from "./unread-body.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** PUBLIC_URL, without a slash at its end. */
    publicUrl: string;
  }
}

/** What Fastify itself refuses, by its own codes. */
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
      // A body that broke off, a URL that does not decode: the caller's.
      return error.statusCode === 400 ? malformedRequest("The request cannot be read.") : null;
  }
}

/** The documented error behind anything thrown; null when it is a fault of ours. */
export function asAppError(error: unknown): AppError | null {
  if (error instanceof AppError) return error;
  return error instanceof Error ? fromFastify(error as FastifyError) : null;
}

/** 500: says nothing but where to find it in our logs. */
export function internalError(requestId: string): AppError {
  return new AppError(500, "internal_error", `Something failed on our side. Request id: ${requestId}`);
}

/** How errors are told on a surface. */
export interface ErrorForm {
  /**
   * What is sent as JSON.
   * @param documentation where its code is explained
   */
  readonly body: (error: AppError, requestId: string, documentation: string) => object;
  /** WWW-Authenticate of a 401 (RFC 9110 §11.6.1). */
  readonly challenge: string;
}

/** Headers that belong to a status: what to present (RFC 6750 §3), when to come back (RFC 9110 §10.2.3). */
export function errorHeaders(error: AppError, challenge = "Bearer"): Record<string, string> {
  if (error.status === 401) return { "www-authenticate": challenge };
  return error.retryAfterSeconds === null ? {} : { "retry-after": String(error.retryAfterSeconds) };
}

/** Where the guide of this deployment explains a code. */
export function documentationOf({ code }: Pick<AppError, "code">, publicUrl: string): string {
  return `${publicUrl}/guides/errors#${code}`;
}

/** Body of an error, wherever no other form is documented. */
export function errorBody({ code, message, fields }: AppError, requestId: string, documentation: string): object {
  return { detail: { code, message }, request_id: requestId, documentation, ...(fields ? { fields } : {}) };
}

/** How errors are told wherever no other form is documented. */
export const commonErrors: ErrorForm = { body: errorBody, challenge: "Bearer" };

/** Answers with a documented error; what was sent and not read is let go of. */
export function sendError(reply: FastifyReply, error: AppError, form: ErrorForm = commonErrors): FastifyReply {
  discardUnreadBody(reply);
  reply.server.metrics.errorTold(error.code);
  return reply
    .code(error.status)
    .headers(errorHeaders(error, form.challenge))
    .type("application/json; charset=utf-8")
    .send(form.body(error, reply.request.id, documentationOf(error, reply.server.publicUrl)));
}

/** 404: no path of ours. */
export function noSuchPath(): AppError {
  return new AppError(404, "not_found", "There is no such path.");
}

/** 405 with Allow where the path exists with these methods, 404 where it has none. */
export function unknownPath(reply: FastifyReply, methods: readonly string[]): AppError {
  if (methods.length === 0) return noSuchPath();
  reply.header("allow", [...new Set(methods)].sort().join(", "));
  return new AppError(405, "method_not_allowed", "This path does not have that method; Allow names those it has.");
}
