import { ANY_TOKEN } from "../../postgres/command.ts";
import type { ApiCatalog } from "../../postgres/migrate/api-catalog.ts";
import { KEY_FORM } from "../http/idempotency.ts";
import { sessionHeaders, sessionScheme } from "../http/session.ts";
import { takesKey } from "../operation.ts";
import { answersFile, answersPart, type Route, scopeOf, takesSession } from "../rest/route.ts";
import type { DescribedSurface } from "../rest/surface.ts";
import { errorName, errorsByStatus } from "./errors.ts";
import type { RecordedExample } from "./examples/recorded-example.ts";
import { requestBodyOf } from "./request-body.ts";
import { partOf } from "./resources.ts";
import { membersOf, ref, type Schema } from "./schema.ts";

/** One operation of the description. */
export function operationOf(
  route: Route,
  surface: DescribedSurface,
  catalog: ApiCatalog,
  schemas: Readonly<Record<string, Schema>>,
  recorded: readonly RecordedExample[],
): object {
  const { securityScheme } = surface.credentials;
  const scope = scopeOf(route);
  const paragraphs = [
    ...(route.description === undefined ? [] : [route.description]),
    whomFor(route, surface, catalog),
  ];
  const requestBody = requestBodyOf(route, schemas, recorded);
  const responses = {
    ...successesOf(route, surface, schemas, recorded),
    ...errorsOf(route, catalog),
  };
  const unknown = recorded.find(({ status }) => !(status in responses));
  if (unknown !== undefined)
    throw new Error(
      `${unknown.operation}.${unknown.name} was answered ${unknown.status}, which its route does not say`,
    );
  return {
    operationId: route.operation,
    tags: [route.tag],
    summary: route.summary,
    description: paragraphs.join("\n\n"),
    // OpenAPI 3.1 reads names here as roles that a bearer token needs.
    security:
      scope === null
        ? []
        : [
            { [securityScheme.name]: scope === ANY_TOKEN ? [] : [scope] },
            ...(takesSession(route) && securityScheme.name !== sessionScheme.name
              ? [{ [sessionScheme.name]: [] }]
              : []),
          ],
    parameters: parametersOf(route, surface, recorded),
    ...(requestBody === null ? {} : { requestBody: requestBody.body }),
    responses,
  };
}

function whomFor(route: Route, { takesSessions }: DescribedSurface, { scopes }: ApiCatalog): string {
  const scope = scopeOf(route);
  if (scope === null) return "Open to everyone: needs no token.";
  if (takesSessions) return "Needs a session.";
  const orSession = takesSession(route) ? " Also takes a session." : "";
  if (scope === ANY_TOKEN) return `Needs a token but no scope.${orSession}`;
  return `Needs the scope \`${scope}\` (${scopes.get(scope) ?? scope}).${orSession}`;
}

function parametersOf(
  route: Route,
  { ofHeaders, organizationIn, integersInPaths = [] }: DescribedSurface,
  recorded: readonly RecordedExample[],
): object[] {
  const { path, query } = valuesOf(route, recorded);
  const parameters = (shape: Route["query"], place: "path" | "query", values: Readonly<Record<string, string>>) =>
    (shape === undefined ? [] : membersOf(shape)).map(({ name, required, schema: { description, ...written } }) => {
      const schema = place === "path" && integersInPaths.includes(name) ? { type: "integer" } : written;
      return {
        name,
        in: place,
        description,
        required: required || place === "path",
        ...(schema["type"] === "array" ? { style: "form", explode: false } : {}),
        schema,
        ...(values[name] === undefined ? {} : { example: exampleOf(schema, values[name]) }),
      };
    });
  return [
    ...(organizationIn !== undefined && route.path.includes(`{${organizationIn.parameter}}`)
      ? [
          {
            name: organizationIn.parameter,
            in: "path",
            description: organizationIn.description,
            required: true,
            schema: { type: "integer" },
          },
        ]
      : []),
    ...parameters(route.params, "path", path),
    ...parameters(route.query, "query", query),
    ...(route.of.made?.some((name) => ofHeaders?.parameters.includes(name))
      ? (ofHeaders?.headers ?? [])
          .filter(({ parameter }) => parameter === undefined || route.of.made?.includes(parameter))
          .map(({ name, parameter: _, ...described }) => ({ name, in: "header", required: false, ...described }))
      : []),
    ...(isTagged(route) ? [IF_NONE_MATCH] : []),
    ...(takesSession(route) ? sessionHeaders(route.method) : []),
    ...(takesKey(route.of, route) ? [keyOf(route)] : []),
  ];
}

