import type { VNode } from "preact";

/** Would move the pen, turn the direction of writing or show nothing; receipts print it as U+FFFD, too. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu;

/** What others wrote, without what could make it look like something else. Only ever shown: it is compared as it was written. */
export function inert(text: string): string {
  return text.replace(INVISIBLE, "\u{fffd}");
}

/** The same where it stands among other text, whose direction it leaves alone. */
export function Foreign({ text, class: name }: { readonly text: string; readonly class?: string }): VNode {
  return <bdi class={name}>{inert(text)}</bdi>;
}
