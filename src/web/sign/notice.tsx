import type { ReactElement } from "react";
import { momentOf } from "../design/date-time.tsx";
import { Icon } from "../design/icon.tsx";
import { languageOfDocument } from "../shell/language.ts";
import type { Trouble } from "./use-signing.ts";
import { useWait, waitText } from "./wait.ts";
import type { NoticeName, SignWords } from "./words.ts";

interface NoticeLineProps {
  readonly words: SignWords;
  readonly notice: Trouble<NoticeName> | null;
}

/** What went wrong, beside the button that did not work. It is read out when it comes. */
export function NoticeLine({ words, notice }: NoticeLineProps): ReactElement {
  const left = useWait(notice?.until ?? null);
  return (
    <div role="alert">
      {notice !== null && (
        <div className="sign-notice">
          <Icon tone={notice.name === "session_expired" || notice.name === "declining" ? "note" : "warn"} />
          <div>
            <p>
              {words.notices[notice.name].replace("{wait}", waitText(left)).replace("{time}", timeOf(notice.until))}
            </p>
            {notice.requestId !== null && notice.name === "unavailable" && (
              <p className="small quiet break">{words.requestId.replace("{id}", notice.requestId)}</p>
            )}
          </div>
        </div>
      )}
    </div>
  );
}

/** As "14:32". */
const timeOf = (until: number | null): string =>
  until === null ? "" : momentOf(new Date(until), languageOfDocument()).time.replace(/^\S+ /, "");
