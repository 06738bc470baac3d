import type { ReactElement, ReactNode } from "react";
import { Chevron, Icon, type Tone } from "./icon.tsx";

/** One check, as a line. */
export interface CheckLine {
  /** What tests and style sheets know the check by; null for a line that only explains. */
  readonly name: string | null;
  readonly result?: string;
  readonly tone: Tone;
  readonly text: ReactNode;
}

export interface CheckGroup {
  readonly name: string;
  readonly title: string;
  readonly tone: Exclude<Tone, "note">;
  /** The result in a word. */
  readonly word: string;
  readonly summary: string;
  readonly lines: readonly CheckLine[];
}

/** Groups of checks. A group in which something is wrong is open. */
export function CheckList({
  title,
  groups,
}: {
  readonly title: string;
  readonly groups: readonly CheckGroup[];
}): ReactElement {
  return (
    <section className="card checks" aria-labelledby="checks">
      <h2 id="checks">{title}</h2>
      {groups.map(({ name, title: heading, tone, word, summary, lines }) => (
        // The key opens a group that turns bad; later the visitor opens and closes it.
        <details key={`${name} ${tone === "bad"}`} open={tone === "bad"} data-group={name}>
          <summary>
            <Icon tone={tone} />
            <span>
              <b>{heading}</b> <span className={`word is-${tone}`}>{word}</span>
            </span>
            <span className="quiet">{summary}</span>
            <Chevron />
          </summary>
          <ul className="inner">
            {lines.map((line, place) => (
              <li key={line.name ?? place} data-check={line.name ?? undefined} data-result={line.result}>
                <Icon tone={line.tone} size={16} />
                <span>{line.text}</span>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </section>
  );
}
