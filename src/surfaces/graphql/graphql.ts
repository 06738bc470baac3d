import "./setup.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type JSONObject, stringifyPayload } from "grafast";
import { AppError, malformedRequest } from "../../app-error.ts";
import type { Service } from "../../service.ts";
import { credentialHash } from "../http/credential.ts";
import { asAppError, errorHeaders, internalError } from "../http/errors.ts";
import { MOST_JSON_BYTES, parseJson } from "../http/json.ts";
import { discardUnreadBody } from "../http/unread-body.ts";
import { createApollo, openQueriesOf } from "./apollo.ts";
import { GraphqlContext, type GraphqlParts } from "./context.ts";
import { Documents } from "./documents.ts";
import { formatted } from "./errors.ts";
import { graphiqlPlugin } from "./graphiql.ts";
import { MOST_TOKENS, type OperationRequest, readOperationRequest, WritableTextRule } from "./request.ts";
import type { GatewaySchema } from "./schema/schema.ts";
import { readMultipart } from "./uploads.ts";

const GRAPHQL_PATH = "/graphql";

declare module "fastify" {
  interface FastifyRequest {
    /** SHA-256 of the bearer token of a GraphQL request; null without one, for what is public. */
    graphqlCredential: Buffer | null;
    /** Of the files that this token may upload the largest. Which command a file is for is not known before it is read. */
    mostFileBytes: number;
  }
}

/**
 * POST /graphql: one endpoint over schema api, with the credentials, codes and limits of REST. Queries by GET are
 * refused: they would put documents and variables into logs and caches, and nothing here is cacheable.
 */
export async function graphqlPlugin<Parts extends GraphqlParts>(
  app: FastifyInstance,
  services: readonly Service<Parts>[],
  parts: Parts,
  gatewaySchema: GatewaySchema,
): Promise<void> {
  const uploads = services.flatMap(({ operations = [] }) =>
    operations.flatMap(({ command, graphql, file }) =>
      graphql !== undefined && file !== undefined && (file.kept === "bytes" || graphql.upload !== undefined)
        ? [{ command, most: file.most }]
        : [],
    ),
  );
  const documents = new Documents(gatewaySchema.schema, [WritableTextRule], MOST_TOKENS);
  const apollo = createApollo(gatewaySchema, documents, openQueriesOf(gatewaySchema.schema, services), app.log);
  await apollo.start();
  app.addHook("onClose", () => apollo.stop());

  await app.register(graphiqlPlugin, { endpoint: GRAPHQL_PATH });

  /** @throws AppError 401; 403 missing_scope for a token that may not upload anything */
  async function mostFileBytes(hash: Buffer): Promise<number> {
    if (uploads.length === 0) await parts.database.authorize(hash);
    let refusal: unknown = null;
    let most = 0;
    for (const { command, most: mostOf } of uploads) {
      try {
        await parts.database.authorize(hash, command);
        most = Math.max(most, mostOf(parts));
      } catch (error) {
        if (asAppError(error)?.status !== 403) throw error;
        refusal ??= error;
      }
    }
    if (most === 0 && refusal !== null) throw refusal;
    return most;
  }

  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/json",
    { parseAs: "buffer", bodyLimit: MOST_JSON_BYTES },
    async (_: FastifyRequest, body: Buffer) => parseJson(body),
  );
  // Read when it is known that its sender may.
  app.addContentTypeParser("multipart/form-data", async () => undefined);
  app.decorateRequest("graphqlCredential", null);
  app.decorateRequest("mostFileBytes", 0);

  app.addHook("onSend", (request, reply, payload, next) => {
    discardUnreadBody(request.raw, reply.raw);
    next(null, payload);
  });
  app.setErrorHandler(async (error, request, reply) => {
    const known = asAppError(error);
    if (known === null) request.log.error({ err: error }, "request failed");
    const failure = known ?? internalError(request.id);
    // Whose token is not good is told so first, whatever else is wrong with the request.
    return sendError(reply, (await contextOf(parts, request).refusal([failure])) ?? failure);
  });

  app.post(GRAPHQL_PATH, {
    config: { takesFilesOf: "token holders" },
    // Before the body is read: nobody's gigabytes are taken before they may be registered.
    onRequest: async (request, reply) => {
      if (request.headers.authorization === undefined && !isMultipart(request)) {
        await parts.limits.address(request.ip, reply);
        return;
      }
      const hash = credentialHash(request.headers.authorization);
      await parts.limits.token(hash, request.ip, reply);
      request.graphqlCredential = hash;
      if (isMultipart(request)) request.mostFileBytes = await mostFileBytes(hash);
    },
    preHandler: async (request, reply) => {
      if (isMultipart(request)) request.body = await readMultipart(request, reply, request.mostFileBytes);
      if (request.body === undefined) throw malformedRequest("The body is empty.");
      const operation = readOperationRequest(request.body);
      documents.requireBounded(operation.query, operation.variables ?? {});
      request.body = operation;
    },
    handler: async (request, reply) => {
      const contextValue = contextOf(parts, request);
      const { query, operationName, variables } = request.body as OperationRequest;
      const { body, http } = await apollo.executeOperation(
        { query, ...(operationName == null ? {} : { operationName }), variables: variables ?? {} },
        { contextValue },
      );
      if (body.kind !== "single") throw new Error("answers in pieces are not sent");
      // There is one form of answer, whatever else is accepted; as in REST, nobody is refused for that.
      return reply
        .code(http.status ?? 200)
        .headers(Object.fromEntries(http.headers))
        .type("application/json; charset=utf-8")
        .send(stringifyPayload(body.singleResult as JSONObject, true));
    },
  });
  app.route({
    method: ["GET", "PUT", "PATCH", "DELETE", "OPTIONS"],
    url: GRAPHQL_PATH,
    handler: async (_request, reply) => {
      reply.header("allow", "POST");
      throw new AppError(405, "method_not_allowed", "GraphQL operations are sent by POST.");
    },
  });
}

function isMultipart(request: FastifyRequest): boolean {
  return /^multipart\/form-data\s*(;|$)/i.test(request.headers["content-type"] ?? "");
}

function contextOf<Parts extends GraphqlParts>(parts: Parts, request: FastifyRequest): GraphqlContext<Parts> {
  return new GraphqlContext({
    parts,
    credentialHash: request.graphqlCredential,
    address: request.ip,
    requestId: request.id,
    log: request.log,
    idempotencyKey: request.headers["idempotency-key"] ?? null,
  });
}

function sendError(reply: FastifyReply, error: AppError): FastifyReply {
  reply.server.metrics.errorTold(error.code);
  reply.server.metrics.graphqlAnswered("refused", error.status);
  return reply
    .code(error.status)
    .headers(errorHeaders(error))
    .type("application/json; charset=utf-8")
    .send({ errors: [formatted(error)] });
}
