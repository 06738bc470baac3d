import type { ReactElement } from "react";
import { momentOf } from "../design/date-time.tsx";
import { Icon } from "../design/icon.tsx";
import { Say } from "../design/say.tsx";
import { languageOfDocument } from "../shell/language.ts";
import { Sender } from "./sender.tsx";
import type { Signing } from "./service.ts";
import type { Trouble } from "./use-signing.ts";
import { useWait } from "./wait.ts";
import { waitText } from "./wait-text.ts";
import type { NoticeName, SignWords } from "./words.ts";

interface NoticeLineProps {
  readonly words: SignWords;
  readonly notice: Trouble<NoticeName> | null;
  /** What is known of the request: whom to ask. */
  readonly signing: Signing | null;
}

/** What went wrong, beside the button that did not work. It is read out when it comes. */
export function NoticeLine({ words, notice, signing }: NoticeLineProps): ReactElement {
  const left = useWait(notice?.until ?? null);
  return (
    <div role="alert">
      {notice !== null && (
        <div className="sign-notice">
          <Icon tone={notice.name === "session_expired" || notice.name === "declining" ? "note" : "warn"} />
          <div>
            <p>
              <Say
                text={words.notices[notice.name]}
                with={{
                  wait: waitText(left),
                  time: timeOf(notice.until),
                  sender: <Sender words={words} signing={signing} />,
                }}
              />
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
