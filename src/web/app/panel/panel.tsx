import { Outlet, useLocation } from "@tanstack/react-router";
import { lazy, type ReactElement, Suspense, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { Given } from "../../shell/given.tsx";
import { Door } from "../door/door.tsx";
import { Enter } from "../door/enter.tsx";
import { RefusalNotice } from "../parts/refusal-notice.tsx";
import { usePlace, useSessionState } from "../place.tsx";
import { SessionOver } from "./session-over.tsx";
import { Side } from "./side.tsx";
import { TopBar } from "./top-bar.tsx";

const RequiredFactor = lazy(() =>
  import("../factor/required.tsx").then(({ RequiredFactor: required }) => ({ default: required })),
);

/** The frame of all that asks for a session. Without a session it is the page to sign in, at the same address. */
export function Panel(): ReactElement {
  const state = useSessionState();
  if (state.kind === "none") return <Enter />;
  if (state.kind === "fault") return <Unreachable />;
  if (state.session.second_factor === "missing")
    return (
      <Suspense fallback={null}>
        <RequiredFactor />
      </Suspense>
    );
  return <Signed />;
}

function Unreachable(): ReactElement {
  const { words, keeper } = usePlace();
  const state = useSessionState();
  return (
    <Door title={words.panel.faultHeading}>
      <h1>{words.panel.faultHeading}</h1>
      {state.kind === "fault" && <RefusalNotice refusal={state.refusal} />}
      <button type="button" className="button main" onClick={() => void keeper.open()}>
        {words.retry}
      </button>
    </Door>
  );
}

function Signed(): ReactElement {
  const { words, facts, keeper } = usePlace();
  const environment = useSyncExternalStore(keeper.subscribe, () => keeper.environment);
  const [isMenuOpen, openMenu] = useState(false);
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    openMenu(false);
    scrollTo(0, 0);
    // Readers of screens begin at what has changed.
    main.current?.focus();
  }, [pathname]);
  return (
    <div className={environment === "test" ? "app panel test" : "app panel"}>
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        {words.skip}
      </button>
      {environment === "test" && (
        <aside className="env" aria-label={words.panel.testHeading}>
          <strong>{words.panel.testHeading}</strong> <span>{words.panel.testText}</span>
        </aside>
      )}
      <Side isOpen={isMenuOpen} onClose={() => openMenu(false)} />
      <TopBar environment={environment} onMenu={() => openMenu(true)} />
      <main id="main" tabIndex={-1} ref={main} key={environment}>
        <Outlet />
        <p className="foot-app">
          {words.cookies}{" "}
          <Given fact="privacy_url" facts={facts}>
            <a href={facts.privacy_url ?? ""}>{words.privacy}</a>
          </Given>
        </p>
      </main>
      <SessionOver />
    </div>
  );
}
