import multipart from "@fastify/multipart";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import Negotiator from "negotiator";
import { z } from "zod";
import { AppError, malformedRequest } from "../../errors/app-error.ts";
import { commandFacts } from "../../postgres/any-command.ts";
import type { Answer } from "../../postgres/call.ts";
import { alarmFor } from "../http/alarms.ts";
import { encoded } from "../http/compression.ts";
import { isKnownInAnyCoding } from "../http/entity-tag.ts";
import { asAppError, internalError, sendError, unknownPath } from "../http/errors.ts";
import { checkedKey, idempotencyOf } from "../http/idempotency.ts";
import { MOST_JSON_BYTES, parseJson } from "../http/json.ts";
import { readQuery } from "../http/query.ts";
import { admitSession, requireOwnOrigin, type Session, sessionOf, unknownSession } from "../http/session.ts";
import { parseShape } from "../http/shape.ts";
import type { AnswerPatience } from "../http/stalled-reader.ts";
import { vary } from "../http/vary.ts";
import { type FileAnswer, type ListInPieces, takesContent, takesKey, type Work, writes } from "../operation.ts";
import type { ServedService } from "../served-service.ts";
import { unlessRefused } from "../take-file.ts";
import { keyFor, withHeaders, workOf } from "../work.ts";
import { fileRequired, readForm } from "./form.ts";
import { readPage } from "./pages.ts";
import type { RestParts, RestRequest } from "./request.ts";
import { type Route, readsList, routesOf, scopeOf, takesFileAlone, takesNoBody, takesSession } from "./route.ts";
import { sendFile } from "./send-file.ts";
import { sendPieces } from "./send-pieces.ts";
import type { RestSurface } from "./surface.ts";
import { surfaceOf, surfacesOf } from "./surfaces.ts";

export interface RestOptions {
  /** The public address of the service, without a slash at its end. Addresses in answers begin with it. */
  readonly publicUrl: string;
  /** How long an answer waits for its reader and for its source. */
  readonly patience: AnswerPatience;
}

/** The documented paths of services, each on its surface. */
export async function restPlugin<Parts extends RestParts>(
  app: FastifyInstance,
  services: readonly ServedService<Parts>[],
  parts: Parts,
  options: RestOptions,
): Promise<void> {
  for (const surface of surfacesOf(services))
    await app.register((scope) => surfacePlugin(scope, surface, services, parts, options), { prefix: surface.prefix });
}

