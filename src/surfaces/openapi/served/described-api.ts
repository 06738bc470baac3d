/** The parts of an OpenAPI 3.1 document that the reference shows. */
export interface DescribedApi {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly servers?: readonly { readonly url: string }[];
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths?: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
    readonly responses?: Readonly<Record<string, Response>>;
    readonly headers?: Readonly<Record<string, Header>>;
    /** `name` is that of the header of an apiKey. */
    readonly securitySchemes?: Readonly<Record<string, { readonly description?: string; readonly name?: string }>>;
  };
}

export interface DescribedOperation {
  readonly operationId?: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  /** An empty list for an operation that needs no credential. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly content: Content };
  readonly responses?: Readonly<Record<string, Response | Reference>>;
}

export interface Reference {
  readonly $ref: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header" | "cookie";
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
  readonly example?: unknown;
}

export interface Header {
  readonly description?: string;
  readonly schema?: Schema;
}

export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header | Reference>>;
  readonly content?: Content;
}

export type Content = Readonly<Record<string, MediaType>>;

export interface MediaType {
  readonly schema?: Schema;
  readonly examples?: Readonly<Record<string, Example>>;
}

export interface Example {
  readonly summary?: string;
  readonly value?: unknown;
  /** The request of which this is the answer. `operation` is that of the request, if operations share the answer. */
  readonly "x-request"?: { readonly path: string; readonly operation?: string };
}

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly contentEncoding?: string;
  readonly contentMediaType?: string;
}

/** Methods in the order in which a path shows them. */
const METHODS = ["get", "post", "put", "patch", "delete"];

/** An operation with its path and its method in upper case. */
export interface PlacedOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: DescribedOperation;
}

/** All operations of `paths`, in the order of the document. */
export function operationsOf({ paths = {} }: DescribedApi): readonly PlacedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
}

/** What a reference of this document stands for, and the reference itself if it leads nowhere. */
export function resolved<Part extends object>(api: DescribedApi, part: Part | Reference): Part {
  if (!("$ref" in part) || typeof part.$ref !== "string") return part as Part;
  const steps = part.$ref.replace(/^#\//, "").split("/");
  let found: unknown = api;
  for (const step of steps) found = (found as Readonly<Record<string, unknown>> | undefined)?.[step];
  return (found ?? part) as Part;
}

/** The last step of a reference: the name of a schema or header. */
export function nameOf($ref: string): string {
  return $ref.slice($ref.lastIndexOf("/") + 1);
}
