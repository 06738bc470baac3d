import { type ReactElement, type SubmitEvent, useEffect, useRef, useState } from "react";
import { momentOf } from "../design/date-time.tsx";
import { Say } from "../design/say.tsx";
import type { Language } from "../shell/language.ts";
import { isBySms, shownTarget } from "./code-target.ts";
import { MailIcon } from "./icons.tsx";
import { NoticeLine } from "./notice.tsx";
import { preloadReader } from "./reader/document-reader.tsx";
import { Sender } from "./sender.tsx";
import { Actions, FieldError, Main, StepHeading } from "./step.tsx";
import { type CodeFault, codesAgainAt, type Flow } from "./use-signing.ts";
import { useWait } from "./wait.ts";
import { waitText } from "./wait-text.ts";
import type { SignWords } from "./words.ts";

/** A mail takes some seconds, an SMS often more, and a second code makes the first one worthless. */
const BETWEEN_CODES_MS = 30_000;
const BETWEEN_SMS_MS = 60_000;

interface CodeStepProps {
  readonly flow: Flow;
  readonly words: SignWords;
  readonly language: Language;
}

/** The code of the mail or the SMS. One input, so that what phones propose and what is pasted work. */
export function CodeStep({ flow, words: all, language }: CodeStepProps): ReactElement {
  const { code } = flow.kept;
  const sentTo = code?.sent_to ?? flow.signing?.sent_to ?? "@";
  const bySms = isBySms(sentTo);
  const words = bySms ? { ...all.code, ...all.code.sms } : all.code;
  const [typed, setTyped] = useState("");
  const [fault, setFault] = useState<CodeFault | "malformed" | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const sent = code?.sentAt;
  const left = useWait(
    codesAgainAt(flow.notice) ?? (sent === undefined ? null : sent + (bySms ? BETWEEN_SMS_MS : BETWEEN_CODES_MS)),
  );
  // The code is on its way: there is time for what draws the document.
  useEffect(preloadReader, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new code is a new beginning
  useEffect(() => {
    setFault(null);
    setTyped("");
  }, [sent]);

  const refuse = (next: CodeFault | "malformed") => {
    setFault(next);
    field.current?.focus();
    field.current?.select();
  };
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const digits = typed.replace(/\D/g, "");
    if (digits.length !== 6) return refuse("malformed");
    setFault(null);
    const next = await flow.giveCode(digits);
    if (next !== null) refuse(next);
  };
  const sendAgain = (
    <button
      type="button"
      className={code === undefined ? "button main" : "button plain"}
      aria-disabled={flow.isBusy || left > 0}
      onClick={() => {
        if (left === 0) void flow.askForCode();
      }}
    >
      {code === undefined && !bySms && <MailIcon />}
      {left > 0
        ? words.anotherIn.replace("{wait}", waitText(left))
        : code === undefined
          ? all.request.getCode
          : words.another}
    </button>
  );
  const declining = flow.kept.isDeclining ? <p className="quiet">{all.notices.declining}</p> : null;
  if (code === undefined)
    return (
      <>
        <Main>
          <StepHeading>{words.heading}</StepHeading>
          <NoticeLine words={all} notice={flow.notice} signing={flow.signing} />
          {declining}
          {flow.signing !== null && (
            <p>
              <Say text={words.goesTo} with={{ sent_to: <b>{shownTarget(sentTo)}</b> }} />
            </p>
          )}
        </Main>
        <Actions label={all.actions}>{sendAgain}</Actions>
      </>
    );
  const until = momentOf(new Date(code.expires_at), language);
  const error =
    fault === "wrong"
      ? (code.tries_left === 1 ? words.wrongOne : words.wrong).replace("{tries}", String(code.tries_left))
      : fault === "used_up"
        ? words.usedUp
        : fault === "malformed"
          ? words.malformed
          : null;
  return (
    <form className="sign-form" onSubmit={(event) => void submit(event)} noValidate>
      <Main>
        <div className="stack">
          <StepHeading>{words.heading}</StepHeading>
          <p>
            <Say
              text={words.sent}
              with={{ sent_to: <b>{shownTarget(sentTo)}</b>, time: momentOf(new Date(code.sentAt), language).time }}
            />
          </p>
          {declining}
        </div>
        <div className="field">
          <label htmlFor="code">{words.label}</label>
          <input
            id="code"
            ref={field}
            className="code-input"
            inputMode="numeric"
            autoComplete="one-time-code"
            pattern="[0-9]*"
            maxLength={12}
            required
            value={typed}
            aria-invalid={error !== null}
            aria-describedby={error === null ? "code-hint" : "code-error code-hint"}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          {error !== null && <FieldError id="code-error">{error}</FieldError>}
          <p className="quiet" id="code-hint">
            {words.goodUntil.replace("{time}", until.time.replace(/^\S+ /, "")).replace("{zone}", until.zone)}
            {bySms && ` ${all.code.sms.nobodyAsks}`}
          </p>
        </div>
        <details>
          <summary>{words.notReceived}</summary>
          <p>
            <Say text={words.notReceivedText} with={{ sender: <Sender words={all} signing={flow.signing} /> }} />
          </p>
        </details>
      </Main>
      <Actions label={all.actions}>
        <NoticeLine words={all} notice={flow.notice} signing={flow.signing} />
        <button type="submit" className="button main" aria-disabled={flow.isBusy}>
          {flow.isBusy ? all.act.busy : words.submit}
        </button>
        {sendAgain}
      </Actions>
    </form>
  );
}
