import { type ReactElement, useEffect, useRef, useState } from "react";
import type { Listed } from "../api/use-pages.ts";
import { usePlace } from "../place.tsx";
import { RefusalNotice } from "./refusal-notice.tsx";

/** The foot of a long list: what is shown, and the way to more. Nothing where all was there at once. */
export function MoreRows({ list }: { readonly list: Listed<unknown> }): ReactElement | null {
  const { words } = usePlace();
  const [wasAsked, setAsked] = useState(false);
  const end = useRef<HTMLParagraphElement>(null);
  const isAllShown = wasAsked && !list.hasMore;
  useEffect(() => {
    // The button, which had the focus, is gone.
    if (isAllShown) end.current?.focus();
  }, [isAllShown]);
  if (!list.hasMore && !wasAsked && list.refusal === null) return null;
  return (
    <div className="more-rows">
      {list.hasMore && (
        <button
          type="button"
          className="button"
          aria-disabled={list.isBusy}
          onClick={() => {
            setAsked(true);
            list.more();
          }}
        >
          {words.more}
        </button>
      )}
      <p ref={end} className="quiet" role="status" tabIndex={-1}>
        {(list.hasMore ? words.rowsSoFar : words.allRows).replace("{count}", String(list.rows.length))}
      </p>
      {list.refusal !== null && <RefusalNotice refusal={list.refusal} />}
    </div>
  );
}