/** The documented paths of one surface: parse the request, make one database call, answer. */
async function surfacePlugin<Parts extends RestParts>(
  app: FastifyInstance,
  surface: RestSurface,
  services: readonly ServedService<Parts>[],
  parts: Parts,
  { patience, publicUrl }: RestOptions,
): Promise<void> {
  const routes = routesOf(services).filter((route) => surfaceOf(route) === surface);
  const { credentials, errors, limits, isOnePath = false, isLenient = false } = surface;
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    isLenient ? "*" : "application/json",
    { parseAs: "buffer", bodyLimit: MOST_JSON_BYTES },
    // Some clients send Content-Type JSON with an empty body.
    async ({ routeOptions }: FastifyRequest, body: Buffer) => {
      const route = routeOptions.config.selo;
      if (route !== undefined && takesFileAlone(route)) throw unreadType(route);
      const mayBeEmpty = route?.body === undefined || takesNoBody(route);
      return body.length === 0 && mayBeEmpty ? undefined : parseJson(body);
    },
  );
  if (!isLenient) await app.register(multipart);
  app.decorateRequest("credentialHash", null);
  app.decorateRequest("session", null);

  app.setErrorHandler(async (error, request, reply) => {
    const { selo: route } = request.routeOptions.config;
    const isOfType = error instanceof Error && "code" in error && error.code === "FST_ERR_CTP_INVALID_MEDIA_TYPE";
    const known = isOfType && route !== undefined ? unreadType(route) : asAppError(error);
    // Check the caller's right first: a caller without it learns nothing about other faults of the request.
    const refusal =
      known !== null && known.status < 500 ? ((await refusedFirst(parts, surface, request, known)) ?? known) : known;
    if (refusal !== null) alarmFor(refusal, parts.database, request.log);
    else request.log.error({ err: error }, "request failed");
    const told = refusal ?? internalError(request.id);
    // Another 401 speaks of something beside the credential, such as a session.
    if (told.code !== "unauthenticated" || request.credentialHash === null) return sendError(reply, told, errors);
    parts.limits.refused(request.credentialHash);
    return sendError(reply, request.session === null ? credentials.unknown() : unknownSession(), errors);
  });
  const unknown = ({ url }: FastifyRequest, reply: FastifyReply) =>
    unknownPath(reply, url.slice(surface.prefix.length).replace(/\?.*$/s, ""), (path) => methodsOf(routes, path));
  if (!isOnePath) app.setNotFoundHandler(async (request, reply) => sendError(reply, unknown(request, reply), errors));

  for (const route of routes) {
    // Only answers of writes can contain a secret.
    const isRead = !writes(route.of);
    app.route({
      method: route.method,
      // Goes before the limit of the parser.
      ...(route.of.mostJsonBytes === undefined ? {} : { bodyLimit: route.of.mostJsonBytes }),
      url: route.path.replaceAll(/\{(\w+)\}/g, ":$1"),
      config: {
        selo: route,
        ...(route.multipart ? { takesFilesOf: scopeOf(route) === null ? "anyone" : "token holders" } : {}),
      },
      // Runs before the body is read.
      onRequest: async (request, reply) => {
        if (scopeOf(route) === null) {
          await parts.limits.address(request.ip, reply, { form: limits });
          if (surface.takesSessions) requireOwnOrigin(request.headers, publicUrl);
          return;
        }
        const session = takesSession(route) ? sessionOf(request.headers) : null;
        const digest = session?.credentialHash ?? credentials.digest(request.headers);
        if (session === null)
          await parts.limits.token(digest, request.ip, reply, { form: limits }).catch((error: unknown) => {
            throw error instanceof AppError && error.status === 401 ? credentials.unknown() : error;
          });
        else await admitSession(session, request, reply, parts, limits);
        request.session = session;
        request.credentialHash = digest;
        // A large body is read only for a caller who may send it.
        if (route.of.mostJsonBytes !== undefined)
          await parts.database.authorize(digest, route.command, splitParams(surface, request).organization);
      },
      handler: async (request, reply) => {
        // The router matches "/proofs/" as a proof with an empty id.
        if (Object.values(request.params as object).includes("")) throw unknown(request, reply);
        if ("or" in route.answers) vary(reply, "Accept");
        const answer = await respond(parts, route, readRequest(route, surface, request));
        if (request.credentialHash !== null) parts.tokenUse.seen(request.credentialHash);
        if ("file" in answer) return sendFile(request, reply, answer, patience);
        const etag = answer.headers?.["etag"];
        if (etag !== undefined && isKnownInAnyCoding(request.headers["if-none-match"], etag))
          return vary(reply, "Accept-Encoding").code(304).header("etag", etag).send();
        if ("pieces" in answer) return sendPieces(request, reply, answer, patience);
        // A request line may contain the host before the path (RFC 9112 §3.2.2).
        const address = `${publicUrl}${request.url.replace(/^[^/?]*:\/\/[^/?]*/, "")}`;
        return sendAnswer(
          request,
          reply,
          address,
          "nothing" in route.answers ? { ...answer, body: null } : answer,
          surface,
          isRead,
        );
      },
    });
  }
  for (const { ownRoutes, ownRoutesSurface } of services)
    if (surfaceOf({ surface: ownRoutesSurface }) === surface)
      for (const register of ownRoutes ?? []) await app.register((scope) => register(scope, parts));
}

