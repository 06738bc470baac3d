import {
  ApolloServer,
  type ApolloServerOptionsWithGateway,
  type ApolloServerPlugin,
  type GraphQLResponse,
} from "@apollo/server";
import { ApolloServerPluginCacheControlDisabled } from "@apollo/server/plugin/disabled";
import { execute, hookArgs } from "grafast";
import { type DocumentNode, type ExecutionResult, type GraphQLSchema, OperationTypeNode } from "graphql";
import { AppError, invalidRequest, unauthenticated } from "../../errors/app-error.ts";
import { commandFacts } from "../../postgres/any-command.ts";
import { errorHeaders } from "../http/errors.ts";
import { fieldNamesOf } from "../operation.ts";
import type { ServedService } from "../served-service.ts";
import type { GraphqlContext } from "./context.ts";
import type { Documents } from "./documents.ts";
import { documented, formatted, invalidDocument } from "./errors.ts";
import { JSON_TYPE, type MediaType, refusalStatus } from "./media-type.ts";
import { MOST_TOKENS, readVariables, rootFields, WritableTextRule } from "./request.ts";
import { type OpenField, openOf } from "./schema/open-fields.ts";
import type { GatewaySchema } from "./schema/schema.ts";

/** Root fields that need no token. */
export interface OpenQueries {
  /** Fields limited by address like the public paths of REST, with or without a token. */
  readonly counted: ReadonlySet<string>;
  /** All root fields that need no token, the counted fields included. */
  readonly all: ReadonlySet<string>;
}

/** The open fields of the schema (`openField`), and operations whose command needs no token. */
export function openQueriesOf(
  schema: GraphQLSchema,
  services: readonly Pick<ServedService, "operations">[],
): OpenQueries {
  const fields = Object.values(schema.getQueryType()?.getFields() ?? {});
  const named = (open: OpenField) =>
    fields.filter(({ extensions }) => openOf(extensions) === open).map(({ name }) => name);
  const asked = services.flatMap(({ operations = [] }) =>
    operations.filter(({ command }) => commandFacts(command).scope === null),
  );
  const counted = [...named("counted"), ...asked.flatMap(fieldNamesOf)];
  return { counted: new Set(counted), all: new Set([...counted, ...named("free"), "__schema", "__type"]) };
}

/** Root fields of which a document may ask for one, once (`isOncePerDocument` of operations). */
export const onceFieldsOf = (services: readonly Pick<ServedService, "operations">[]): ReadonlySet<string> =>
  new Set(
    services.flatMap(({ operations = [] }) =>
      operations.filter(({ graphql }) => graphql?.isOncePerDocument).flatMap(fieldNamesOf),
    ),
  );

/** Apollo answers requests and reports documents that do not parse; Grafast executes. */
export function createApollo(
  { schema, sortedCopy, resolvedPreset }: GatewaySchema,
  documents: Documents,
  open: OpenQueries,
  once: ReadonlySet<string>,
  log: NonNullable<ApolloServerOptionsWithGateway<GraphqlContext>["logger"]>,
): ApolloServer<GraphqlContext> {
  return new ApolloServer<GraphqlContext>({
    gateway: {
      onSchemaLoadOrUpdate(load) {
        load({ apiSchema: sortedCopy, coreSupergraphSdl: "" });
        return () => {};
      },
      load: async () => ({
        executor: async ({ document, context, request }) =>
          executeWithGrafast({ schema, resolvedPreset }, document, request.variables ?? {}, context as GraphqlContext),
      }),
      stop: async () => {},
    },
    introspection: true,
    persistedQueries: false,
    documentStore: documents.store,
    parseOptions: { maxTokens: MOST_TOKENS },
    validationRules: [WritableTextRule],
    includeStacktraceInErrorResponses: false,
    logger: log,
    stopOnTerminationSignals: false,
    plugins: [ApolloServerPluginCacheControlDisabled(), answers(schema, documents, open, once)],
  });
}

async function executeWithGrafast(
  { schema, resolvedPreset }: Omit<GatewaySchema, "sortedCopy">,
  document: DocumentNode,
  variableValues: Record<string, unknown>,
  context: GraphqlContext,
): Promise<ExecutionResult> {
  const args = await hookArgs({
    schema,
    document,
    operationName: context.operation?.operationName,
    variableValues,
    contextValue: { selo: context },
    resolvedPreset,
    requestContext: { reader: context },
  });
  // Grafast writes JSON text faster than it makes objects that are serialized afterwards.
  args.outputDataAsString = true;
  return (await execute(args)) as ExecutionResult;
}

