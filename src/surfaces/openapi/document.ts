import type { ApiCatalog } from "../../postgres/migrate/api-catalog.ts";
import type { Service } from "../../service.ts";
import { API_PREFIX } from "../rest/rest.ts";
import type { Route } from "../rest/route.ts";
import type { ApiDescription, ReadRows } from "./api-description.ts";
import { errorName, errorSchema, errorsByStatus } from "./errors.ts";
import { callers } from "./examples/example-request.ts";
import type { RecordedExample } from "./examples/recorded-example.ts";
import { operationOf } from "./operation.ts";
import { BEARER, type Defaults, introduction } from "./prose.ts";
import { rowsOf } from "./resources.ts";
import type { Schema } from "./schema.ts";

export interface DocumentFacts {
  readonly services: readonly Service[];
  readonly version: string;
  readonly catalog: ApiCatalog;
  readonly read: ReadRows;
  readonly defaults: Defaults;
  readonly recorded: readonly RecordedExample[];
}

/** schema/openapi.json: OpenAPI 3.1 of every route. */
export async function openApiDocument(facts: DocumentFacts): Promise<object> {
  const { services, version, catalog, read, defaults, recorded } = facts;
  const routes = services.flatMap((service) => service.routes ?? []);
  const descriptions = await describe(services);
  const rows = rowsOf(catalog.views);
  const resources = joined(descriptions.map(({ schemas }) => schemas(rows)));
  const webhooks = await Promise.all(descriptions.map(({ webhooks }) => webhooks?.(read, recorded) ?? {}));
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const own = recorded.filter(({ operation }) => operation === route.operation);
    paths[route.path] ??= {};
    Object.assign(paths[route.path] as object, {
      [route.method.toLowerCase()]: operationOf(route, catalog, resources, own),
    });
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "Selo",
      version,
      description: introduction(defaults),
      license: { name: "MIT", identifier: "MIT" },
    },
    // Each deployment describes itself.
    servers: [{ url: API_PREFIX, description: "Where this description was loaded from." }],
    tags: Object.entries(joined(descriptions.map(({ tags }) => tags))).map(([name, description]) => ({
      name,
      description,
    })),
    paths,
    webhooks: joined(webhooks),
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer", description: BEARER } },
      parameters: {
        IdempotencyKey: IDEMPOTENCY_KEY,
        ...joined(descriptions.map(({ parameters = {} }) => parameters)),
      },
      headers: headersWith(recorded),
      schemas: { ...resources, ...errorSchemas(routes, catalog) },
    },
    // Every answer shown was given to the request in its x-request, in the order of the steps, by a caller named here.
    "x-callers": callers,
  };
}

async function describe(services: readonly Service[]): Promise<ApiDescription[]> {
  const all = await Promise.all(services.map((service) => service.openapi?.()));
  return all.filter((description) => description !== undefined);
}

/** @throws Error when two services use one name */
function joined<Value>(parts: readonly Readonly<Record<string, Value>>[]): Record<string, Value> {
  const all: Record<string, Value> = {};
  for (const [name, value] of parts.flatMap((part) => Object.entries(part))) {
    if (name in all) throw new Error(`two services describe ${name}`);
    all[name] = value;
  }
  return all;
}

function errorSchemas(routes: readonly Route[], { errorCodes }: ApiCatalog): Record<string, Schema> {
  const all = routes.flatMap((route) => [...errorsByStatus(route, errorCodes).values()].map(({ codes }) => codes));
  return Object.fromEntries(all.map((codes) => [errorName(codes), errorSchema(codes)]));
}

const IDEMPOTENCY_KEY = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "Unique for each logical operation: with it, a request can be repeated safely, and answers what the one that succeeded got.",
  required: false,
  schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[!-~]+$" },
  // No example: /docs would send it with every request tried there, and the second one would be refused.
};

const HEADERS: Readonly<Record<string, { readonly description: string; readonly schema: Schema }>> = {
  "X-Request-Id": {
    description: "Finds the request in our logs.",
    schema: { type: "string", format: "uuid" },
  },
  "Idempotent-Replayed": {
    description: "There when an earlier request with the same Idempotency-Key made this answer.",
    schema: { type: "string", enum: ["true"] },
  },
  Link: {
    description: "The next and the previous page, where there are such (RFC 8288, rel `next` and `prev`).",
    schema: { type: "string" },
  },
  RateLimit: {
    description:
      "How many requests are left (`r`), of a token or of an address without one, and in how many seconds the minute ends (`t`).",
    schema: { type: "string" },
  },
  "RateLimit-Policy": {
    description: "How many requests there are (`q`) in how many seconds (`w`).",
    schema: { type: "string" },
  },
  "Retry-After": {
    description: "Seconds until it is worth asking again.",
    schema: { type: "integer", minimum: 1 },
  },
  "Content-Disposition": {
    description: "Proposes a file name.",
    schema: { type: "string" },
  },
  "WWW-Authenticate": {
    description: "What to present (RFC 6750 §3).",
    schema: { type: "string", enum: ["Bearer"] },
  },
};

/** Each with the first value that an example was answered with; of Retry-After and RateLimit, which differ each time, none. */
function headersWith(recorded: readonly RecordedExample[]): Record<string, object> {
  return Object.fromEntries(
    Object.entries(HEADERS).map(([name, header]) => {
      const values = recorded.map(({ responseHeaders }) => responseHeaders.get(name));
      const example =
        header.schema["type"] === "string" && name !== "RateLimit" ? values.find((value) => value !== null) : undefined;
      return [name, { ...header, ...(example === undefined ? {} : { example }) }];
    }),
  );
}
