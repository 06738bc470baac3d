import type { ReactElement } from "react";

/** Characters that move the pen, turn the writing direction or show nothing. Receipts, too, print them as U+FFFD. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu;

/** More than any text of a proof has. Browsers take minutes to break a word of some 50,000 letters into lines, and no verdict shows meanwhile. */
const MOST_CHARACTERS = 500;

/** Text of others without characters that could disguise it, and not without end. Use it only for display: comparisons need the original text. */
export function inert(text: string, most = MOST_CHARACTERS): string {
  const shown = text.length > most ? `${text.slice(0, most)}…` : text;
  return shown.replace(INVISIBLE, "\u{fffd}");
}

interface ForeignProps {
  readonly text: string;
  readonly className?: string;
  /** For a text that may be longer than those of a proof. */
  readonly most?: number;
}

/** Shows text of others inside other text, and leaves the direction of the other text alone. */
export function Foreign({ text, className, most }: ForeignProps): ReactElement {
  return <bdi className={className}>{inert(text, most)}</bdi>;
}
