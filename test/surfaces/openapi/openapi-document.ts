import fs from "node:fs";
import path from "node:path";
import { type AnySchemaObject, type ValidateFunction, Ajv2020 as Validator } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect } from "vitest";
import type { Caller } from "../../../src/surfaces/openapi/examples/example-request.ts";
import type { RestResponse } from "../../support/rest-client.ts";
import { ORDINARY } from "../../support/uploads.ts";

/** schema/openapi.json, as far as tests look into it. */
export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, WrittenOperation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Pick<Operation, "summary" | "description"> }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, AnySchemaObject>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly headers: Readonly<Record<string, { readonly example?: string; readonly schema: AnySchemaObject }>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
  readonly "x-callers": Readonly<Record<Caller, string>>;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Response>>;
}

/** An operation as the file has it: its errors are references. */
interface WrittenOperation extends Omit<Operation, "responses"> {
  readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly description: string;
  readonly required: boolean;
  readonly schema: AnySchemaObject;
}

interface Response {
  readonly description: string;
  readonly headers: Readonly<Record<string, { readonly $ref: string }>>;
  /** Absent where an answer has no body. */
  readonly content?: Readonly<Record<string, Media>>;
  /** Requests that were answered without one. */
  readonly "x-examples"?: Readonly<Record<string, Example>>;
}

interface Media {
  readonly schema: AnySchemaObject;
  readonly examples?: Readonly<Record<string, Example>>;
}

interface Example {
  readonly summary: string;
  readonly value?: unknown;
  readonly "x-request"?: ExampleRequest;
}

export interface ExampleRequest {
  /** The operation that was asked for, where operations share the answer. */
  readonly operation?: string;
  readonly step: number;
  readonly caller: Caller;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object | string;
  readonly form?: {
    readonly file?: { readonly name: string; readonly text: string };
    readonly fields?: Readonly<Record<string, string>>;
  };
}

export const DESCRIPTION_FILE = path.join(import.meta.dirname, "../../../schema/openapi.json");
export const descriptionText = fs.readFileSync(DESCRIPTION_FILE, "utf8");
export const description = JSON.parse(descriptionText) as Description;

/** An operation with where it is. */
export interface LocatedOperation extends Operation {
  readonly method: string;
  readonly path: string;
}

export const operations: readonly LocatedOperation[] = Object.entries(description.paths).flatMap(([where, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    ...operation,
    ...bodyOf(operation),
    responses: responsesOf(operation),
    method: method.toUpperCase(),
    path: where,
  })),
);

/** The body of an operation, with its schemas in the place of their names. */
function bodyOf({ requestBody }: WrittenOperation): Pick<Operation, "requestBody"> {
  if (requestBody === undefined) return {};
  const content = Object.entries(requestBody.content).map(([type, media]) => {
    const name = String(media.schema["$ref"]).replace("#/components/schemas/", "");
    return [type, { ...media, schema: description.components.schemas[name] ?? {} }] as const;
  });
  return { requestBody: { ...requestBody, content: Object.fromEntries(content) } };
}

/** The answers of an operation. Those that it shares are in the place of their references, with the examples of this operation. */
function responsesOf({ operationId, responses }: WrittenOperation): Operation["responses"] {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      if (!("$ref" in response)) return [status, response];
      const shared = description.components.responses[response.$ref.replace("#/components/responses/", "")];
      if (shared === undefined) throw new Error(response.$ref);
      const content = Object.entries(shared.content ?? {}).map(([type, media]) => {
        const own = Object.entries(media.examples ?? {}).filter(
          ([, example]) => example["x-request"]?.operation === operationId,
        );
        return [type, { ...media, examples: Object.fromEntries(own) }] as const;
      });
      return [status, { ...shared, content: Object.fromEntries(content) }];
    }),
  );
}

/** An answer that stands in the description, with where it stands. */
export interface DocumentedAnswer extends Example {
  readonly operation: LocatedOperation;
  readonly name: string;
  readonly status: number;
  readonly contentType: string;
  readonly "x-request": ExampleRequest;
}

/** Every answer, in the order in which they were given. */
export const documentedAnswers: readonly DocumentedAnswer[] = operations
  .flatMap((operation) =>
    Object.entries(operation.responses).flatMap(([status, { content, "x-examples": withoutBody }]) =>
      Object.entries<Pick<Media, "examples">>(
        content ?? { "": withoutBody === undefined ? {} : { examples: withoutBody } },
      ).flatMap(([contentType, { examples }]) =>
        Object.entries(examples ?? {}).map(([name, example]) => {
          const request = example["x-request"];
          if (request === undefined) throw new Error(`nobody asked for the answer ${operation.operationId}.${name}`);
          return { ...example, operation, name, status: Number(status), contentType, "x-request": request };
        }),
      ),
    ),
  )
  .sort((one, other) => one["x-request"].step - other["x-request"].step);

