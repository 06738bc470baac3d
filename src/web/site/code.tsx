import type { ReactElement } from "react";

/** A block that may be wider than a phone scrolls by itself, and is reached by keyboard. */
const scrollable = { tabIndex: 0 };

export function Code({ text }: { readonly text: string }): ReactElement {
  return (
    <pre {...scrollable}>
      <code>{text}</code>
    </pre>
  );
}
