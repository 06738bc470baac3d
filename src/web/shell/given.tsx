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
  return <When name={fact}>{children}</When>;
}

/** Shows its content only if the deployment does not give the fact. */
export function NotGiven({ fact, facts, children }: GivenProps): ReactElement | null {
  if (facts[fact] === null) return <>{children}</>;
  if (facts[fact] !== PLACEHOLDERS[fact]) return null;
  return (
    <>
      {`{{^${fact}}}`}
      {children}
      {`{{/^${fact}}}`}
    </>
  );
}

/** Marks content of a page of the build that the gateway leaves out unless it puts in a value of this name: src/surfaces/web/fill-page.ts. */
export function When({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement {
  return (
    <>
      {`{{#${name}}}`}
      {children}
      {`{{/${name}}}`}
    </>
  );
}
