import "./setup.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type JSONObject, stringifyPayload } from "grafast";
import { AppError, invalidRequest, malformedRequest } from "../../errors/app-error.ts";
import { brokenOff } from "../http/broken-off.ts";
import { encoded } from "../http/compression.ts";
import { tokenOrKeyHash } from "../http/credential.ts";
import { asAppError, errorHeaders, internalError } from "../http/errors.ts";
import { MOST_JSON_BYTES, parseJson } from "../http/json.ts";
import { admitSession, type Session, sessionOf } from "../http/session.ts";
import { discardUnreadBody } from "../http/unread-body.ts";
import { vary } from "../http/vary.ts";
import { wantsPage } from "../http/wants-page.ts";
import { takesContent } from "../operation.ts";
import type { ServedService } from "../served-service.ts";
import { createApollo, onceFieldsOf, openQueriesOf } from "./apollo.ts";
import { GraphqlContext, type GraphqlParts } from "./context.ts";
import { requestsOf } from "./cost.ts";
import { Documents } from "./documents.ts";
import { formatted } from "./errors.ts";
import { type GraphiqlOptions, graphiqlPlugin, PAGE_PATH } from "./graphiql.ts";
import { mediaTypeOf, refusalStatus } from "./media-type.ts";
import {
  addressedMembers,
  isPersistedQuery,
  MOST_TOKENS,
  persistedQueryNotSupported,
  readOperationRequest,
  WritableTextRule,
} from "./request.ts";
import type { GatewaySchema } from "./schema/schema.ts";
import { readMultipart } from "./uploads.ts";

const GRAPHQL_PATH = "/graphql";

/** Largest path and query. Proxies accept this length; a longer query must be sent by POST. */
const MOST_ADDRESS_BYTES = 8 * 1024;

/** The most characters of Accept-Language that are read. */
const MOST_LANGUAGES = 1_000;

declare module "fastify" {
  interface FastifyRequest {
    /** SHA-256 of the bearer token of a GraphQL request; null without one, for what is public. */
    graphqlCredential: Buffer | null;
    /** The session whose credential that is; null for another credential. */
    graphqlSession: Session | null;
    /** Whether the parameters of the request have been read: what is refused from then on is its document. */
    isGraphqlRequest: boolean;
    /** The largest file that this token may upload with any command. The command of a file is unknown before the body is read. */
    mostFileBytes: number;
  }
}

/**
 * /graphql: one endpoint over schema api, with the credentials, codes and limits of REST. GET takes queries; POST takes
 * mutations as well.
 */
