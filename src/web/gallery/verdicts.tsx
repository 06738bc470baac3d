import type { ReactElement } from "react";
import { EnvironmentBanner } from "../design/environment-banner.tsx";
import type { Tone } from "../design/icon.tsx";
import { Skeleton } from "../design/skeleton.tsx";
import { Verdict } from "../design/verdict.tsx";

interface Sample {
  /** None while it loads. */
  readonly tone: Exclude<Tone, "note"> | null;
  readonly state: string;
  /** The file that its sentence is about: two verdicts of one page need different names. */
  readonly file: string;
  readonly lead: string;
}

const SAMPLES: readonly Sample[] = [
  {
    tone: "ok",
    state: "Matches",
    file: "contract.pdf",
    lead: "Your file is the one that was registered, byte for byte.",
  },
  {
    tone: "bad",
    state: "Does not match",
    file: "annex.pdf",
    lead: "The proof may be in order: it is about another file.",
  },
  {
    tone: "info",
    state: "Pending",
    file: "statement.pdf",
    lead: "Add the file to find out whether it is the one that was registered.",
  },
  {
    tone: "warn",
    state: "Test",
    file: "sample.pdf",
    lead: "This proof was made to try the service, and proves nothing.",
  },
  { tone: null, state: "Looking for the proof", file: "deed.pdf", lead: "" },
];

function sentence(file: string): ReactElement {
  return (
    <>
      <b>{file}</b> was registered by <b>Acme Ltda</b> on <b>21 November 2026 at 22:23 UTC</b>.
    </>
  );
}

/** The environment banner, and the verdict in each of its tones. */
export function galleryVerdicts(): ReactElement {
  return (
    <>
      <EnvironmentBanner text="TEST. This proof was made to try the service, and proves nothing." />
      {SAMPLES.map(({ tone, state, file, lead }) => (
        <Verdict key={state} id={state.replaceAll(" ", "-")} tone={tone} state={state} sentence={sentence(file)}>
          {tone === null ? (
            <Skeleton bones={["", "half"]} />
          ) : (
            <>
              <p className="lead">{lead}</p>
              <p className="row">
                <button type="button" className="button main slim">
                  What to do next
                </button>
                <button type="button" className="button slim">
                  Print this page
                </button>
              </p>
            </>
          )}
        </Verdict>
      ))}
    </>
  );
}