/** The Idempotency-Key: that of all writes, or one that what is made keeps. */
const keyOf = ({ of }: Route) =>
  of.keepsKey === undefined
    ? { $ref: "#/components/parameters/IdempotencyKey" }
    : {
        name: "Idempotency-Key",
        in: "header",
        description: "Kept with what the request makes, forever: any later request with the same key gets the same.",
        required: false,
        schema: { type: "string", minLength: KEY_FORM.least, maxLength: of.keepsKey, pattern: KEY_FORM.pattern },
      };

/** A value of a path or a query in its own type. */
const exampleOf = (schema: Schema, text: string): unknown =>
  schema["type"] === "integer" ? Number(text) : schema["type"] === "array" ? text.split(",") : text;

/** The values in path and query of the first successful example. */
function valuesOf(route: Route, recorded: readonly RecordedExample[]) {
  const called = new URL(recorded.find(({ status }) => status < 300)?.path ?? "", "https://selo.example");
  const pattern = new RegExp(`^${route.path.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
  return {
    path: { ...pattern.exec(called.pathname)?.groups },
    query: Object.fromEntries(called.searchParams),
  };
}

/** Whether an answer has an entity tag. */
const isTagged = ({ answers }: Pick<Route, "answers">): boolean => "schema" in answers && answers.isTagged === true;

const IF_NONE_MATCH = {
  name: "If-None-Match",
  in: "header",
  required: false,
  description: "The `ETag` of an earlier answer. If nothing changed since, the answer is 304 without a body.",
  schema: { type: "string" },
};

const ETAG = {
  ETag: {
    description: "Changes with the answer. `If-Match` of a write and `If-None-Match` of a read take it.",
    schema: { type: "string" },
  },
};

const header = (name: string) => ({ [name]: { $ref: `#/components/headers/${name}` } });

const headersNamed = (described: Readonly<Record<string, unknown>>) =>
  Object.assign({}, ...Object.keys(described).map(header));

/** Headers of every answer. Those of the limit are absent if a request was refused before it was counted. */
const commonHeaders = ({ document }: DescribedSurface) => ({
  ...header("X-Request-Id"),
  ...headersNamed(document.limitHeaders),
});

function successesOf(
  route: Route,
  surface: DescribedSurface,
  schemas: Readonly<Record<string, Schema>>,
  recorded: readonly RecordedExample[],
): Record<number, object> {
  const { answers } = route;
  const { lists } = surface;
  const headers = {
    ...commonHeaders(surface),
    ...(takesKey(route.of, route)
      ? { ...header("Idempotent-Replayed"), ...headersNamed(surface.document.writeHeaders ?? {}) }
      : {}),
    ...("schema" in answers &&
    answers.schema.endsWith(lists.schemaSuffix) &&
    (lists.isBare !== true || "cursor" in (route.query?.shape ?? {}))
      ? headersNamed(lists.documentedHeaders)
      : {}),
    ...("file" in answers || "or" in answers ? header("Content-Disposition") : {}),
    ...(isTagged(route) ? ETAG : {}),
  };
  const unchanged = { 304: { description: "Nothing changed since `If-None-Match`.", headers } };
  const statuses =
    "nothing" in answers
      ? { [route.status]: answers.nothing }
      : "file" in answers || "stream" in answers
        ? { [route.status]: answers.description }
        : (answers.statuses ?? { [route.status]: describedAnswer(answers, schemas) });
  const whole = Object.fromEntries(
    Object.entries(statuses).map(([status, description]) => {
      if ("nothing" in answers) return [status, { description, headers, ...withoutContent(Number(status), recorded) }];
      if ("schema" in answers) {
        const other = answers.or === undefined ? {} : fileContent(answers.or.file);
        const content = { "application/json": { schema: answerSchema(route, answers.schema) }, ...other };
        return [status, { description, headers, content: withExamples(content, Number(status), recorded) }];
      }
      const mediaType = "file" in answers ? answers.file : answers.stream;
      const content = fileContent(mediaType);
      return [status, { description, headers, content: withExamples(content, Number(status), recorded) }];
    }),
  );
  return { ...whole, ...(isTagged(route) ? unchanged : {}), ...partsOfFile(route, surface) };
}

/** The answers to `Range` and `If-None-Match` of a route that answers a file (RFC 9110 §15.3.7, §15.4.5). */
function partsOfFile(route: Route, surface: DescribedSurface): Record<number, object> {
  const { answers } = route;
  if (!answersFile(route) || "stream" in answers || "nothing" in answers) return {};
  const mediaType = "file" in answers ? answers.file : (answers.or?.file ?? "");
  return {
    206: {
      description: "The bytes of the file that `Range` asks for. `Content-Range` says which they are.",
      headers: { ...commonHeaders(surface), ...header("Content-Disposition") },
      content: fileContent(mediaType),
    },
    304: {
      description: "The file has the `ETag` that `If-None-Match` names: the caller has it already.",
      headers: commonHeaders(surface),
    },
  };
}

function describedAnswer(
  { schema, or }: Extract<Route["answers"], { readonly schema: string }>,
  schemas: Readonly<Record<string, Schema>>,
): unknown {
  const description = schemas[schema]?.["description"];
  return or === undefined ? description : `${description}\n\nAs \`${or.file}\`: ${or.description}`;
}

/** A file, or a stream. Text is read as a text; other files have the form of OpenAPI 3.0 as well, which many programs expect. */
const fileContent = (mediaType: string) => ({
  [mediaType]: {
    schema: {
      type: "string",
      contentMediaType: mediaType,
      ...(mediaType.startsWith("text/") ? {} : { format: "binary" }),
    },
  },
});

/** The whole or a partial schema, if a caller may choose a part of the answer. */
const answerSchema = (route: Route, schema: string): Schema =>
  answersPart(route) ? { anyOf: [ref(schema), ref(partOf(schema))] } : ref(schema);

/** Headers that errors of a status have. */
const ERROR_HEADERS: Readonly<Record<number, string>> = {
  401: "WWW-Authenticate",
  429: "Retry-After",
  503: "Retry-After",
};

/** The errors of a route: each status refers to the shared answer with the codes that this route has. */
function errorsOf(route: Route, { errorCodes }: ApiCatalog): Record<number, object> {
  return Object.fromEntries(
    [...errorsByStatus(route, errorCodes)].map(([status, { codes }]) => [
      status,
      { $ref: `#/components/responses/${errorName(codes)}` },
    ]),
  );
}

/**
 * The answers that errors refer to, by name: one for each set of codes that a route has with a status. Each shows the first example of a name,
 * of whichever operation it is.
 */
export function errorAnswers(
  routes: readonly Route[],
  surface: DescribedSurface,
  { errorCodes }: ApiCatalog,
  recorded: readonly RecordedExample[],
): Record<string, object> {
  const uses = routes.flatMap((route) =>
    [...errorsByStatus(route, errorCodes)].map(([status, error]) => ({ ...error, status, route })),
  );
  const shapes = Map.groupBy(uses, ({ codes }) => errorName(codes));
  return Object.fromEntries(
    [...shapes].map(([name, same]) => {
      const [{ status, meaning }] = same as [(typeof same)[number]];
      const operations = new Set(same.map(({ route }) => route.operation));
      const content = { "application/json": { schema: ref(name) } };
      const own = ERROR_HEADERS[status];
      const headers = { ...commonHeaders(surface), ...(own === undefined ? {} : header(own)) };
      const examples = firstOfEachName(recorded.filter(({ operation }) => operations.has(operation)));
      return [name, { description: meaning, headers, content: withExamples(content, status, examples, true) }];
    }),
  );
}

function firstOfEachName(examples: readonly RecordedExample[]): RecordedExample[] {
  const byStatusAndName = Map.groupBy(examples, ({ status, name }) => `${status} ${name}`);
  return [...byStatusAndName.values()].flatMap(([first]) => first ?? []);
}

function withExamples(
  content: Readonly<Record<string, object>>,
  status: number,
  recorded: readonly RecordedExample[],
  isShared = false,
): Record<string, object> {
  return Object.fromEntries(
    Object.entries(content).map(([type, media]) => {
      const own = recorded.filter((example) => example.status === status && example.contentType === type);
      if (own.length === 0) return [type, media];
      const examples = Object.fromEntries(own.map((example) => [example.name, shown(example, isShared)]));
      return [type, { ...media, examples }];
    }),
  );
}

/** The request of an answer without a body, for which OpenAPI has no place. */
function withoutContent(status: number, recorded: readonly RecordedExample[]): object {
  const own = recorded.filter((example) => example.status === status);
  return own.length === 0 ? {} : { "x-examples": Object.fromEntries(own.map((each) => [each.name, shown(each)])) };
}

/** The answer, and its request. An answer that operations share also names the operation that was asked for. */
function shown(example: RecordedExample, isShared = false): object {
  const { operation, summary, answer, step, caller, method, path, headers, body, form } = example;
  return {
    summary,
    ...(answer === undefined ? {} : { value: answer }),
    "x-request": {
      ...(isShared ? { operation } : {}),
      step,
      caller,
      method,
      path,
      ...(headers === undefined ? {} : { headers }),
      ...(body === undefined ? {} : { body }),
      ...(form === undefined ? {} : { form }),
    },
  };
}
