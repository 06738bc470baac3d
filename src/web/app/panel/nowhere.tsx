import type { ReactElement } from "react";
import { Skeleton } from "../../design/skeleton.tsx";
import { NO_NETWORK } from "../api/refusal.ts";
import { Head } from "../parts/head.tsx";
import { RefusalNotice } from "../parts/refusal-notice.tsx";
import { usePlace } from "../place.tsx";

/** An address that no page has. */
export function Nowhere(): ReactElement {
  const { words } = usePlace();
  return <Head title={words.panel.nowhereHeading} lead={words.panel.nowhereText} />;
}

/** A part that is still being loaded. */
export function Loading(): ReactElement {
  const { words } = usePlace();
  return (
    <div className="stack" role="status">
      <span className="out-of-sight">{words.loading}</span>
      <Skeleton bones={["third", "tall", "tall", "tall"]} />
    </div>
  );
}

/** A part that did not come, mostly for want of a connection. */
export function Broken(): ReactElement {
  const { words } = usePlace();
  return (
    <div className="stack">
      <Head title={words.panel.faultHeading} />
      <RefusalNotice refusal={NO_NETWORK} />
      <p>
        <button type="button" className="button" onClick={() => location.reload()}>
          {words.retry}
        </button>
      </p>
    </div>
  );
}