declare module "fastify" {
  interface FastifyRequest {
    /** SHA-256 of the credential's secret; null on paths that need no token, and before the limits have admitted the request. */
    credentialHash: Buffer | null;
    /** The session whose credential that is; null for another credential. */
    session: Session | null;
  }
  interface FastifyContextConfig {
    selo?: Route;
  }
}

/** 415, with the content types that the route reads. */
function unreadType({ body, multipart }: Pick<Route, "body" | "multipart">): AppError {
  const read = [...(body === undefined ? [] : ["application/json"]), ...(multipart ? ["multipart/form-data"] : [])];
  const message =
    read.length === 0
      ? "This path reads no body: send none, or an empty one without Content-Type or as application/json."
      : `This path reads ${read.join(" and ")}, not the content type of the request.`;
  return new AppError(415, "unsupported_media_type", message);
}

/** Characters of a User-Agent that are recorded. Those of browsers have at most about 300. */
const MOST_AGENT = 512;

/** For paths without a query or a body: any member there is unknown, and a mistake of the caller. */
const nothing = z.strictObject({});

function readRequest(route: Route, surface: RestSurface, raw: FastifyRequest): RestRequest {
  const { channel = "rest", ofHeaders, isLenient = false } = surface;
  const isMultipart = !isLenient && raw.isMultipart();
  if (isMultipart && !route.multipart) throw unreadType(route);
  const body = raw.body === undefined && takesNoBody(route) ? {} : raw.body;
  if ((route.body || takesFileAlone(route)) && !isMultipart && body === undefined)
    throw malformedRequest("The body is empty.");
  if (!route.body && !isMultipart && !isLenient && raw.body !== undefined && raw.body !== null)
    parseShape(nothing, raw.body);
  const key = raw.headers["idempotency-key"];
  if (route.method !== "GET" && key !== undefined) checkedKey(key);
  const { organization, params } = splitParams(surface, raw);
  return {
    raw,
    path: raw.url.replace(/\?.*$/s, ""),
    credentialHash: raw.credentialHash,
    isMultipart,
    origin: {
      requestId: raw.id,
      address: raw.ip ?? "",
      channel,
      ...(channel === "page" ? { agent: raw.headers["user-agent"]?.slice(0, MOST_AGENT) ?? null } : {}),
      organization,
    },
    ofHeaders: ofHeaders?.read(raw.headers, raw.session) ?? {},
    arguments: {
      ...(route.params ? parseShape(route.params, params) : {}),
      ...(route.query === undefined && isLenient ? {} : readQuery(route.query ?? nothing, raw.query)),
      ...(route.body && !isMultipart ? parseShape(route.body, body) : {}),
    },
  };
}

/** Parameters of the path: those of the command, and the organization, of which the command knows nothing. */
function splitParams({ organizationIn }: Pick<RestSurface, "organizationIn">, raw: FastifyRequest) {
  const params = { ...(raw.params as Readonly<Record<string, string>>) };
  if (organizationIn === undefined) return { organization: null, params };
  const { [organizationIn.parameter]: named = null, ...others } = params;
  // What is no number is the number of no organization. Postgres cannot hold every text.
  const organization = named === null || /^\d{1,20}$/.test(named) ? named : "";
  return { organization, params: others };
}

async function respond<Parts extends RestParts>(
  parts: Parts,
  route: Route<Parts>,
  request: RestRequest,
): Promise<Answer | FileAnswer | ListInPieces> {
  if (route.of.run) return run(parts, route, request);
  const { credentialHash, origin, ofHeaders, raw } = request;
  const given = withHeaders(route.command, request.arguments, ofHeaders);
  const call = { credentialHash, command: route.command, arguments: given, status: route.status, origin };
  // Lists may be slow, and would delay the reads that travel with them.
  if (route.method === "GET")
    return readsList(route) || commandFacts(route.command).slow ? parts.database.list(call) : parts.database.read(call);
  const idempotency = takesKey(route.of, route)
    ? idempotencyOf(raw.headers["idempotency-key"], raw.method, request.path, request.arguments, keysOwnerOf(route))
    : null;
  return parts.database.call({ ...call, idempotency });
}

