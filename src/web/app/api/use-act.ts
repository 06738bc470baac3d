import type { TadaDocumentNode } from "gql.tada";
import { useState } from "react";
import { type AnyVariables, useMutation, useQuery } from "urql";
import { refusalOfGraph } from "./graph.ts";
import type { Refusal } from "./refusal.ts";

interface Act<Data, Variables> {
  /** Sends the command once; while it runs, a second time does nothing. Null where it was refused. */
  readonly act: (variables: Variables) => Promise<Data | null>;
  readonly isBusy: boolean;
  readonly refusal: Refusal | null;
  /** Forgets the refusal. */
  readonly clear: () => void;
}

/** A command of GraphQL, and why it was refused. */
export function useAct<Data, Variables extends AnyVariables>(
  document: TadaDocumentNode<Data, Variables>,
): Act<Data, Variables> {
  const [{ fetching: isBusy }, execute] = useMutation<Data, Variables>(document);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  return {
    act: async (variables) => {
      if (isBusy) return null;
      setRefusal(null);
      const { data, error } = await execute(variables);
      if (error !== undefined) setRefusal(refusalOfGraph(error));
      return error === undefined ? (data ?? null) : null;
    },
    isBusy,
    refusal,
    clear: () => setRefusal(null),
  };
}

export type Asked<Data> =
  | { readonly kind: "asking" }
  | { readonly kind: "refused"; readonly refusal: Refusal }
  | { readonly kind: "answered"; readonly data: Data };

/** What a page shows, and the way to ask again. While it asks again, the former answer stays. */
export function useAsked<Data>(
  query: TadaDocumentNode<Data, Record<string, never>>,
): readonly [Asked<Data>, again: () => void] {
  const [{ data, error }, execute] = useQuery<Data, Record<string, never>>({ query, variables: {} });
  const again = () => execute({ requestPolicy: "network-only" });
  if (data !== undefined && data !== null) return [{ kind: "answered", data }, again];
  return [error === undefined ? { kind: "asking" } : { kind: "refused", refusal: refusalOfGraph(error) }, again];
}
