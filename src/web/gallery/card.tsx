import type { ReactElement, ReactNode } from "react";

/** A card of the gallery: a component's name and its states. */
export function Card({
  title,
  kind = "stack",
  children,
}: {
  title: string;
  kind?: string;
  children: ReactNode;
}): ReactElement {
  return (
    <section className={`card ${kind}`} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
