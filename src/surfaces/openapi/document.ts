import type { ApiCatalog } from "../../postgres/migrate/api-catalog.ts";
import { KEY_FORM } from "../http/idempotency.ts";
import { sessionScheme } from "../http/session.ts";
import { joined } from "../joined.ts";
import { answersPart, type Route, routesOf, takesSession } from "../rest/route.ts";
import type { DescribedSurface, DocumentedHeader } from "../rest/surface.ts";
import { surfaceOf } from "../rest/surfaces.ts";
import type { ServedService } from "../served-service.ts";
import type { ApiDescription, ReadRows } from "./api-description.ts";
import { errorName, errorsByStatus } from "./errors.ts";
import { callers } from "./examples/example-request.ts";
import type { RecordedExample } from "./examples/recorded-example.ts";
import { FORMATS, REQUEST_ID } from "./members.ts";
import { errorAnswers, operationOf } from "./operation.ts";
import type { Defaults } from "./prose.ts";
import { requestBodyOf } from "./request-body.ts";
import { pageOf, partial, partOf, propertiesOf, type Rows, rowsOf, rowWith } from "./resources.ts";
import { reachable, type Schema } from "./schema.ts";

export interface DocumentFacts {
  readonly surface: DescribedSurface;
  readonly services: readonly ServedService[];
  readonly version: string;
  readonly catalog: ApiCatalog;
  readonly read: ReadRows;
  readonly defaults: Defaults;
  /** The recorded examples of this surface. */
  readonly recorded: readonly RecordedExample[];
}

/** OpenAPI 3.1 of every route of a surface. */
export async function openApiDocument(facts: DocumentFacts): Promise<object> {
  const { surface, services, version, catalog, read, defaults, recorded } = facts;
  const { document } = surface;
  const { securityScheme } = surface.credentials;
  const descriptions = await describe(services);
  const ownPaths = descriptions.flatMap(({ ownPaths: own = [] }) => own);
  const routes = routesOf([...services, { operations: ownPaths }]).filter((route) => surfaceOf(route) === surface);
  const rows = rowsOf(catalog.views, joined([FORMATS, ...descriptions.map(({ formats = {} }) => formats)], "a format"));
  const described = joined(
    descriptions.map(({ schemas }) => schemas(rows)),
    "a schema",
  );
  const whole = { ...described, ...plainSchemas(routes, described, rows) };
  const resources = { ...whole, ...partialSchemas(routes, whole) };
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const own = recorded.filter(({ operation }) => operation === route.operation);
    paths[route.path] ??= {};
    Object.assign(paths[route.path] as object, {
      [route.method.toLowerCase()]: operationOf(route, surface, catalog, resources, own),
    });
  }
  const webhooks = document.describesWebhooks
    ? joined(await Promise.all(descriptions.map(({ webhooks }) => webhooks?.(read, recorded) ?? {})), "a webhook")
    : null;
  const bodies = joined(
    routes.map((route) => requestBodyOf(route, resources, [])?.schemas ?? {}),
    "a schema of a request",
  );
  const schemas = { ...joined([resources, bodies], "a schema"), ...errorSchemas(routes, catalog, surface) };
  return {
    openapi: "3.1.1",
    info: {
      title: document.title,
      version,
      description: document.introduction(defaults, descriptions),
      license: { name: "MIT", identifier: "MIT" },
    },
    // Each deployment describes itself.
    servers: [{ url: surface.prefix, description: "The server from which this description was loaded." }],
    tags: Object.entries(
      joined(
        descriptions.map(({ tags }) => tags),
        "a heading",
      ),
    )
      .filter(([name]) => routes.some(({ tag }) => tag === name))
      .map(([name, description]) => ({ name, description })),
    paths,
    ...(webhooks === null ? {} : { webhooks }),
    components: {
      securitySchemes: {
        [securityScheme.name]: securityScheme.definition,
        ...(routes.some(takesSession) ? { [sessionScheme.name]: sessionScheme.definition } : {}),
      },
      ...reachable(
        { paths, webhooks },
        {
          parameters: {
            IdempotencyKey: IDEMPOTENCY_KEY,
            ...joined(
              descriptions.map(({ parameters = {} }) => parameters),
              "a parameter",
            ),
          },
          responses: errorAnswers(routes, surface, catalog, recorded),
          headers: headersWith(recorded, surface),
          schemas,
        },
      ),
    },
    // Every answer was given to the request in its x-request, in the order of the steps, by a caller of this list.
    "x-callers": callers,
  };
}

