import { CSPProvider } from "@base-ui/react/csp-provider";
import { RouterProvider } from "@tanstack/react-router";
import { type ReactElement, useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { Provider } from "urql";
import type { SiteFacts } from "../shell/facts.ts";
import { keepLanguage, LANGUAGES, type Language } from "../shell/language.ts";
import { graphClient } from "./api/graph.ts";
import type { SessionKeeper } from "./api/session-keeper.ts";
import { loadWords } from "./languages.ts";
import { PlaceContext } from "./place.tsx";
import { appRouter } from "./router.tsx";
import type { AppWords } from "./words.ts";

interface AppProps {
  /** The language that was chosen in this browser before, or that of the document. */
  readonly language: Language;
  readonly words: AppWords;
  readonly facts: SiteFacts;
  readonly keeper: SessionKeeper;
  readonly link: string | null;
}

/** Everything below /app: before the sign-in in the language of the browser, and then in that of the person. */
export function App({ language: first, words: firstWords, facts, keeper, link }: AppProps): ReactElement {
  const [{ language, words }, show] = useState({ language: first, words: firstWords });
  const wanted = useRef(first);
  const change = useCallback(async (to: Language) => {
    if (wanted.current === to) return;
    wanted.current = to;
    // Without the words of the other language, which cannot be loaded, the page stays readable in this one.
    const loaded = await loadWords[to]().catch(() => null);
    if (loaded === null) wanted.current = document.documentElement.lang as Language;
    else if (wanted.current === to) show({ language: to, words: loaded });
  }, []);
  const onLanguage = useCallback(
    (to: Language) => {
      keepLanguage(to);
      void change(to);
    },
    [change],
  );
  const state = useSyncExternalStore(keeper.subscribe, () => keeper.state);
  const environment = useSyncExternalStore(keeper.subscribe, () => keeper.environment);
  const spoken = state.kind === "open" ? state.session.user.language : null;
  useEffect(() => {
    const own = LANGUAGES.find((each) => each.split("-")[0] === spoken?.toLowerCase().split("-")[0]);
    if (own !== undefined) void change(own);
  }, [change, spoken]);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const [router] = useState(appRouter);
  const client = useMemo(() => graphClient(keeper, environment), [keeper, environment]);
  const place = useMemo(
    () => ({ language, words, facts, keeper, link, onLanguage }),
    [language, words, facts, keeper, link, onLanguage],
  );
  return (
    <CSPProvider disableStyleElements>
      <PlaceContext value={place}>
        <Provider value={client}>
          <RouterProvider router={router} />
        </Provider>
      </PlaceContext>
    </CSPProvider>
  );
}
