import { type ReactElement, useEffect, useState } from "react";
import type { VerifyWords } from "./words.ts";

interface RetryProps {
  readonly words: VerifyWords["actions"];
  /** How long the service asks to wait. */
  readonly seconds: number;
  readonly onRetry: () => void;
}

/** Asks the service again. The button comes back when the wait is over. */
export function Retry({ words, seconds, onRetry }: RetryProps): ReactElement {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const end = Date.now() + seconds * 1_000;
    const timer = setInterval(() => {
      const rest = Math.max(0, Math.ceil((end - Date.now()) / 1_000));
      setLeft(rest);
      if (rest === 0) clearInterval(timer);
    }, 250);
    return () => clearInterval(timer);
  }, [seconds]);
  return (
    <button type="button" className="button main slim" disabled={left > 0} onClick={onRetry}>
      {left > 0 ? words.retryIn.replace("{seconds}", String(left)) : words.retry}
    </button>
  );
}
