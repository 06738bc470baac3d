import type { ReactElement, ReactNode } from "react";

/** Names and values. */
export function FactList({ children }: { readonly children: ReactNode }): ReactElement {
  return <dl className="facts">{children}</dl>;
}

export function Fact({ term, children }: { readonly term: ReactNode; readonly children: ReactNode }): ReactElement {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
