import { useEffect, useState } from "react";
import type { PlatformKey } from "../../verifier/keys.ts";
import { fetchKeys, type Lookup, lookUp, type Query } from "./service.ts";

const NOTHING: Lookup = { status: "none" };
const LOADING: Lookup = { status: "loading" };

/** What the service says about a query. It is asked again when `attempt` changes. */
export function useLookup(query: Query | null, attempt: number): Lookup {
  const key = JSON.stringify(query);
  const [answer, setAnswer] = useState<{ readonly to: string; readonly lookup: Lookup }>({
    to: "null",
    lookup: NOTHING,
  });
  const asked = `${attempt} ${key}`;
  useEffect(() => {
    const wanted = JSON.parse(key) as Query | null;
    if (wanted === null) return;
    const abort = new AbortController();
    void lookUp(wanted, abort.signal).then((lookup) => {
      if (!abort.signal.aborted) setAnswer({ to: asked, lookup });
    });
    return () => abort.abort();
  }, [asked, key]);
  if (query === null) return NOTHING;
  return answer.to === asked ? answer.lookup : LOADING;
}

/** The keys that the service publishes, once they are needed; null if it could not be asked. */
export function usePublishedKeys(isNeeded: boolean, attempt: number): readonly PlatformKey[] | null | "loading" {
  const [keys, setKeys] = useState<readonly PlatformKey[] | null | "loading">("loading");
  const isMissing = isNeeded && (keys === "loading" || (keys === null && attempt > 0));
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` changes when the visitor asks again.
  useEffect(() => {
    if (!isMissing) return;
    const abort = new AbortController();
    void fetchKeys(abort.signal).then((fetched) => {
      if (!abort.signal.aborted) setKeys(fetched);
    });
    return () => abort.abort();
  }, [isMissing, attempt]);
  return isNeeded ? keys : null;
}
