import type { ReactElement } from "react";

/** Characters that move the pen, turn the writing direction or show nothing. Receipts, too, print them as U+FFFD. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu;

/** Text of others without characters that could disguise it. Use it only for display: comparisons need the original text. */
export function inert(text: string): string {
  return text.replace(INVISIBLE, "\u{fffd}");
}

/** Shows text of others inside other text, and leaves the direction of the other text alone. */
export function Foreign({ text, className }: { readonly text: string; readonly className?: string }): ReactElement {
  return <bdi className={className}>{inert(text)}</bdi>;
}
