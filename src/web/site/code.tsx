import type { ReactElement } from "react";

/** Marks the words of code, in a language of its choice, as HTML without scripts and styles: the build brings one (src/surfaces/web/highlight.ts). */
export type Highlight = (code: string, language: "sh" | "graphql" | "sql") => string;

/** A block that may be wider than a phone scrolls by itself, and is reached by keyboard. */
const scrollable = { tabIndex: 0 };

export function Code({ html }: { readonly html: string }): ReactElement {
  return (
    <pre {...scrollable}>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: our own samples, which the highlighter escapes */}
      <code dangerouslySetInnerHTML={{ __html: html }} />
    </pre>
  );
}
