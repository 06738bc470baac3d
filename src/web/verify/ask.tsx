import type { ReactElement, Ref } from "react";
import { CodeForm } from "../shell/code-form.tsx";
import type { ShellWords } from "../shell/words.ts";
import { DropZone } from "./drop-zone.tsx";
import { useTitle } from "./verdict-band.tsx";
import type { VerifyWords } from "./words.ts";

interface AskProps {
  readonly words: VerifyWords;
  readonly shell: ShellWords;
  readonly isOver: boolean;
  readonly heading: Ref<HTMLHeadingElement>;
  readonly onCode: (code: string) => void;
  readonly onFiles: (files: readonly File[]) => void;
}

/** The question, before anything was given. */
export function Ask({ words, shell, isOver, heading, onCode, onFiles }: AskProps): ReactElement {
  useTitle(words.title);
  return (
    <div className="page">
      <div className="ask">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {words.heading}
          </h1>
          <p className="lead">{words.lead}</p>
        </div>
        <NoScript words={words} />
        <div className="card needs-script">
          <CodeForm words={shell.code} onCode={onCode} />
        </div>
        <p className="or needs-script">{words.or}</p>
        <div className="needs-script">
          <DropZone
            heading={words.inputs.dropFirst}
            text={words.inputs.privacyFirst}
            choose={words.inputs.choose}
            isFirst={false}
            isOver={isOver}
            onFiles={onFiles}
          />
        </div>
      </div>
    </div>
  );
}

/** What to do without scripts. Styles hide everything else that would not work (`needs-script`). */
export function NoScript({ words }: { readonly words: VerifyWords }): ReactElement {
  return (
    <noscript>
      <section className="card stack">
        <h2>{words.noScript.heading}</h2>
        <p>{words.noScript.text}</p>
        <p className="row">
          <a className="button" href="/selo-verify.mjs" download>
            {words.offline.verifier}
          </a>
        </p>
      </section>
    </noscript>
  );
}
