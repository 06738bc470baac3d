import { type ReactElement, useRef, useState } from "react";

interface CopyButtonProps {
  readonly text: string;
  readonly words: { readonly copy: string; readonly copied: string; readonly byHand: string };
}

/** Copies a text. Where the browser does not let pages copy, it shows the text, selected, to be copied by hand. */
export function CopyButton({ text, words }: CopyButtonProps): ReactElement {
  const [came, setCame] = useState<"copied" | "refused" | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const copy = async () => {
    clearTimeout(timer.current);
    try {
      await navigator.clipboard.writeText(text);
      setCame("copied");
      timer.current = setTimeout(() => setCame(null), 4_000);
    } catch {
      setCame("refused");
    }
  };
  return (
    <>
      <button className="button slim" type="button" onClick={() => void copy()}>
        <span aria-live="polite">{came === "copied" ? words.copied : words.copy}</span>
      </button>
      {came === "refused" && (
        <input
          className="by-hand"
          aria-label={words.byHand}
          readOnly
          value={text}
          ref={(field) => field?.select()}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
      )}
    </>
  );
}
