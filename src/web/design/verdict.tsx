import type { ReactElement, ReactNode, Ref } from "react";
import { Icon, type Tone } from "./icon.tsx";

interface VerdictProps {
  /** Of the heading, on a page with several. */
  readonly id?: string;
  /** Null while the verdict is not known yet. */
  readonly tone: Exclude<Tone, "note"> | null;
  /** The verdict in a word or two. */
  readonly state: ReactNode;
  /** The verdict in a sentence, with its facts. It is the heading of the page. */
  readonly sentence: ReactNode;
  /** Takes the focus when an action came to its result. */
  readonly heading?: Ref<HTMLHeadingElement>;
  /** What follows from it, remarks and actions. */
  readonly children?: ReactNode;
}

/** What the page found out, above everything else. Its place is kept while the verdict is being found out. */
export function Verdict({ id = "verdict", tone, state, sentence, heading, children }: VerdictProps): ReactElement {
  return (
    <section className={`verdict ${tone ?? ""}`} aria-labelledby={id} aria-busy={tone === null}>
      <div className="page">
        <p className="state" role="status">
          {tone !== null && <Icon tone={tone} size={28} />}
          <span>{state}</span>
        </p>
        <h1 id={id} ref={heading} tabIndex={-1}>
          {sentence}
        </h1>
        {children}
      </div>
    </section>
  );
}
