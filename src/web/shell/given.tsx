import type { ReactElement, ReactNode } from "react";
import { type FactName, PLACEHOLDERS, type SiteFacts } from "./facts.ts";

interface GivenProps {
  readonly fact: FactName;
  readonly facts: SiteFacts;
  readonly children: ReactNode;
}

/** Shows its content only if the deployment gives the fact. In a page of the build, the gateway decides when it starts. */
export function Given({ fact, facts, children }: GivenProps): ReactElement | null {
  if (facts[fact] === null) return null;
  if (facts[fact] !== PLACEHOLDERS[fact]) return <>{children}</>;
  return (
    <>
      {`{{#${fact}}}`}
      {children}
      {`{{/${fact}}}`}
    </>
  );
}
