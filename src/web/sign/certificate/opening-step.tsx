import type { ReactElement } from "react";
import { DoneIcon } from "../icons.tsx";
import { Actions, Main, StepHeading } from "../step.tsx";
import type { StepProps } from "./common.ts";
import { LaterIcon, TurnIcon } from "./icons.tsx";

/** The file is opened here, and the service judges the certificate. */
export function OpeningStep({ all, words: { opening: words }, certificate }: StepProps): ReactElement {
  const isRead = certificate.doing === "judging";
  return (
    <>
      <Main>
        <div className="stack">
          <StepHeading>{words.heading}</StepHeading>
          <p>{words.patience}</p>
        </div>
        <ol className="own-doing" aria-label={words.progress}>
          <li className={isRead ? "past" : "now"} aria-current={isRead ? undefined : "step"}>
            {isRead ? <DoneIcon /> : <TurnIcon />}
            <span>{isRead ? words.read : words.reading}</span>
          </li>
          <li className={isRead ? "now" : undefined} aria-current={isRead ? "step" : undefined}>
            {isRead ? <TurnIcon /> : <LaterIcon />}
            <span>{words.judging}</span>
          </li>
          <li>
            <LaterIcon />
            <span>{words.preparing}</span>
          </li>
        </ol>
        <p className="out-of-sight" role="status">
          {isRead ? words.read : words.reading}
        </p>
      </Main>
      <Actions label={all.actions}>
        <button type="button" className="button" onClick={certificate.cancel}>
          {words.cancel}
        </button>
      </Actions>
    </>
  );
}
