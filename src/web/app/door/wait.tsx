import { type ReactElement, useEffect, useState } from "react";
import { momentOf } from "../../design/date-time.tsx";
import { Say } from "../../design/say.tsx";
import { Foreign } from "../../shell/foreign.tsx";
import { usePlace } from "../place.tsx";
import { DoorState } from "./door.tsx";

interface WaitProps {
  readonly email: string;
  readonly seconds: number;
  readonly onRetry: () => void;
  /** Where another person may sign in. */
  readonly onOther?: () => void;
}

/** Too many attempts have failed: how long to wait, and that waiting is enough. */
export function Wait({ email, seconds, onRetry, onOther }: WaitProps): ReactElement {
  const { words, language } = usePlace();
  const { wait } = words;
  const [until] = useState(() => Date.now() + seconds * 1_000);
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1_000))), 1_000);
    return () => clearInterval(timer);
  }, [until]);
  // "at 14:52": the clock alone, because nobody waits for a day.
  const time = momentOf(new Date(until), language).time.replace(/^\S+ /, "");
  const minutes = Math.floor(left / 60);
  const shown = [
    ...(minutes > 0 ? [wait.minutes.replace("{minutes}", String(minutes))] : []),
    wait.seconds.replace("{seconds}", String(left % 60)),
  ].join(" ");
  return (
    <>
      <DoorState icon="clock" tone="warn" heading={wait.heading}>
        <p>
          <Say
            text={wait.text.replaceAll("**", "")}
            with={{
              email: (
                <b>
                  <Foreign text={email} />
                </b>
              ),
            }}
          />
        </p>
      </DoorState>
      <div className="wait">
        <b role="timer">{shown}</b>
        <progress max={seconds} value={seconds - left} aria-label={wait.label} />
        <p className="quiet small">{wait.until.replace("{time}", time)}</p>
      </div>
      <div className="stack tight">
        <button
          type="button"
          className="button main"
          aria-disabled={left > 0}
          onClick={() => {
            if (left === 0) onRetry();
          }}
        >
          {left > 0 ? wait.again.replace("{time}", time) : wait.now}
        </button>
        {onOther !== undefined && (
          <button type="button" className="button plain" onClick={onOther}>
            {wait.other}
          </button>
        )}
      </div>
      <p className="quiet small">
        <Say text={wait.notYou} />
      </p>
    </>
  );
}
