import multipart from "@fastify/multipart";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { AppError, malformedRequest } from "../../app-error.ts";
import type { Answer } from "../../postgres/call.ts";
import type { Service } from "../../service.ts";
import { alarmIfClockBehind } from "../http/clock-alarm.ts";
import { encoded } from "../http/compression.ts";
import { asAppError, internalError, noSuchPath, sendError, unknownPath } from "../http/errors.ts";
import { checkedKey, idempotencyOf } from "../http/idempotency.ts";
import { MOST_JSON_BYTES, parseJson } from "../http/json.ts";
import { parseShape } from "../http/shape.ts";
import type { AnswerPatience } from "../http/stalled-reader.ts";
import { type FileAnswer, type Work, writes } from "../operation.ts";
import { workOf } from "../work.ts";
import { fileRequired, readForm } from "./form.ts";
import { readPage } from "./pages.ts";
import type { RestParts, RestRequest } from "./request.ts";
import { type Route, readsList, routesOf, scopeOf, takesFileAlone } from "./route.ts";
import { sendFile } from "./send-file.ts";
import type { RestSurface } from "./surface.ts";
import { surfaceOf, surfacesOf } from "./surfaces.ts";

export interface RestOptions {
  /** Where the service is reached, without a slash at its end: addresses in answers begin with it. */
  readonly publicUrl: string;
  /** With who reads a file, and with what gives it. */
  readonly patience: AnswerPatience;
}

/** The documented paths of services, each on its surface. */
export async function restPlugin<Parts extends RestParts>(
  app: FastifyInstance,
  services: readonly Service<Parts>[],
  parts: Parts,
  options: RestOptions,
): Promise<void> {
  for (const surface of surfacesOf(services))
    await app.register((scope) => surfacePlugin(scope, surface, services, parts, options), { prefix: surface.prefix });
}

/** The documented paths of one surface: parse, one database call, answer. */
async function surfacePlugin<Parts extends RestParts>(
  app: FastifyInstance,
  surface: RestSurface,
  services: readonly Service<Parts>[],
  parts: Parts,
  { patience, publicUrl }: RestOptions,
): Promise<void> {
  const routes = routesOf(services).filter((route) => surfaceOf(route) === surface);
  const { credentials, errors, limits } = surface;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/json",
    { parseAs: "buffer", bodyLimit: MOST_JSON_BYTES },
    // Some clients say JSON of nothing, where there is nothing to say.
    async ({ routeOptions }: FastifyRequest, body: Buffer) => {
      const route = routeOptions.config.selo;
      if (route !== undefined && takesFileAlone(route)) throw unreadType();
      return body.length === 0 && route?.body === undefined ? undefined : parseJson(body);
    },
  );
  await app.register(multipart);
  app.decorateRequest("credentialHash", null);

  app.setErrorHandler(async (error, request, reply) => {
    const known = asAppError(error);
    // Who may not ask is told so first, whatever else is wrong with the request.
    const refusal =
      known !== null && known.status < 500 ? ((await refusedFirst(parts, request, known)) ?? known) : known;
    if (refusal !== null) alarmIfClockBehind(refusal, parts.database, request.log);
    else request.log.error({ err: error }, "request failed");
    const told = refusal ?? internalError(request.id);
    if (told.status !== 401 || request.credentialHash === null) return sendError(reply, told, errors);
    parts.limits.refused(request.credentialHash);
    return sendError(reply, credentials.unknown(), errors);
  });
  app.setNotFoundHandler(async (request, reply) =>
    sendError(reply, unknownPath(reply, methodsOf(routes, request.url.slice(surface.prefix.length))), errors),
  );

  for (const route of routes) {
    // Only what writes shows a secret.
    const isRead = !writes(route.of);
    app.route({
      method: route.method,
      url: route.path.replaceAll(/\{(\w+)\}/g, ":$1"),
      config: {
        selo: route,
        ...(route.multipart ? { takesFilesOf: scopeOf(route) === null ? "anyone" : "token holders" } : {}),
      },
      // Before the body is read.
      onRequest: async (request, reply) => {
        if (scopeOf(route) === null) return parts.limits.address(request.ip, reply, { form: limits });
        const digest = credentials.digest(request.headers);
        await parts.limits.token(digest, request.ip, reply, limits).catch((error: unknown) => {
          throw error instanceof AppError && error.status === 401 ? credentials.unknown() : error;
        });
        request.credentialHash = digest;
      },
      handler: async (request, reply) => {
        const answer = await respond(parts, route, readRequest(route, request));
        if (request.credentialHash !== null) parts.tokenUse.seen(request.credentialHash);
        if ("file" in answer) return sendFile(request, reply, answer, patience);
        // A request may name its host before the path (RFC 9112 §3.2.2).
        const address = `${publicUrl}${request.url.replace(/^[^/?]*:\/\/[^/?]*/, "")}`;
        return sendAnswer(request, reply, address, answer, surface, isRead);
      },
    });
  }
  for (const { ownRoutes, ownRoutesSurface } of services)
    if (surfaceOf({ surface: ownRoutesSurface }) === surface)
      for (const register of ownRoutes ?? []) await app.register((scope) => register(scope, parts));
}

declare module "fastify" {
  interface FastifyRequest {
    /** SHA-256 of the credential's secret; null on paths for anyone, and until the limits let the request through. */
    credentialHash: Buffer | null;
  }
  interface FastifyContextConfig {
    selo?: Route;
  }
}

