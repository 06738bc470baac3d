/** Who sends the request of an example. The program that executes examples makes each of these callers. */
export const callers = {
  live: "With a live token of all scopes.",
  test: "With a test token of all scopes, of the same organization.",
  without_scope: "With a live token whose only scope is labels:read.",
  without_credits: "With a live token of all scopes, of an organization that has no credit.",
  anyone: "Without a token.",
  over_limit: "Without a token, from an address that has used up its requests of this minute.",
} as const;

export type Caller = keyof typeof callers;

/** A request whose real answer stands in the OpenAPI document of its surface. Executed in this order: later ones build on earlier ones. */
export interface ExampleRequest {
  readonly operation: string;
  /** Unique within the operation. */
  readonly name: string;
  readonly summary: string;
  readonly caller: Caller;
  /** Below the prefix of its surface, with `{operation.example.member}` for what an earlier answer held. The route's own path by default. */
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; text is sent as it is. */
  readonly body?: object | string;
  /** Sent as multipart/form-data. */
  readonly form?: ExampleForm;
}

/** One that stands with its route. */
export type RouteExample = Omit<ExampleRequest, "operation">;

export interface ExampleForm {
  readonly file?: { readonly name: string; readonly text: string };
  readonly fields?: Readonly<Record<string, string>>;
}
