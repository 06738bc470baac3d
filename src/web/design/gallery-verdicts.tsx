import type { ReactElement } from "react";
import { Icon, type Tone } from "./icon.tsx";

interface Sample {
  /** None while it loads. */
  readonly tone: Exclude<Tone, "note"> | null;
  readonly state: string;
  readonly lead: string;
}

const SAMPLES: readonly Sample[] = [
  { tone: "ok", state: "Matches", lead: "Your file is the one that was registered, byte for byte." },
  { tone: "bad", state: "Does not match", lead: "The proof may be in order: it is about another file." },
  { tone: "info", state: "Pending", lead: "Add the file to find out whether it is the one that was registered." },
  { tone: "warn", state: "Test", lead: "This proof was made to try the service, and proves nothing." },
  { tone: null, state: "Looking for the proof", lead: "" },
];

/** The environment banner, and the verdict in each of its tones. */
export function galleryVerdicts(): ReactElement {
  return (
    <>
      <p className="test-bar" role="note">
        <span className="page">TEST. This proof was made to try the service, and proves nothing.</span>
      </p>
      {SAMPLES.map((sample) => (
        <Verdict key={sample.state} {...sample} />
      ))}
    </>
  );
}

function Verdict({ tone, state, lead }: Sample): ReactElement {
  return (
    <section className={tone === null ? "verdict" : `verdict ${tone}`} aria-label={state}>
      <div className="page">
        <p className="state">
          <Icon tone={tone ?? "info"} size={28} /> {state}
        </p>
        <h1>
          <b>contract.pdf</b> was registered by <b>Acme Ltda</b> on <b>21 November 2026 at 22:23 UTC</b>.
        </h1>
        {tone === null ? (
          <div className="stack" aria-hidden="true">
            <span className="bone" />
            <span className="bone half" />
          </div>
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
      </div>
    </section>
  );
}
