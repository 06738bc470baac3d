import { Fragment, type ReactElement, type ReactNode } from "react";

interface SayProps {
  /** A sentence with places for values, such as `{file} was registered`, and words between `**` that are strong. */
  readonly text: string;
  readonly with?: Readonly<Record<string, ReactNode>>;
}

/** A sentence of a page with values in it. The sentence is ours; values of others come as elements that disarm them (`Foreign`). */
export function Say({ text, with: values = {} }: SayProps): ReactElement {
  // A list that is split by a pattern with one group has the matches at its odd places.
  const parts = text.split(/(\{\w+\}|\*\*[^*]+\*\*)/).map((part, place) => ({ part, place }));
  return (
    <>
      {parts.map(({ part, place }) => (
        <Fragment key={place}>
          {place % 2 === 0 ? (
            withWhole(part)
          ) : part.startsWith("{") ? (
            values[part.slice(1, -1)]
          ) : (
            <b>{part.slice(2, -2)}</b>
          )}
        </Fragment>
      ))}
    </>
  );
}

/** Words that no line ends in. */
function withWhole(text: string): ReactNode {
  const parts = text.split(/(\be-\w+|ICP-Brasil)/).map((part, place) => ({ part, place }));
  if (parts.length === 1) return text;
  return parts.map(({ part, place }) =>
    place % 2 === 0 ? (
      part
    ) : (
      <span key={place} className="nowrap">
        {part}
      </span>
    ),
  );
}