export function documentedAnswer(operation: string, name: string): DocumentedAnswer {
  const found = documentedAnswers.find((each) => each.operation.operationId === operation && each.name === name);
  if (found === undefined) throw new Error(`no answer ${operation}.${name}`);
  return found;
}

/** A value of each member that is required somewhere. */
export const GOOD: Readonly<Record<string, unknown>> = {
  sha256: "a".repeat(64),
  url: "https://example.com/hook",
  event_types: ["*"],
  since: "2026-01-01T00:00:00Z",
  title: "Contract",
  name: "Maria",
  email: "maria@example.com",
  document_id: "0197a0c0-0000-7000-8000-000000000001",
  participant_id: "0197a0c0-0000-7000-8000-000000000002",
  page: 1,
  x: 0,
  y: 0,
  width: 0.5,
  height: 0.5,
  position: 1,
  endpoint: "https://storage.invalid",
  region: "us-east-1",
  bucket: "contracts",
  access_key_id: "key",
  secret: "secret",
};

/** Whether an operation takes a form with a file, and nothing else. */
export const takesFileAlone = ({ requestBody }: Operation): boolean =>
  requestBody !== undefined && Object.keys(requestBody.content).join() === "multipart/form-data";

/** Content of a file. */
export type Content = string | Uint8Array<ArrayBuffer>;

/** Content that an operation takes. */
export const goodFile = ({ operationId }: Operation): Content =>
  operationId === "uploadDocument" ? new Uint8Array(ORDINARY) : "x";

/** A form with a file of this content. */
export function fileForm(content: Content): FormData {
  const form = new FormData();
  form.append("file", new Blob([content]), "a.txt");
  return form;
}

/** An operation's path with parameters that nothing has. */
export const unknownPath = ({ path: where }: LocatedOperation) =>
  where.replaceAll(/\{\w+\}/g, "0197a0c0-0000-7000-8000-000000000000");

/** Parameters with their references followed. */
export function parametersOf({ parameters }: Operation): Parameter[] {
  return parameters.map((parameter) => {
    if (!("$ref" in parameter)) return parameter;
    const found = description.components.parameters[parameter.$ref.replace("#/components/parameters/", "")];
    if (found === undefined) throw new Error(parameter.$ref);
    return found;
  });
}

const validator = new Validator({ strict: true, allowUnionTypes: true, allErrors: true });
addFormats.default(validator);
for (const [name, schema] of Object.entries(description.components.schemas))
  validator.addSchema({ ...(closed(schema) as AnySchemaObject), $id: name });

/** The schema without room for members that it does not name: clients ignore these, but we are to document them. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const members = Object.entries(schema).map(([keyword, value]) => [
    keyword,
    keyword === "$ref" ? String(value).replace("#/components/schemas/", "") : closed(value),
  ]);
  return { ...("properties" in schema ? { additionalProperties: false } : {}), ...Object.fromEntries(members) };
}

/** Compiled once for each schema of the description: a new object would be compiled anew for each answer, and kept. */
const validators = new WeakMap<object, ValidateFunction>();
function validatorOf(schema: object): ValidateFunction {
  const known = validators.get(schema) ?? validator.compile(closed(schema) as AnySchemaObject);
  validators.set(schema, known);
  return known;
}

/** Fails unless a response is one that its operation documents: status, content type, headers, every member. */
export function expectDocumented(operation: LocatedOperation, response: RestResponse): void {
  const documented = operation.responses[response.status];
  const name = `${operation.operationId} ${response.status}`;
  expect(documented, name).toBeDefined();
  const contentType = (response.headers.get("content-type") ?? "").replace(/;.*$/, "");
  const schema = documented?.content?.[contentType]?.schema;
  if (documented?.content === undefined)
    expect({ name, contentType, text: response.text }).toEqual({ name, contentType: "", text: "" });
  else expect(schema, `${name} ${contentType}`).toBeDefined();
  if (contentType === "application/json") {
    const validate = validatorOf(schema as object);
    const isValid = validate(response.body);
    expect({ name, isValid, errors: isValid ? null : validate.errors }).toEqual({ name, isValid: true, errors: null });
  }
  for (const [header, { schema: headerSchema }] of Object.entries(description.components.headers)) {
    const value = response.headers.get(header);
    if (value === null) continue;
    expect(Object.keys(documented?.headers ?? {}), name).toContain(header);
    const parsed = headerSchema["type"] === "integer" ? Number(value) : value;
    expect(validator.validate(headerSchema, parsed), `${header}: ${value}`).toBe(true);
  }
}
