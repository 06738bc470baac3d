import { isDeepStrictEqual } from "node:util";
import { type Components, hasInPlaceOf, type Schema, schemaNarrowings, type Use } from "./schema-narrowings.ts";

/** The parts of an OpenAPI 3.1 description that callers rely on. */
export interface OpenApi extends Components {
  info: { title: string; version: string };
  servers?: { url: string }[];
  security?: Security[];
  paths?: { [path: string]: PathItem };
  webhooks?: { [name: string]: PathItem };
  components?: Components["components"] & {
    parameters?: { [name: string]: Parameter };
    headers?: { [name: string]: Header };
    requestBodies?: { [name: string]: Body };
    responses?: { [name: string]: Answer };
    securitySchemes?: { [name: string]: { description?: string } };
  };
}
type Security = { [scheme: string]: string[] };
type PathItem = { [method: string]: Operation };
interface Operation {
  operationId?: string;
  security?: Security[];
  parameters?: (Reference | Parameter)[];
  requestBody?: Reference | Body;
  responses?: { [status: string]: Reference | Answer };
}
type Body = { required?: boolean; content: Content };
type Answer = { content?: Content; headers?: { [name: string]: Reference | Header } };
type Content = { [mediaType: string]: { schema?: Schema } };
type Reference = { $ref: string };
type Header = { required?: boolean; schema?: Schema; style?: string; explode?: boolean };
type Parameter = Header & { name: string; in: string };

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/**
 * What callers lose between two descriptions: removed operations, parameters, members, statuses and values, new requirements, narrower limits,
 * and new forms of answers and webhooks. Generated clients are callers, so the names of schemas and operations count too.
 * @returns sentences that begin with the surface, such as "REST: `GET /proofs?limit` has `maximum` 100 in place of 200."
 */
export function openApiNarrowings(before: OpenApi, after: OpenApi, surface = "REST"): string[] {
  const wholes = { before, after };
  const rest = [
    ...gone(
      before.servers?.map(({ url }) => url),
      after.servers?.map(({ url }) => url),
    ),
    ...gone(Object.keys(before.components?.schemas ?? {}), Object.keys(after.components?.schemas ?? {})),
    ...schemesNarrowings(before, after),
    ...operationsNarrowings(before.paths, after.paths, pathName, { ...wholes, sent: "request", answered: "answer" }),
  ];
  // Selo is the caller of a webhook. The receiver must understand the request, as a caller must understand an answer.
  const webhooks = operationsNarrowings(before.webhooks, after.webhooks, (event) => event, {
    ...wholes,
    sent: "answer",
    answered: "request",
  });
  return [...rest.map((each) => `${surface}: ${each}`), ...webhooks.map((each) => `Webhooks: ${each}`)];
}

const pathName = (path: string, method: string) => `${method.toUpperCase()} ${path}`;

const gone = (before: string[] = [], after: string[] = []) =>
  before.filter((each) => !after.includes(each)).map((each) => `\`${each}\` was removed.`);

function schemesNarrowings(before: OpenApi, after: OpenApi): string[] {
  const now = after.components?.securitySchemes ?? {};
  return Object.entries(before.components?.securitySchemes ?? {})
    .filter(([name, scheme]) => !isDeepStrictEqual({ ...scheme, description: "" }, { ...now[name], description: "" }))
    .map(([name]) => `The way of authentication \`${name}\` was changed.`);
}

/** Two descriptions, and the rules for what operations are sent and for what they answer: those of a request or those of an answer. */
interface Roles {
  before: OpenApi;
  after: OpenApi;
  sent: Use["role"];
  answered: Use["role"];
}

function operationsNarrowings(
  before: OpenApi["paths"] = {},
  after: OpenApi["paths"] = {},
  nameOf: (key: string, method: string) => string,
  roles: Roles,
): string[] {
  return Object.entries(before).flatMap(([key, methods]) =>
    Object.entries(methods)
      .filter(([method]) => METHODS.includes(method))
      .flatMap(([method, old]) => {
        const now = after[key]?.[method];
        const name = nameOf(key, method);
        return now ? operationNarrowings(name, old, now, roles) : [`\`${name}\` was removed.`];
      }),
  );
}

