import { type ReactElement, useEffect, useRef } from "react";
import { CodeForm } from "../shell/code-form.tsx";
import { Foreign } from "../shell/foreign.tsx";
import type { Language } from "../shell/language.ts";
import type { ShellWords } from "../shell/words.ts";
import { Checks } from "./checks.tsx";
import { DropZone } from "./drop-zone.tsx";
import { Keys } from "./keys.tsx";
import { NameForm } from "./name-form.tsx";
import { Offline } from "./offline.tsx";
import { Outcome } from "./outcome.tsx";
import { Summary } from "./summary.tsx";
import { NO_CODE, useVerification } from "./use-verification.ts";
import type { VerifyWords } from "./words.ts";

interface VerifyPageProps {
  readonly words: VerifyWords;
  readonly shell: ShellWords;
  readonly language: Language;
  readonly isByCode: boolean;
}

/** /verify and /verify/{code}: the browser computes everything. */
export function VerifyPage({ words, shell, language, isByCode }: VerifyPageProps): ReactElement {
  const verification = useVerification(isByCode);
  const { code, findings, lookup, file, typedName } = verification;
  const outcome = useRef<HTMLElement>(null);
  // The focus moves to the outcome for a visitor who typed a code, but not for one who only opened a link.
  const wasTyped = useRef(false);
  const isSettled = lookup.status !== "loading" && lookup.status !== "none";
  useEffect(() => {
    if (!isSettled || !wasTyped.current) return;
    outcome.current?.focus();
    // While the checks are computed the outcome is empty and hidden, and takes no focus. The next render tries again.
    wasTyped.current = document.activeElement !== outcome.current;
  });

  const submit = (typed: string) => {
    wasTyped.current = true;
    verification.setCode(typed);
  };
  const startOver = () => {
    verification.startOver();
    // The focused button disappears.
    document.getElementById("main")?.focus();
  };
  const isMisnamed = findings?.checks.some(({ reason }) => reason === "name_or_size_differs") ?? false;
  const hasAnything = code !== null || verification.receipt !== null || file.status !== "none";
  return (
    <>
      <section className="intro compact">
        <h1>{words.heading}</h1>
        {code === null && findings === null && <p className="lead">{words.lead}</p>}
      </section>
      <section className="card inputs">
        {hasAnything && (
          <div className="given">
            {code !== null && code !== NO_CODE && (
              <p>
                <span className="hint">{words.code.shown}</span> <Foreign className="code" text={code} />
              </p>
            )}
            <button type="button" className="quiet" onClick={startOver}>
              {words.code.startOver}
            </button>
          </div>
        )}
        {findings === null && (code === null || lookup.status === "unknown") && (
          <CodeForm words={shell.code} onCode={submit} />
        )}
        <DropZone words={words} verification={verification} language={language} />
      </section>
      <Outcome focus={outcome} words={words} verification={verification} />
      {findings !== null && (
        <>
          {isMisnamed && file.status === "hashed" && (
            <NameForm
              words={words.naming}
              name={typedName ?? file.file.name}
              wasTried={typedName !== null}
              onName={verification.nameFile}
            />
          )}
          <Summary words={words.summary} findings={findings} language={language} />
          <Checks words={words} findings={findings} />
        </>
      )}
      <Keys words={words.keys} verification={verification} language={language} />
      <Offline words={words.offline} lookup={lookup} />
    </>
  );
}
