import { ApolloServerErrorCode } from "@apollo/server/errors";
import type { FastifyBaseLogger } from "fastify";
import { isSafeError } from "grafast";
import { type ASTNode, GraphQLError, type GraphQLFormattedError, TokenKind } from "graphql";
import { AppError, type FieldError, invalidRequest, malformedRequest } from "../../errors/app-error.ts";
import type { Database } from "../../postgres/database.ts";
import { alarmFor } from "../http/alarms.ts";
import { documentationOf, internalError } from "../http/errors.ts";
import { PERSISTED_QUERY_NOT_SUPPORTED } from "./request.ts";
import { wrongCursor } from "./schema/cursors.ts";

/** The facts of the request that an error shows. */
interface ToldRequest {
  /** X-Request-Id. */
  readonly requestId: string;
  /** PUBLIC_URL, below which codes are explained. */
  readonly publicUrl: string;
}

/** An error in GraphQL's form: with the codes of REST, without words of Postgres or internal details. */
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

/** Most wrong members named in a message; `fields` has all of them. */
const MOST_NAMED = 3;

/** The reason in one text: clients of GraphQL show only the message, while those of REST show `fields` beside it. */
function reason({ code, message, fields = [] }: AppError): string {
  if (code !== "invalid_request" || fields.length === 0 || message === PERSISTED_QUERY_NOT_SUPPORTED) return message;
  const named = fields.slice(0, MOST_NAMED).map((field) => sentence(asGraphqlField(field)));
  const more = fields.length - named.length;
  return [...named, ...(more > 0 ? [`${more} more: see fields.`] : [])].join(" ");
}

/** "first must be between 1 and 200."; a message that is a whole sentence follows the member's name and a colon. */
function sentence({ field, message }: FieldError): string {
  const isSentence = /^[^a-z]/.test(message);
  const isWhole = field === "" || field === "query";
  const text = isSentence ? (isWhole ? message : `${field}: ${message}`) : `${field || "The request"} ${message}`;
  return /[.?!]$/.test(text) ? text : `${text}.`;
}

/** The failed request, for the log. */
interface FailedRequest {
  readonly parts: { readonly database: Database };
  readonly log: FastifyBaseLogger;
  /** X-Request-Id. */
  readonly requestId: string;
}

/** Grafast's words for a cursor of another list or order. */
const OTHER_CURSOR = /^Invalid '(after|before)' cursor/;

/** The documented error behind a GraphQL error. A fault of ours is logged, and the caller gets only its request id. */
export function documented(error: unknown, context: FailedRequest): AppError {
  const cause = causeOf(error);
  if (cause instanceof AppError) {
    alarmFor(cause, context.parts.database, context.log);
    return cause;
  }
  // Errors of Grafast itself that are meant for the caller.
  if (cause instanceof Error && isSafeError(cause)) {
    const argument = OTHER_CURSOR.exec(cause.message)?.[1];
    return argument === undefined ? invalidRequest([{ field: "", message: cause.message }]) : wrongCursor(argument);
  }
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

/** A fault that a validation rule found. Our own message about a value is a predicate of the member that has the value. */
export function invalidDocument({ message, nodes }: GraphQLError): AppError {
  const member = message.startsWith("must ") ? memberOf(nodes?.[0]) : null;
  return invalidRequest([{ field: member ?? "query", message }]);
}

/** The argument, input member or variable that has this value, also as an entry of a list. Null for another node. */
function memberOf(node: ASTNode | undefined): string | null {
  let token = node?.loc?.startToken.prev ?? null;
  // The type of a variable with a default stands before it.
  while (token !== null && token.kind !== TokenKind.COLON) token = token.prev;
  const name = token?.prev?.value ?? null;
  return token?.prev?.prev?.kind === TokenKind.DOLLAR ? `variables.${name}` : name;
}

/** The original error inside GraphQL's wrappers. */
function causeOf(error: unknown): unknown {
  return error instanceof GraphQLError && error.originalError ? causeOf(error.originalError) : error;
}

/** Names members as the caller of GraphQL wrote them. */
function asGraphqlField({ field, message }: FieldError): FieldError {
  return { field: field.replaceAll(/(?<=[a-z0-9])_([a-z])/g, (_, letter: string) => letter.toUpperCase()), message };
}
