import type { ReactElement, ReactNode } from "react";
import { Say } from "../../design/say.tsx";
import type { Refusal } from "../api/refusal.ts";
import { usePlace } from "../place.tsx";
import type { AppWords } from "../words.ts";
import { LineIcon } from "./line-icon.tsx";

/** What is said of a refusal that concerns no single field. */
function sentenceOf({ refusals }: AppWords, { code, seconds }: Refusal): string {
  const known = Object.hasOwn(refusals, code) ? refusals[code as keyof AppWords["refusals"]] : refusals.other;
  return known.replace("{seconds}", String(seconds ?? 60));
}

interface RefusalNoticeProps {
  readonly refusal: Refusal;
  /** In place of what is said of every refusal of this kind. */
  readonly children?: ReactNode;
}

/** Why nothing was done, and the id to quote. */
export function RefusalNotice({ refusal, children }: RefusalNoticeProps): ReactElement {
  const { words, keeper } = usePlace();
  const { state } = keeper;
  const organization = state.kind === "open" || state.kind === "over" ? state.session.organization.name : "";
  return (
    <div className="notice bad" role="alert">
      <LineIcon name="error" />
      <div>
        <p>{children ?? <Say text={sentenceOf(words, refusal)} with={{ organization: <b>{organization}</b> }} />}</p>
        {refusal.requestId !== null && (
          <p className="small">
            {words.requestCode} <span className="mono break">{refusal.requestId}</span>
          </p>
        )}
      </div>
    </div>
  );
}

export function Notice({
  tone,
  icon,
  children,
}: {
  readonly tone: "info" | "warn" | "ok";
  readonly icon: "info" | "warning" | "done" | "flask";
  readonly children: ReactNode;
}): ReactElement {
  return (
    <div className={`notice ${tone}`}>
      <LineIcon name={icon} />
      <div>{children}</div>
    </div>
  );
}