/** Schemas that routes name and no service describes: rows of views, rows with members beside them, and pages of rows. */
function plainSchemas(
  routes: readonly Route[],
  described: Readonly<Record<string, Schema>>,
  rows: Rows,
): Record<string, Schema> {
  const plain: Record<string, Schema> = {};
  for (const { answers } of routes) {
    if (!("schema" in answers) || answers.schema in described) continue;
    const { schema, row, with: beside } = answers;
    const item = schema.replace(/Page$/, "");
    if (row !== undefined) plain[item] = beside === undefined ? rows.row(row) : rowWith(rows.row(row), beside);
    if (item !== schema) plain[schema] = pageOf(item, "A page of items.");
    else if (row === undefined) throw new Error(`no service describes ${schema}`);
  }
  return plain;
}

/** Schemas of partial answers. */
function partialSchemas(routes: readonly Route[], whole: Readonly<Record<string, Schema>>): Record<string, Schema> {
  const made: Record<string, Schema> = {};
  for (const { answers, query } of routes.filter(answersPart)) {
    const schema = "schema" in answers ? whole[answers.schema] : undefined;
    if (schema === undefined || !("schema" in answers)) continue;
    const { items } = propertiesOf(schema);
    const page = /[^/]+$/.exec(String((items?.["items"] as Schema | undefined)?.["$ref"] ?? ""))?.[0] ?? null;
    const choosesMembers = query !== undefined && "fields" in query.shape;
    made[partOf(answers.schema)] = partial(schema, answers.schema, page, choosesMembers);
    if (page !== null && choosesMembers) made[partOf(page)] = partial(whole[page] ?? {}, page, null, false);
  }
  return made;
}

async function describe(services: readonly ServedService[]): Promise<ApiDescription[]> {
  const all = await Promise.all(services.map((service) => service.openapi?.()));
  return all.filter((description) => description !== undefined);
}

function errorSchemas(
  routes: readonly Route[],
  { errorCodes }: ApiCatalog,
  { document }: DescribedSurface,
): Record<string, Schema> {
  const all = routes.flatMap((route) => [...errorsByStatus(route, errorCodes).values()].map(({ codes }) => codes));
  return Object.fromEntries(all.map((codes) => [errorName(codes), document.errorSchema(codes)]));
}

const IDEMPOTENCY_KEY = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "Unique for each logical operation. With the same key, a request can be repeated safely: it gets the answer to the request that succeeded.",
  required: false,
  schema: { type: "string", minLength: KEY_FORM.least, maxLength: KEY_FORM.most, pattern: KEY_FORM.pattern },
  // No example: /docs would send it with every request tried there, and the second request would be refused.
};

const headersOf = ({ lists, document, errors }: DescribedSurface): Readonly<Record<string, DocumentedHeader>> => ({
  "X-Request-Id": {
    description:
      "Identifies the request in our logs. It is the X-Request-Id of the request if that has the right form, otherwise a new UUID.",
    schema: REQUEST_ID,
  },
  "Idempotent-Replayed": {
    description: "Present if an earlier request with the same Idempotency-Key produced this answer.",
    schema: { type: "string", enum: ["true"] },
  },
  ...lists.documentedHeaders,
  ...document.writeHeaders,
  ...document.limitHeaders,
  "Retry-After": {
    description: "Seconds to wait before the next request.",
    schema: { type: "integer", minimum: 1 },
  },
  "Content-Disposition": {
    description: "Proposes a name for the file.",
    schema: { type: "string" },
  },
  "WWW-Authenticate": {
    description: "The authentication scheme to use (RFC 6750 §3).",
    schema: { type: "string", enum: [errors.challenge] },
  },
});

/** Each header with its value in the first recorded answer, but without a value if the value changes each time. */
function headersWith(recorded: readonly RecordedExample[], surface: DescribedSurface): Record<string, object> {
  return Object.fromEntries(
    Object.entries(headersOf(surface)).map(([name, { changes, ...header }]) => {
      const values = recorded.map(({ responseHeaders }) => responseHeaders.get(name));
      const example =
        header.schema["type"] === "string" && changes !== true ? values.find((value) => value !== null) : undefined;
      return [name, { ...header, ...(example === undefined ? {} : { example }) }];
    }),
  );
}
