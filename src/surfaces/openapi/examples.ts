import type { Caller, ExampleRequest } from "./examples/example-request.ts";

/** An operation's first example, sent by somebody who may not. */
export function refusals(first: ExampleRequest, needsToken: boolean): ExampleRequest[] {
  const refused = (name: string, summary: string, caller: Caller): ExampleRequest => ({
    ...first,
    name,
    summary,
    caller,
  });
  return needsToken
    ? [
        refused("no_token", "Without a token", "anyone"),
        refused("missing_scope", "With a token that lacks the scope", "without_scope"),
      ]
    : [refused("too_many_requests", "From an address that has used up its requests of this minute", "over_limit")];
}
