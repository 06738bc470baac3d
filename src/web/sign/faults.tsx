import { type ReactElement, useState } from "react";
import { Say } from "../design/say.tsx";
import { Skeleton } from "../design/skeleton.tsx";
import { Foreign } from "../shell/foreign.tsx";
import { BrokenLinkIcon, ClosedIcon, CloudOffIcon, DoneIcon, LockIcon, MailIcon, TabIcon, WaitIcon } from "./icons.tsx";
import { Sender } from "./sender.tsx";
import { mailLink, type Signing } from "./service.ts";
import { Actions, Main, StepHeading } from "./step.tsx";
import type { Trouble } from "./use-signing.ts";
import { useWait } from "./wait.ts";
import { waitText } from "./wait-text.ts";
import type { FaultName, SignWords } from "./words.ts";

type Tone = "ok" | "info" | "warn" | "bad";

const MARKS: Readonly<Record<FaultName, { readonly tone: Tone; readonly Icon: () => ReactElement }>> = {
  link: { tone: "warn", Icon: BrokenLinkIcon },
  other_tab: { tone: "info", Icon: TabIcon },
  replaced: { tone: "info", Icon: MailIcon },
  locked: { tone: "warn", Icon: LockIcon },
  unconfirmed: { tone: "bad", Icon: LockIcon },
  not_yet: { tone: "info", Icon: WaitIcon },
  expired: { tone: "warn", Icon: WaitIcon },
  cancelled: { tone: "info", Icon: ClosedIcon },
  declined: { tone: "info", Icon: ClosedIcon },
  failed: { tone: "info", Icon: WaitIcon },
  done: { tone: "ok", Icon: DoneIcon },
  declined_by_you: { tone: "info", Icon: ClosedIcon },
  copies_over: { tone: "info", Icon: WaitIcon },
  browser: { tone: "warn", Icon: CloudOffIcon },
  no_network: { tone: "warn", Icon: CloudOffIcon },
  rate_limited: { tone: "warn", Icon: WaitIcon },
  unavailable: { tone: "bad", Icon: CloudOffIcon },
};

/** Before anything is known. Without scripts, and in browsers that are too old for them, it says what to do. */
export function Opening({ words }: { readonly words: SignWords }): ReactElement {
  const needsScript = (
    <section className="stack">
      <h2>{words.noScript.heading}</h2>
      <p>{words.noScript.text}</p>
    </section>
  );
  return (
    <Main>
      <h1 className="out-of-sight">{words.title}</h1>
      <p className="out-of-sight" role="status">
        {words.opening}
      </p>
      <div className="too-old">{needsScript}</div>
      <noscript>{needsScript}</noscript>
      <div className="needs-script">
        <Skeleton bones={["tall", "half", "", "", "third"]} />
      </div>
    </Main>
  );
}

interface FaultPageProps {
  readonly fault: Trouble<FaultName>;
  readonly signing: Signing | null;
  readonly words: SignWords;
  readonly participantId: string;
  readonly onRetry: () => void;
}

/** A separate page for what keeps a participant from signing: what happened, and what to do. */
export function FaultPage({ fault, signing, words, participantId, onRetry }: FaultPageProps): ReactElement {
  const { tone, Icon } = MARKS[fault.name];
  const { heading, text, ways } = words.faults[fault.name];
  return (
    <>
      <Main>
        <div className="stack">
          <span className={`state-mark ${tone}`}>
            <Icon />
          </span>
          <StepHeading>{heading}</StepHeading>
          <Paragraphs text={text} words={words} signing={signing} />
          {fault.name === "unavailable" && fault.requestId !== null && (
            <p className="small quiet break">{words.requestId.replace("{id}", fault.requestId)}</p>
          )}
        </div>
        {ways !== undefined && (
          <section className="stack">
            <h2>{words.whatNow}</h2>
            <ul className="sign-ways">
              {ways.map((way) => (
                <li key={way}>
                  <Say text={way} with={{ sender: <Sender words={words} signing={signing} /> }} />
                </li>
              ))}
            </ul>
          </section>
        )}
        {fault.tab !== undefined && (
          <div className="stack">
            <p>{words.otherTab.look}</p>
            <p>
              <b className="break">{fault.tab}</b>
            </p>
            <p className="quiet">{words.otherTab.onPhone}</p>
            <p>
              <Say text={words.otherTab.kept} />
            </p>
          </div>
        )}
      </Main>
      {fault.name === "link" && <NewLink words={words} participantId={participantId} hint={words.newLink.hint} />}
      {fault.name === "replaced" && (
        <NewLink words={words} participantId={participantId} hint={words.newLink.hintOfReplaced} />
      )}
      {fault.name === "other_tab" && (
        <NewLink words={words} participantId={participantId} hint={words.otherTab.hint} isSecond />
      )}
      {fault.name === "not_yet" && (
        <Actions label={words.actions}>
          <button type="button" className="button" onClick={onRetry}>
            {words.lookAgain}
          </button>
        </Actions>
      )}
      {["no_network", "rate_limited", "unavailable"].includes(fault.name) && (
        <Retry words={words} until={fault.until} onRetry={onRetry} />
      )}
    </>
  );
}

