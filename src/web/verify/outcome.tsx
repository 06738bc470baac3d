import type { ReactElement, ReactNode, Ref } from "react";
import { inert } from "../shell/foreign.tsx";
import type { PageVerdict } from "./assess.ts";
import { Icon, type IconName } from "./icon.tsx";
import { NO_CODE, type Verification } from "./use-verification.ts";
import type { VerifyWords } from "./words.ts";

type Tone = "good" | "bad" | "caution" | "neutral";

const TONES: Readonly<Record<PageVerdict, Tone>> = {
  failed: "bad",
  test: "caution",
  verified: "good",
  verified_here: "good",
  authentic: "good",
  attached_record: "neutral",
  on_record: "neutral",
  name_needed: "caution",
  unconfirmed: "caution",
  keys_unknown: "caution",
  environment_unknown: "caution",
  no_record: "caution",
};
const ICONS: Readonly<Record<Tone, IconName>> = {
  good: "passed",
  bad: "failed",
  caution: "caution",
  neutral: "record",
};

interface OutcomeProps {
  readonly words: VerifyWords;
  readonly verification: Verification;
  /** Takes the focus when the visitor waits for the outcome. */
  readonly focus: Ref<HTMLElement>;
}

/** The outcome in a few words. Screen readers speak it when it changes. */
export function Outcome({ words, verification, focus }: OutcomeProps): ReactElement {
  const { findings, receipt } = verification;
  const isVerified = findings?.verdict === "verified" || findings?.verdict === "verified_here";
  return (
    <section ref={focus} tabIndex={-1} className="outcome" role="status" aria-live="polite" aria-atomic="true">
      {findings !== null && <Banner tone={TONES[findings.verdict]} words={words.verdicts[findings.verdict]} />}
      {isVerified && receipt?.isPdf && <p className="note">{words.pagesNotChecked}</p>}
      <LookupState words={words.lookup} verification={verification} />
    </section>
  );
}

interface BannerProps {
  readonly tone: Tone;
  readonly words: { readonly title: ReactNode; readonly text: string };
}

function Banner({ tone, words }: BannerProps): ReactElement {
  return (
    <div className={`banner ${tone}`}>
      <span className="badge">
        <Icon name={ICONS[tone]} />
      </span>
      <div>
        <h2>{words.title}</h2>
        <p>{words.text}</p>
      </div>
    </div>
  );
}

interface LookupStateProps {
  readonly words: VerifyWords["lookup"];
  readonly verification: Verification;
}

/** The title for a code that no proof has. A line must not end inside the code. */
function codeUnknown(words: VerifyWords["lookup"], code: string): ReactElement {
  const [before, after] = words.codeUnknown(code).split(code);
  return (
    <>
      {before}
      <span className="unbroken">{code}</span>
      {after}
    </>
  );
}

/** The state of the request to the service, where the findings do not show it. */
function LookupState({ words, verification }: LookupStateProps): ReactElement | null {
  const { lookup, code, file, findings, retry } = verification;
  switch (lookup.status) {
    case "loading":
      return <p className="note">{words.loading}</p>;
    case "unknown": {
      if (findings !== null) return null;
      const isByCode = code !== null;
      return (
        <>
          <Banner
            tone="caution"
            words={
              isByCode
                ? {
                    title: code === NO_CODE ? words.notACode : codeUnknown(words, inert(code)),
                    text: words.codeUnknownHint,
                  }
                : { title: words.fileUnknown, text: words.fileUnknownHint }
            }
          />
          {file.status === "hashed" && (
            <p className="digest">
              SHA-256 <code>{file.file.sha256}</code>
            </p>
          )}
        </>
      );
    }
    case "throttled":
    case "failed":
      return (
        <div className="note">
          <p>{lookup.status === "throttled" ? words.throttled(lookup.seconds) : words.failed}</p>
          {lookup.status === "failed" && <p>{words.failedHint}</p>}
          <button type="button" onClick={retry}>
            {words.retry}
          </button>
        </div>
      );
    default:
      return null;
  }
}