/** 415 */
const unreadType = () => new AppError(415, "unsupported_media_type", "This path does not read that content type.");

/** Of paths that take no query or no body: a member there is a mistake of the caller's like any unknown one. */
const nothing = z.strictObject({});

function readRequest(route: Route, raw: FastifyRequest): RestRequest {
  const isMultipart = raw.isMultipart();
  if (isMultipart && !route.multipart) throw unreadType();
  // The router takes "/proofs/" for a proof with an empty id.
  if (Object.values(raw.params as object).includes("")) throw noSuchPath();
  if ((route.body || takesFileAlone(route)) && !isMultipart && raw.body === undefined)
    throw malformedRequest("The body is empty.");
  if (!route.body && !isMultipart && raw.body !== undefined && raw.body !== null) parseShape(nothing, raw.body);
  const key = raw.headers["idempotency-key"];
  if (route.method !== "GET" && key !== undefined) checkedKey(key);
  return {
    raw,
    path: raw.url.replace(/\?.*$/s, ""),
    credentialHash: raw.credentialHash,
    isMultipart,
    origin: { requestId: raw.id, address: raw.ip ?? "", channel: "rest" },
    arguments: {
      ...(route.params ? parseShape(route.params, raw.params) : {}),
      ...parseShape(route.query ?? nothing, raw.query),
      ...(route.body && !isMultipart ? parseShape(route.body, raw.body) : {}),
    },
  };
}

async function respond<Parts extends RestParts>(
  parts: Parts,
  route: Route<Parts>,
  request: RestRequest,
): Promise<Answer | FileAnswer> {
  if (route.of.run) return run(parts, route, request);
  const { credentialHash, origin, raw } = request;
  const call = { credentialHash, command: route.command, arguments: request.arguments, status: route.status, origin };
  // Lists may take their time, and would hold up whatever travels with them.
  if (route.method === "GET") return readsList(route) ? parts.database.list(call) : parts.database.read(call);
  const idempotency = idempotencyOf(
    raw.headers["idempotency-key"],
    raw.method,
    request.path,
    request.arguments,
    keysOwnerOf(route),
  );
  return parts.database.call({ ...call, idempotency });
}

/** Whose the Idempotency-Keys of a path are, where they are its own: those of other paths are the organization's. */
const keysOwnerOf = <Parts>({ of, operation }: Route<Parts>) => (operation === of.name ? null : operation);

/** What needs TypeScript between calls of the database. */
async function run<Parts extends RestParts>(
  parts: Parts,
  route: Route<Parts>,
  request: RestRequest,
): Promise<Answer | FileAnswer> {
  const { file: takes, run: work } = route.of;
  const { credentialHash, origin, raw, isMultipart, path } = request;
  if (takes?.kept === "bytes" && !isMultipart) throw fileRequired();
  const { input, file } = isMultipart
    ? await readForm(parts, route, request)
    : { input: request.arguments, file: null };
  // What makes a repeated request the same; of a file that is kept its digest and name, as in GraphQL, whatever the boundaries of its form are.
  const content = file?.content ? { files: [{ file: file.sha256.toString("hex"), file_name: file.fileName }] } : {};
  const payload = takes === undefined ? input : { multipart: isMultipart, ...input, ...content };
  const idempotency = writes(route.of)
    ? idempotencyOf(raw.headers["idempotency-key"], raw.method, path, payload, keysOwnerOf(route))
    : null;
  return (work as (of: Work<Parts>, given: unknown) => Promise<Answer | FileAnswer>)(
    workOf(parts, { credentialHash, origin, idempotency }, file),
    input,
  );
}

/** 401 or 403, when the caller of a request that is refused for its shape was not even allowed to make it. */
async function refusedFirst(
  { database }: RestParts,
  request: FastifyRequest,
  refusal: AppError,
): Promise<AppError | null> {
  const route = request.routeOptions.config.selo;
  if (!route || request.credentialHash === null || refusal.status === 401 || refusal.status === 403) return null;
  try {
    await database.authorize(request.credentialHash, route.command);
    return null;
  } catch (error) {
    return asAppError(error);
  }
}

async function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  address: string,
  answer: Answer,
  { lists }: RestSurface,
  isRead: boolean,
): Promise<FastifyReply> {
  if (answer.replayed) reply.header("idempotent-replayed", "true");
  if (answer.body === null) return reply.code(answer.status === 200 ? 204 : answer.status).send();
  // The text as SQL made it: nothing is parsed or written again.
  const page = readPage(answer.body);
  const { body, headers } = page === null ? { body: answer.body, headers: {} } : lists.send(page, address);
  void reply.code(answer.status).headers(headers).type("application/json; charset=utf-8");
  if (!isRead) return reply.send(body);
  const text = encoded(request, reply, body);
  return reply.send(typeof text === "string" ? text : await text);
}

/** The methods that a path has. */
function methodsOf(routes: readonly Route[], url: string): string[] {
  const path = url.replace(/\?.*$/s, "");
  const methods = routes.filter((route) => pattern(route).test(path)).map((route) => route.method);
  return methods.includes("GET") ? [...methods, "HEAD"] : methods;
}

function pattern(route: Route): RegExp {
  return new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
}
