import type { ReactElement } from "react";
import { Mark } from "../../design/mark.tsx";
import { Skeleton } from "../../design/skeleton.tsx";
import type { SiteFacts } from "../../shell/facts.ts";
import type { AppWords } from "../words.ts";
import { DoorFoot } from "./door.tsx";

/** What the build renders. It stands until the script knows who is signed in. */
export function Opening({ words, facts }: { readonly words: AppWords; readonly facts: SiteFacts }): ReactElement {
  return (
    <div className="app door">
      <header className="door-bar">
        <div className="page">
          <a className="brand" href="/">
            <Mark size={24} /> Selo
          </a>
        </div>
      </header>
      <main id="main">
        <h1 className="out-of-sight">{words.opening}</h1>
        <Skeleton bones={["half", "tall", "tall", "tall"]} />
        <noscript>
          <p>
            <b>{words.noScript.heading}</b> {words.noScript.text}
          </p>
        </noscript>
      </main>
      <DoorFoot words={words} facts={facts} />
    </div>
  );
}