function operationNarrowings(name: string, before: Operation, after: Operation, roles: Roles): string[] {
  const sent: Use = { ...roles, role: roles.sent };
  const answered: Use = { ...roles, role: roles.answered };
  const found: string[] = [];
  if (before.operationId !== after.operationId)
    found.push(hasInPlaceOf(name, "operationId", before.operationId, after.operationId));
  found.push(
    ...securityNarrowings(
      name,
      before.security ?? roles.before.security ?? [],
      after.security ?? roles.after.security ?? [],
    ),
  );

  const parametersAfter = parametersOf(name, after, roles.after);
  const parametersBefore = parametersOf(name, before, roles.before);
  found.push(...headersNarrowings(parametersBefore, parametersAfter, sent));

  const body = `${name} body`;
  const bodyBefore = before.requestBody && resolved<Body>(before.requestBody, roles.before);
  const bodyAfter = after.requestBody && resolved<Body>(after.requestBody, roles.after);
  if (bodyBefore && !bodyAfter) found.push(`\`${body}\` was removed.`);
  if (isAskedFor(bodyBefore, bodyAfter, sent)) found.push(required(body, sent));
  if (bodyBefore && bodyAfter) found.push(...contentNarrowings(body, bodyBefore.content, bodyAfter.content, sent));

  for (const [status, each] of Object.entries(before.responses ?? {})) {
    const answer = `${name} ${status}`;
    if (!after.responses?.[status]) {
      found.push(`\`${answer}\` was removed.`);
      continue;
    }
    const old = resolved<Answer>(each, roles.before);
    const now = resolved<Answer>(after.responses[status], roles.after);
    const named = (headers: Answer["headers"] = {}, document: OpenApi) =>
      Object.fromEntries(
        Object.entries(headers).map(([header, each]) => [`${answer} ${header}`, resolved<Header>(each, document)]),
      );
    found.push(...headersNarrowings(named(old.headers, roles.before), named(now.headers, roles.after), answered));
    found.push(...contentNarrowings(answer, old.content, now.content, answered));
  }
  return found;
}

type Headers = { [name: string]: Resolved<Header> };

/** Parameters by their names in sentences, such as `GET /proofs?limit` and `POST /proofs Idempotency-Key`. */
function parametersOf(operation: string, { parameters = [] }: Operation, document: OpenApi): Headers {
  return Object.fromEntries(
    parameters.map((each) => {
      const parameter = resolved<Parameter>(each, document);
      return [`${operation}${parameter.in === "query" ? "?" : " "}${parameter.name}`, parameter];
    }),
  );
}

function headersNarrowings(before: Headers, after: Headers, use: Use): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) => {
    const [old, now] = [before[name], after[name]];
    if (!now) return [`\`${name}\` was removed.`];
    if (!old) return isAskedFor(old, now, use) ? [required(name, use)] : [];
    return headerNarrowings(old.component && old.component === now.component ? old.component : name, old, now, use);
  });
}

function headerNarrowings(name: string, old: Header, now: Header, use: Use): string[] {
  const found = isAskedFor(old, now, use) ? [required(name, use)] : [];
  for (const written of ["style", "explode"] as const)
    if (old[written] !== now[written]) found.push(hasInPlaceOf(name, written, old[written], now[written]));
  return [...found, ...schemaNarrowings(name, old.schema ?? {}, now.schema ?? {}, use)];
}

/** Whether a value became required in a request, or may now be absent from an answer. */
function isAskedFor(before: { required?: boolean } = {}, after: { required?: boolean } = {}, { role }: Use): boolean {
  const [must, may] = role === "request" ? [before, after] : [after, before];
  return may.required === true && must.required !== true;
}

const required = (name: string, { role }: Use) =>
  `\`${name}\` ${role === "request" ? "is required" : "may be absent"}.`;

function contentNarrowings(name: string, before: Content = {}, after: Content = {}, use: Use): string[] {
  return Object.entries(before).flatMap(([mediaType, { schema: old = {} }]) => {
    const now = after[mediaType];
    if (!now) return [`\`${name}\` ${use.role === "request" ? "no longer takes" : "is no longer"} \`${mediaType}\`.`];
    return schemaNarrowings(
      mediaType === "application/json" ? name : `${name} (${mediaType})`,
      old,
      now.schema ?? {},
      use,
    );
  });
}

/** Every earlier form of authentication must still suffice: some present form needs no other scheme and no further scope. */
function securityNarrowings(name: string, before: Security[], after: Security[]): string[] {
  const ways = (security: Security[]) => (security.length === 0 ? [{}] : security);
  const letsIn = (now: Security, old: Security) =>
    Object.entries(now).every(
      ([scheme, scopes]) => scopes.every((scope) => old[scheme]?.includes(scope)) && old[scheme],
    );
  return ways(before)
    .filter((old) => !ways(after).some((now) => letsIn(now, old)))
    .map((old) => hasInPlaceOf(name, "security", old, after));
}

/** A part of a description. `component` is its name in `components`, if the part was a reference. */
type Resolved<T> = T & { component?: string };

function resolved<T extends object>(each: Reference | T, document: OpenApi): Resolved<T> {
  if (!("$ref" in each)) return each;
  const [, group = "", name = ""] = /^#\/components\/(\w+)\/(.+)$/.exec(each.$ref) ?? [];
  const groups = document.components as { [group: string]: { [name: string]: T } | undefined } | undefined;
  const target = groups?.[group]?.[name];
  if (!target) throw new Error(`nothing at ${each.$ref}`);
  return { ...target, component: name };
}
