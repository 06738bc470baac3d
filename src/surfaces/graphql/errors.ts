import { ApolloServerErrorCode } from "@apollo/server/errors";
import type { FastifyBaseLogger } from "fastify";
import { isSafeError } from "grafast";
import { GraphQLError, type GraphQLFormattedError } from "graphql";
import { AppError, type FieldError, invalidRequest, malformedRequest } from "../../app-error.ts";
import type { Database } from "../../postgres/database.ts";
import { alarmIfClockBehind } from "../http/clock-alarm.ts";
import { documentationOf, internalError } from "../http/errors.ts";

/** What an error says of its request. */
interface ToldRequest {
  /** X-Request-Id. */
  readonly requestId: string;
  /** PUBLIC_URL, below which codes are explained. */
  readonly publicUrl: string;
}

/** An error as GraphQL answers it: the codes of REST, and no word of Postgres or of ours. */
export function formatted(
  error: AppError,
  { requestId, publicUrl }: ToldRequest,
  at: Pick<GraphQLError, "locations" | "path"> | null = null,
): GraphQLFormattedError {
  return {
    message: reason(error),
    ...(at?.locations ? { locations: at.locations } : {}),
    ...(at?.path ? { path: at.path } : {}),
    extensions: {
      code: error.code,
      http: { status: error.status },
      requestId,
      documentation: documentationOf(error, publicUrl),
      ...(error.fields ? { fields: error.fields.map(asGraphqlField) } : {}),
    },
  };
}

/** So many wrong members are named in a message; `fields` has all. */
const MOST_NAMED = 3;

/** What is wrong, in one text: clients of GraphQL show the message alone, where those of REST show `fields` beside it. */
function reason({ code, message, fields = [] }: AppError): string {
  if (code !== "invalid_request" || fields.length === 0) return message;
  const named = fields.slice(0, MOST_NAMED).map((field) => sentence(asGraphqlField(field)));
  const more = fields.length - named.length;
  return [...named, ...(more > 0 ? [`${more} more: see fields.`] : [])].join(" ");
}

/** "first must be between 1 and 200."; a message that is a sentence already stands after the member's name. */
function sentence({ field, message }: FieldError): string {
  const isSentence = /^[^a-z]/.test(message);
  const isWhole = field === "" || field === "query";
  const text = isSentence ? (isWhole ? message : `${field}: ${message}`) : `${field || "The request"} ${message}`;
  return /[.?!]$/.test(text) ? text : `${text}.`;
}

/** Whose failure it is, for the log. */
interface FailedRequest {
  readonly parts: { readonly database: Database };
  readonly log: FastifyBaseLogger;
  /** X-Request-Id. */
  readonly requestId: string;
}

/** The documented error behind one of GraphQL's; a fault of ours is logged, and told by its request id alone. */
export function documented(error: unknown, context: FailedRequest): AppError {
  const cause = causeOf(error);
  if (cause instanceof AppError) {
    alarmIfClockBehind(cause, context.parts.database, context.log);
    return cause;
  }
  // What Grafast itself refuses and means for the caller: a cursor of another list or order.
  if (cause instanceof Error && isSafeError(cause)) return invalidRequest([{ field: "", message: cause.message }]);
  if (error instanceof GraphQLError) {
    switch (error.extensions.code) {
      case ApolloServerErrorCode.GRAPHQL_PARSE_FAILED:
        return malformedRequest(cause instanceof RangeError ? "The document is nested too deeply." : error.message);
      case ApolloServerErrorCode.GRAPHQL_VALIDATION_FAILED:
        return invalidDocument(error);
    }
  }
  context.log.error({ err: cause }, "GraphQL operation failed");
  return internalError(context.requestId);
}

/** What a rule for documents found. */
export const invalidDocument = ({ message }: GraphQLError): AppError => invalidRequest([{ field: "query", message }]);

/** What was thrown, below the errors that GraphQL wraps around it. */
function causeOf(error: unknown): unknown {
  return error instanceof GraphQLError && error.originalError ? causeOf(error.originalError) : error;
}

/** Members are named as the caller of GraphQL wrote them. */
function asGraphqlField({ field, message }: FieldError): FieldError {
  return { field: field.replaceAll(/(?<=[a-z0-9])_([a-z])/g, (_, letter: string) => letter.toUpperCase()), message };
}
