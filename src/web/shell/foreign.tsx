import type { ReactElement } from "react";

/** Characters that move the pen, turn the writing direction or show nothing. Receipts, too, print them as U+FFFD. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu;

/** More than any text of a proof has. Browsers take minutes to break a word of some 50,000 letters into lines, and no verdict shows meanwhile. */
const MOST_CHARACTERS = 500;

/** Text of others without characters that could disguise it, and not without end. Use it only for display: comparisons need the original text. */
export function inert(text: string): string {
  const shown = text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
  return shown.replace(INVISIBLE, "\u{fffd}");
}

/** Shows text of others inside other text, and leaves the direction of the other text alone. */
export function Foreign({ text, className }: { readonly text: string; readonly className?: string }): ReactElement {
  return <bdi className={className}>{inert(text)}</bdi>;
}