/** Checks a request before it runs, and makes the answer. */
function answers(
  schema: GraphQLSchema,
  documents: Documents,
  open: OpenQueries,
  once: ReadonlySet<string>,
): ApolloServerPlugin<GraphqlContext> {
  return {
    async unexpectedErrorProcessingRequest({ error, requestContext }) {
      requestContext.contextValue.log.error({ err: error }, "GraphQL request failed");
    },
    requestDidStart: async () => ({
      async didResolveOperation({ contextValue, document, operation, request, source }) {
        contextValue.faults = documents.faultsOf(source, document);
        if (contextValue.faults[0] !== undefined) throw invalidDocument(contextValue.faults[0]);
        if (operation === undefined || operation === null)
          throw invalidRequest([{ field: "operationName", message: "must name one operation of the document" }]);
        if (!schema.getRootType(operation.operation))
          throw invalidRequest([
            { field: "query", message: "must hold a query or a mutation; there are no subscriptions" },
          ]);
        const isMutation = operation.operation === OperationTypeNode.MUTATION;
        if (isMutation && contextValue.method === "GET")
          throw new AppError(405, "method_not_allowed", "Mutations are sent by POST.");
        contextValue.kind.isRead = !isMutation;
        const fields = rootFields(document, operation);
        if (isMutation && contextValue.idempotencyKey !== null && fields.length !== 1)
          throw invalidRequest([
            { field: "query", message: "must have exactly one root field with an Idempotency-Key" },
          ]);
        if (fields.filter((field) => once.has(field)).length > 1)
          throw invalidRequest([{ field: "query", message: `must have only one field of ${[...once].join(", ")}` }]);
        const isAnyone = contextValue.credentialHash === null;
        // Nothing runs for a caller without the right to it.
        if (isAnyone && !fields.every((field) => open.all.has(field))) throw unauthenticated();
        // Each field counts as one request to its REST path; a request without a token was counted once already.
        const asked = isAnyone ? fields.length - 1 : fields.filter((field) => open.counted.has(field)).length;
        if (asked > 0) await contextValue.parts.limits.address(contextValue.address, null, { requests: asked });
        contextValue.operation = {
          query: request.query ?? "",
          operationName: request.operationName ?? null,
          variables: readVariables(schema, operation, request.variables ?? {}),
        };
        // An invalid key is refused before anything runs.
        if (isMutation) contextValue.idempotency();
      },
      async willSendResponse({ contextValue, errors: told, operation, response }) {
        const { faults, parts } = contextValue;
        const { metrics } = parts;
        const isInvalid = faults.length > 0;
        const errors = isInvalid ? faults : told;
        const kind = isInvalid ? "refused" : (operation?.operation ?? "refused");
        if (contextValue.replayed) response.http.headers.set("idempotent-replayed", "true");
        for (const [name, value] of Object.entries(contextValue.headers)) response.http.headers.set(name, value);
        const causes = isInvalid
          ? faults.map(invalidDocument)
          : (errors ?? []).map((error) => documented(error, contextValue));
        const refusal = await contextValue.refusal(causes);
        if (refusal !== null) {
          response.body = { kind: "single", singleResult: { errors: [formatted(refusal, contextValue)] } };
        } else if (errors !== undefined && response.body.kind === "single") {
          response.body.singleResult.errors = causes.map((cause, place) =>
            formatted(cause, contextValue, errors[place]),
          );
        }
        for (const { code } of refusal === null ? causes : [refusal]) metrics.errorTold(code);
        const [first] = causes;
        const failed = refusal ?? (first === undefined || isAnswered(response.body) ? null : first);
        response.http.status = failed === null ? 200 : statusOf(failed, response.body, contextValue.mediaType);
        // A failure is counted as such, independent of the status for a reader of JSON.
        metrics.graphqlAnswered(kind, failed?.status ?? 200);
        if (failed !== null && response.http.status === failed.status) {
          if (failed.status === 405) response.http.headers.set("allow", "POST");
          for (const [name, value] of Object.entries(errorHeaders(failed))) response.http.headers.set(name, value);
        }
        // Also beside 200: the errors in the body say why to wait, and no member of theirs says how long.
        const wait = Math.max(
          0,
          ...(refusal === null ? causes : [refusal]).map((cause) => cause.retryAfterSeconds ?? 0),
        );
        if (wait > 0) response.http.headers.set("retry-after", String(wait));
      },
    }),
  };
}

/** The HTTP status of a failure. An operation that ran has an answer, and readers of JSON expect 200 for it. */
function statusOf(failed: AppError, body: GraphQLResponse["body"], mediaType: MediaType): number {
  if (!hasRun(body)) return refusalStatus(failed, mediaType, true);
  return mediaType === JSON_TYPE ? 200 : failed.status;
}

/** Whether anything was executed (GraphQL §7.1: the answer to a request refused before has no `data`). */
function hasRun(body: GraphQLResponse["body"]): boolean {
  return body.kind !== "single" || body.singleResult.data !== undefined;
}

/** Whether some root field has an answer. Grafast returns its data as text. */
function isAnswered(body: GraphQLResponse["body"]): boolean {
  if (body.kind !== "single") return true;
  const data = body.singleResult.data as unknown as string | null | undefined;
  return Object.values((JSON.parse(data ?? "null") ?? {}) as object).some((value) => value !== null);
}
