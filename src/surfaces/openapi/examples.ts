import { ANY_TOKEN } from "../../postgres/command.ts";
import type { Operation } from "../operation.ts";
import type { CredentialForm } from "../rest/surface.ts";
import type { ServedService } from "../served-service.ts";
import type { Caller, ExampleRequest } from "./examples/example-request.ts";

/** All examples, in the order in which they run: first those of operations, then those of services. */
export async function examplesOf(
  services: readonly Pick<ServedService, "operations" | "examples">[],
): Promise<ExampleRequest[]> {
  const ofOperations = services.flatMap(({ operations = [] }) =>
    operations.flatMap(({ name, examples = [] }: Operation) =>
      examples.map((example): ExampleRequest => ({ operation: name, ...example })),
    ),
  );
  const ofServices = await Promise.all(services.map(({ examples }) => examples?.() ?? []));
  return [...ofOperations, ...ofServices.flat()];
}

/** The only scope of the caller `without_scope`, where a surface names no least scope of its own. */
export const LEAST_SCOPE = "signatures:read";

/**
 * An operation's first example, sent by callers without the right to it.
 * @param credentials those of its surface: an example may give their headers itself
 */
export function refusals(
  first: ExampleRequest,
  scope: string | null,
  { headers: credentials, scopes }: Pick<CredentialForm, "headers" | "scopes">,
): ExampleRequest[] {
  const refused = (name: string, summary: string, caller: Caller): ExampleRequest => ({
    ...first,
    name,
    summary,
    caller,
  });
  if (scope === null)
    return [refused("too_many_requests", "From an address that has used up its requests of this minute", "over_limit")];
  const given = Object.keys(first.headers ?? {}).filter((name) => credentials.includes(name));
  if (given.length > 0) {
    const headers = Object.fromEntries(Object.entries(first.headers ?? {}).filter(([name]) => !given.includes(name)));
    return [{ ...refused("no_credential", `Without ${given.join(" and ")}`, "anyone"), headers }];
  }
  const withoutToken = refused("no_token", "Without a token", "anyone");
  // The caller without scopes has the least one.
  if (scope === ANY_TOKEN || scope === (scopes?.least ?? LEAST_SCOPE)) return [withoutToken];
  return [withoutToken, refused("missing_scope", "With a token that lacks the scope", "without_scope")];
}