/** The participant declined, a moment ago. */
export function DeclinedPage({
  words,
  signing,
}: {
  readonly words: SignWords;
  readonly signing: Signing | null;
}): ReactElement {
  const { heading, text } =
    signing === null ? words.declinedBefore : signing.single_signer ? words.declinedOfOne : words.declined;
  return (
    <Main>
      <div className="stack">
        <span className="state-mark info">
          <ClosedIcon />
        </span>
        <StepHeading>{heading}</StepHeading>
        <Paragraphs text={text} words={words} signing={signing} />
      </div>
    </Main>
  );
}

function Paragraphs({
  text,
  words,
  signing,
}: {
  readonly text: readonly string[];
  readonly words: SignWords;
  readonly signing: Signing | null;
}) {
  const values = {
    organization: <Foreign text={signing?.organization ?? ""} />,
    sent_to: <b>{signing?.mails_to}</b>,
    sender: <Sender words={words} signing={signing} />,
  };
  return text.map((paragraph) => (
    <p key={paragraph}>
      <Say text={paragraph} with={values} />
    </p>
  ));
}

function Retry({
  words,
  until,
  onRetry,
}: {
  readonly words: SignWords;
  readonly until: number | null;
  readonly onRetry: () => void;
}): ReactElement {
  const left = useWait(until);
  return (
    <Actions label={words.actions}>
      <button type="button" className="button main" disabled={left > 0} onClick={onRetry}>
        {left > 0 ? words.retryIn.replace("{wait}", waitText(left)) : words.retry}
      </button>
    </Actions>
  );
}

/** Mails the link anew. The answer never says whether there is such a participant, and so does the page. */
function NewLink({
  words,
  participantId,
  hint,
  isSecond = false,
}: {
  readonly words: SignWords;
  readonly participantId: string;
  readonly hint: string;
  /** Something else comes first. */
  readonly isSecond?: boolean;
}): ReactElement {
  const [state, setState] = useState<
    "idle" | "busy" | "sent" | { readonly failed: keyof SignWords["notices"]; readonly seconds: number }
  >("idle");
  const ask = async () => {
    if (state === "busy") return;
    setState("busy");
    const answer = await mailLink(participantId);
    if (answer.ok) return setState("sent");
    const { code, seconds } = answer.refusal;
    setState({
      failed: code === "no_network" || code === "rate_limited" ? code : "unavailable",
      seconds: seconds ?? 0,
    });
  };
  return (
    <Actions label={words.actions}>
      <div role="status">
        {state === "sent" && (
          <div className="sign-note">
            <MailIcon />
            <p>
              <b>{words.newLink.heading}.</b> <Say text={words.newLink.text} />
            </p>
          </div>
        )}
      </div>
      {typeof state === "object" && (
        <p className="field-error" role="alert">
          {words.notices[state.failed].replace("{wait}", waitText(state.seconds))}
        </p>
      )}
      {state !== "sent" && (
        <button
          type="button"
          className={isSecond ? "button" : "button main"}
          aria-disabled={state === "busy"}
          onClick={() => void ask()}
        >
          <MailIcon />
          {state === "busy" ? words.act.busy : words.newLink.submit}
        </button>
      )}
      <p className="quiet">
        <Say text={hint} />
      </p>
    </Actions>
  );
}
