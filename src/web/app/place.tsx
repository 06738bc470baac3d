import { createContext, use, useSyncExternalStore } from "react";
import type { SiteFacts } from "../shell/facts.ts";
import type { Language } from "../shell/language.ts";
import type { Session } from "./api/auth.ts";
import type { SessionKeeper, SessionState } from "./api/session-keeper.ts";
import type { AppWords } from "./words.ts";

/** What every part of the page knows. */
interface Place {
  readonly language: Language;
  readonly words: AppWords;
  readonly facts: SiteFacts;
  readonly keeper: SessionKeeper;
  /** The secret of the link that this page was opened with. */
  readonly link: string | null;
  readonly onLanguage: (language: Language) => void;
}

export const PlaceContext = createContext<Place | null>(null);

export function usePlace(): Place {
  const place = use(PlaceContext);
  if (place === null) throw new Error("this part stands outside the app");
  return place;
}

export const useSessionState = (): SessionState => {
  const { keeper } = usePlace();
  return useSyncExternalStore(keeper.subscribe, () => keeper.state);
};

/** Who is signed in. Only for what stands below the panel. */
export function useSession(): Session {
  const state = useSessionState();
  if (state.kind !== "open" && state.kind !== "over") throw new Error("nobody is signed in");
  return state.session;
}

/** Whether the person may do what needs this scope. The service decides again. */
export const useMay = (scope: string): boolean => useSession().scopes.includes(scope);