export async function graphqlPlugin<Parts extends GraphqlParts>(
  app: FastifyInstance,
  services: readonly ServedService<Parts>[],
  parts: Parts,
  gatewaySchema: GatewaySchema,
  editor: Omit<GraphiqlOptions, "endpoint">,
): Promise<void> {
  const uploads = services.flatMap(({ operations = [] }) =>
    operations.flatMap(({ command, graphql, file }) =>
      graphql !== undefined && file !== undefined && (takesContent(file) || graphql.upload !== undefined)
        ? [{ command, most: file.most }]
        : [],
    ),
  );
  const documents = new Documents(gatewaySchema.schema, [WritableTextRule], MOST_TOKENS);
  const open = openQueriesOf(gatewaySchema.schema, services);
  const apollo = createApollo(gatewaySchema, documents, open, onceFieldsOf(services), app.log);
  await apollo.start();
  app.addHook("onClose", () => apollo.stop());

  await app.register(graphiqlPlugin, { ...editor, endpoint: GRAPHQL_PATH });

  /** @throws AppError 401; 403 missing_scope for a token that may upload no file */
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
  // The body is read later, after its sender's right was checked.
  app.addContentTypeParser("multipart/form-data", async () => undefined);
  app.decorateRequest("graphqlCredential", null);
  app.decorateRequest("graphqlSession", null);
  app.decorateRequest("isGraphqlRequest", false);
  app.decorateRequest("mostFileBytes", 0);

  app.addHook("onSend", (_request, reply, payload, next) => {
    discardUnreadBody(reply);
    next(null, payload);
  });
  app.setErrorHandler(async (error, request, reply) => {
    const known = asAppError(error);
    if (known === null) request.log.error({ err: error }, "request failed");
    const failure = known ?? internalError(request.id);
    // An invalid token is reported first: its caller learns nothing about other faults of the request.
    return sendError(reply, (await contextOf(parts, request).refusal([failure])) ?? failure);
  });

  /** Counts the request, and reads its token. */
  async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    // By GET a page of another origin could ask: no cookie counts there.
    const session = request.method === "POST" ? sessionOf(request.headers) : null;
    if (session !== null) {
      await admitSession(session, request, reply, parts);
      request.graphqlSession = session;
      request.graphqlCredential = session.credentialHash;
      return;
    }
    if (request.headers.authorization === undefined && !isUpload(request)) {
      await parts.limits.address(request.ip, reply);
      return;
    }
    const hash = tokenOrKeyHash(request.headers.authorization);
    await parts.limits.token(hash, request.ip, reply);
    request.graphqlCredential = hash;
  }

  /** Counts further requests of the caller that {@link admit} knows. */
  async function countMore(request: FastifyRequest, reply: FastifyReply, requests: number): Promise<void> {
    if (requests === 0) return;
    const { graphqlCredential: hash, ip } = request;
    if (hash === null) await parts.limits.address(ip, reply, { requests });
    else await parts.limits.token(hash, ip, reply, { requests });
  }

  /** @param body the parameters of the request, as JSON has them */
  async function answer(request: FastifyRequest, reply: FastifyReply, body: unknown): Promise<FastifyReply> {
    if (isPersistedQuery(body)) {
      request.isGraphqlRequest = true;
      throw persistedQueryNotSupported();
    }
    const { query, operationName, variables } = readOperationRequest(body);
    request.isGraphqlRequest = true;
    const values = documents.requireBounded(query, variables ?? {}, operationName);
    // One request was counted before its body was read.
    await countMore(request, reply, requestsOf(values) - 1);
    const contextValue = contextOf(parts, request);
    const { body: answered, http } = await apollo.executeOperation(
      { query, ...(operationName == null ? {} : { operationName }), variables: variables ?? {} },
      { contextValue },
    );
    if (answered.kind !== "single") throw new Error("answers in pieces are not sent");
    const text = stringifyPayload(answered.singleResult as JSONObject, true);
    return typed(reply)
      .code(http.status ?? 200)
      .headers(Object.fromEntries(http.headers))
      .send(contextValue.kind.isRead ? await encoded(request, reply, text) : text);
  }

  app.post(GRAPHQL_PATH, {
    config: { takesFilesOf: "token holders" },
    onRequest: async (request, reply) => {
      await admit(request, reply);
      // Runs before the body is read: a large file is accepted only from a caller who may register it.
      if (isUpload(request) && request.graphqlCredential !== null)
        request.mostFileBytes = await mostFileBytes(request.graphqlCredential);
    },
    handler: async (request, reply) => {
      const body = isUpload(request) ? await readMultipart(request, reply, request.mostFileBytes) : request.body;
      if (body === undefined) throw malformedRequest("The body is empty.");
      return answer(request, reply, body);
    },
  });
  app.get<{ Querystring: Readonly<Record<string, unknown>> }>(GRAPHQL_PATH, {
    exposeHeadRoute: false,
    onRequest: admit,
    handler: async (request, reply) => {
      requireShortAddress(request);
      if (!("query" in request.query || "extensions" in request.query)) return answerNoOperation(request, reply);
      return answer(request, reply, addressedMembers(request.query));
    },
  });
  app.route({
    method: ["HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"],
    url: GRAPHQL_PATH,
    handler: async (_request, reply) => {
      reply.header("allow", "GET, POST");
      throw new AppError(405, "method_not_allowed", "GraphQL takes queries by GET, and any operation by POST.");
    },
  });
}

/**
 * GET /graphql without a query: a browser is redirected to the editor.
 * @throws AppError 422 invalid_request
 */
function answerNoOperation(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (wantsPage(request)) return vary(reply, "Accept").redirect(PAGE_PATH, 303);
  throw invalidRequest([{ field: "query", message: "is required" }]);
}

/** @throws AppError 413 too_large */
function requireShortAddress({ url }: FastifyRequest): void {
  if (url.length > MOST_ADDRESS_BYTES)
    throw new AppError(
      413,
      "too_large",
      `The address is larger than ${MOST_ADDRESS_BYTES} bytes; send the query by POST.`,
    );
}

function isUpload(request: FastifyRequest): boolean {
  return request.method === "POST" && /^multipart\/form-data\s*(;|$)/i.test(request.headers["content-type"] ?? "");
}

function contextOf<Parts extends GraphqlParts>(parts: Parts, request: FastifyRequest): GraphqlContext<Parts> {
  return new GraphqlContext({
    parts,
    credentialHash: request.graphqlCredential,
    isOfSession: request.graphqlSession !== null,
    address: request.ip,
    requestId: request.id,
    publicUrl: request.server.publicUrl,
    log: request.log,
    method: request.method === "GET" ? "GET" : "POST",
    mediaType: mediaTypeOf(request.headers.accept),
    idempotencyKey: request.headers["idempotency-key"] ?? null,
    acceptLanguage: request.headers["accept-language"]?.slice(0, MOST_LANGUAGES) ?? null,
    brokenOff: () => brokenOff(request),
  });
}

/** Sets the media type that the reader asked for, and tells caches about it. */
function typed(reply: FastifyReply): FastifyReply {
  const { headers, method } = reply.request;
  return vary(reply, "Accept", ...(method === "GET" ? ["Authorization"] : [])).type(mediaTypeOf(headers.accept));
}

function sendError(reply: FastifyReply, error: AppError): FastifyReply {
  const { headers, isGraphqlRequest } = reply.request;
  reply.server.metrics.errorTold(error.code);
  reply.server.metrics.graphqlAnswered("refused", error.status);
  return typed(reply)
    .code(refusalStatus(error, mediaTypeOf(headers.accept), isGraphqlRequest))
    .headers(errorHeaders(error))
    .send({ errors: [formatted(error, { requestId: reply.request.id, publicUrl: reply.server.publicUrl })] });
}
