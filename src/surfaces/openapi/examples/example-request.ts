/** The senders of example requests. The program that runs the examples makes each of these callers. */
export const callers = {
  live: "With a live token of all scopes.",
  test: "With a test token of all scopes, of the same organization.",
  without_scope: "With a live token whose only scope is signatures:read, or with a key of one scope.",
  without_credits: "With a live token of all scopes, of an organization that has no credit.",
  anyone: "Without a token.",
  over_limit: "Without a token, from an address that has used up its requests of this minute.",
} as const;

export type Caller = keyof typeof callers;

/** A request whose real answer stands in the OpenAPI document of its surface. Requests run in this order; later requests build on earlier ones. */
export interface ExampleRequest {
  readonly operation: string;
  /** Unique within the operation. */
  readonly name: string;
  readonly summary: string;
  readonly caller: Caller;
  /** The path below the prefix of its surface; `{operation.example.member}` stands for a member of an earlier answer, `{operation.example.items.0.link#}` for the part of such a text behind its `#`. By default the route's own path. */
  readonly path?: string;
  /** With `{operation.example.member}`, as the path. */
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, a text unchanged. Texts in an object may have `{operation.example.member}`, as the path, and `{mailed code}` for the code in the newest test mail. */
  readonly body?: object | string;
  /** Sent as multipart/form-data. */
  readonly form?: ExampleForm;
}

/** An example that stands with its route. */
export type RouteExample = Omit<ExampleRequest, "operation">;

export interface ExampleForm {
  readonly file?: { readonly name: string; readonly text: string };
  readonly fields?: Readonly<Record<string, string>>;
}
