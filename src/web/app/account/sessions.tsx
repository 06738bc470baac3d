import type { ReactElement } from "react";
import { graphql } from "../api/graph.ts";
import { useAct, useAsked } from "../api/use-act.ts";
import { Answered } from "../parts/answered.tsx";
import { LineIcon } from "../parts/line-icon.tsx";
import { timeOf } from "../parts/moment.ts";
import { RefusalNotice } from "../parts/refusal-notice.tsx";
import { Setting } from "../parts/setting.tsx";
import { usePlace } from "../place.tsx";
import { browserOf, isPhone } from "./user-agent.ts";
import { accountWords } from "./words.ts";

const SESSIONS = graphql(`
  query Sessions {
    account {
      sessions {
        id
        current
        userAgent
        way
        createdAt
        expiresAt
      }
    }
  }
`);
const END = graphql(`
  mutation EndSession($id: ID!) {
    endSession(input: { id: $id }) {
      done
    }
  }
`);
const END_OTHERS = graphql(`
  mutation EndOtherSessions {
    endOtherSessions {
      ended
    }
  }
`);

/** Where the person is signed in, and the way to end it. */
export function Sessions(): ReactElement {
  const { language } = usePlace();
  const words = accountWords[language];
  const asked = useAsked(SESSIONS);
  const end = useAct(END);
  const endOthers = useAct(END_OTHERS);
  const refusal = end.refusal ?? endOthers.refusal;
  return (
    <Setting title={words.sessions} text={words.sessionsText}>
      <Answered asked={asked}>
        {({ account }, again) => {
          const sessions = account?.sessions ?? [];
          const others = sessions.filter(({ current }) => !current).length;
          return (
            <>
              <ul className="items acts">
                {sessions.map(({ id, current, userAgent, way, createdAt, expiresAt }) => {
                  const browser = browserOf(userAgent) ?? words.unknownBrowser;
                  const times = words.times
                    .replace("{begin}", timeOf(createdAt, language))
                    .replace("{end}", timeOf(expiresAt, language));
                  return (
                    <li key={id}>
                      <span className="ico">
                        <LineIcon name={isPhone(userAgent) ? "phone" : "screen"} />
                      </span>
                      <div className="grow">
                        <p>
                          <b>{browser}</b> {current && <span className="tag ok">{words.thisSession}</span>}
                        </p>
                        <p className="quiet small">
                          {wayInWords(way, words.ways)} · {times}
                        </p>
                      </div>
                      {!current && (
                        <button
                          type="button"
                          className="button"
                          aria-disabled={end.isBusy}
                          onClick={() => void end.act({ id }).then((done) => done !== null && again())}
                        >
                          {words.end}
                          <span className="out-of-sight"> {words.endBehind.replace("{browser}", browser)}</span>
                        </button>
                      )}
                    </li>
                  );
                })}
              </ul>
              {refusal !== null && <RefusalNotice refusal={refusal} />}
              {others > 0 && (
                <footer>
                  <button
                    type="button"
                    className="button danger"
                    aria-disabled={endOthers.isBusy}
                    onClick={() => void endOthers.act({}).then((done) => done !== null && again())}
                  >
                    {words.endOthers.replace("{count}", String(others))}
                  </button>
                </footer>
              )}
            </>
          );
        }}
      </Answered>
    </Setting>
  );
}

function wayInWords(way: string, words: (typeof accountWords)["en"]["ways"]): string {
  const known: Readonly<Record<string, string>> = words;
  return known[way] ?? words.other;
}