/** The name of a path that has its own Idempotency-Keys; null for a path that shares the keys of the organization. */
const keysOwnerOf = <Parts>({ of, operation }: Route<Parts>) => (operation === of.name ? null : operation);

/** Runs an operation that needs TypeScript between database calls. */
async function run<Parts extends RestParts>(
  parts: Parts,
  route: Route<Parts>,
  request: RestRequest,
): Promise<Answer | FileAnswer | ListInPieces> {
  const { file: takes, run: work } = route.of;
  const { credentialHash, origin, ofHeaders, raw, isMultipart, path } = request;
  if (takesContent(takes) && !isMultipart) throw fileRequired();
  const { input, file } = isMultipart
    ? await readForm(parts, route, request)
    : { input: request.arguments, file: null };
  // The content that identifies a repeated request. A kept file counts by digest and name, as in GraphQL, so the boundaries of its form do not matter.
  const content =
    file !== null && takesContent(takes)
      ? { files: [{ file: file.sha256.toString("hex"), file_name: file.fileName }] }
      : {};
  const payload = takes === undefined ? input : { multipart: isMultipart, ...input, ...content };
  const idempotency = takesKey(route.of, route)
    ? idempotencyOf(raw.headers["idempotency-key"], raw.method, path, payload, keysOwnerOf(route))
    : null;
  const given = workOf(
    parts,
    { credentialHash, origin, ...keyFor(route.of, idempotency), ofHeaders },
    file,
    preferredOf(route, raw),
  );
  return unlessRefused(file, () =>
    (work as (of: Work<Parts>, input: unknown) => Promise<Answer | FileAnswer | ListInPieces>)(given, input),
  );
}

/** JSON unless the request prefers the file of a route that has both: an `Accept` that names neither asks for nothing else (RFC 9110 §12.5.1). */
function preferredOf<Parts>({ answers }: Pick<Route<Parts>, "answers">, request: FastifyRequest): "json" | "file" {
  if (!("or" in answers) || answers.or === undefined) return "json";
  return new Negotiator(request).mediaType(["application/json", answers.or.file]) === answers.or.file ? "file" : "json";
}

/** 401 or 403 for a request with a wrong shape whose caller also lacks the right to make it. */
async function refusedFirst(
  { database }: RestParts,
  surface: RestSurface,
  request: FastifyRequest,
  refusal: AppError,
): Promise<AppError | null> {
  const route = request.routeOptions.config.selo;
  if (!route || request.credentialHash === null || refusal.status === 401 || refusal.status === 403) return null;
  try {
    await database.authorize(request.credentialHash, route.command, splitParams(surface, request).organization);
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
  void reply.headers(answer.headers ?? {});
  if (answer.cookies !== undefined) void reply.header("set-cookie", [...answer.cookies]);
  if (answer.body === null) return reply.code(answer.status === 200 ? 204 : answer.status).send();
  // The text is sent as SQL made it: nothing is parsed or written again.
  const page = readPage(answer.body);
  const { body, headers } = page === null ? { body: answer.body, headers: {} } : lists.send(page, address);
  void reply.code(answer.status).headers(headers).type("application/json; charset=utf-8");
  if (!isRead) return reply.send(body);
  const text = encoded(request, reply, body);
  return reply.send(typeof text === "string" ? text : await text);
}

/** The methods that a path has. */
function methodsOf(routes: readonly Route[], path: string): string[] {
  const methods = routes.filter((route) => pattern(route).test(path)).map((route) => route.method);
  return methods.includes("GET") ? [...methods, "HEAD"] : methods;
}

function pattern(route: Route): RegExp {
  return new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
}
