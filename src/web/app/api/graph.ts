import { initGraphQLTada } from "gql.tada";
import { Client, type CombinedError, fetchExchange, mapExchange } from "urql";
import type { introspection } from "../../generated/graphql-env.d.ts";
import { NO_NETWORK, type Refusal } from "./refusal.ts";
import type { Environment, SessionKeeper } from "./session-keeper.ts";

/** Documents of GraphQL, with the types that schema/schema.graphql gives them. */
export const graphql = initGraphQLTada<{
  introspection: introspection;
  scalars: { Datetime: string; UUID: string; Cursor: string; BigInt: string; JSON: unknown };
}>();

export type { ResultOf } from "gql.tada";

/** Asks the API by the session of the person. Nothing is kept: each page shows what is there now. */
export function graphClient(keeper: SessionKeeper, environment: Environment): Client {
  return new Client({
    url: "/graphql",
    // A session does not count for GET.
    preferGetMethod: false,
    requestPolicy: "network-only",
    fetchOptions: () => ({
      cache: "no-store",
      headers: {
        "x-csrf-token": keeper.state.kind === "open" ? keeper.state.session.csrf_token : "",
        "x-environment": environment,
      },
    }),
    exchanges: [mapExchange({ onError: (error) => keeper.refused(refusalOfGraph(error)) }), fetchExchange],
  });
}

interface Extensions {
  readonly code?: string;
  readonly requestId?: string;
  readonly fields?: Refusal["fields"];
}

/** Why GraphQL did not do what it was asked. */
export function refusalOfGraph({ graphQLErrors, response }: CombinedError): Refusal {
  const [first] = graphQLErrors;
  if (first === undefined) return response === undefined ? NO_NETWORK : { ...NO_NETWORK, code: "unavailable" };
  const { code = "internal_error", requestId = null, fields = [] } = first.extensions as Extensions;
  const { headers } = (response ?? {}) as { readonly headers?: Headers };
  return { code, message: first.message, fields, seconds: Number(headers?.get("retry-after")) || null, requestId };
}
