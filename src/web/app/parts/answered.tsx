import type { ReactElement, ReactNode } from "react";
import type { Asked } from "../api/use-act.ts";
import { Loading } from "../panel/nowhere.tsx";
import { usePlace } from "../place.tsx";
import { RefusalNotice } from "./refusal-notice.tsx";

interface AnsweredProps<Data> {
  readonly asked: readonly [Asked<Data>, again: () => void];
  readonly children: (data: Data, again: () => void) => ReactNode;
}

/** What was asked for, once it is there. */
export function Answered<Data>({ asked: [asked, again], children }: AnsweredProps<Data>): ReactElement {
  const { words } = usePlace();
  if (asked.kind === "asking") return <Loading />;
  if (asked.kind === "answered") return <>{children(asked.data, again)}</>;
  return (
    <div className="stack">
      <RefusalNotice refusal={asked.refusal} />
      <p>
        <button type="button" className="button" onClick={again}>
          {words.retry}
        </button>
      </p>
    </div>
  );
}
