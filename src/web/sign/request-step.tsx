import { Fragment, type ReactElement } from "react";
import { Fact, FactList } from "../design/fact-list.tsx";
import { Say } from "../design/say.tsx";
import type { SiteFacts } from "../shell/facts.ts";
import { Foreign } from "../shell/foreign.tsx";
import { isBySms, shownTarget } from "./code-target.ts";
import { MailIcon } from "./icons.tsx";
import { NoticeLine } from "./notice.tsx";
import { Sender } from "./sender.tsx";
import type { Signing } from "./service.ts";
import { Actions, Main, StepHeading } from "./step.tsx";
import { codesAgainAt, type Flow, isCompleted, isQualified } from "./use-signing.ts";
import { useWait } from "./wait.ts";
import { waitText } from "./wait-text.ts";
import type { Role, SignWords } from "./words.ts";

/** As long as the message of a sender may be. */
const MESSAGE = 4_000;

interface RequestStepProps {
  readonly flow: Flow;
  readonly words: SignWords;
  readonly role: Role;
  readonly signing: Signing;
  readonly facts: SiteFacts;
}

/** Who asks, and for what. */
export function RequestStep({ flow, words: all, role, signing, facts }: RequestStepProps): ReactElement {
  const words = all.request;
  const organization = <Foreign text={signing.organization} />;
  const forCopies = isCompleted(signing);
  const left = useWait(codesAgainAt(flow.notice));
  const needsNoCode = isQualified(signing);
  const bySms = isBySms(signing.sent_to);
  const isSignedIn = flow.kept.token !== undefined && signing.documents !== null;
  return (
    <>
      <Main>
        <div className="stack">
          <StepHeading>
            <Say text={forCopies ? words.headingOfCopies : words.heading[role]} with={{ organization }} />
          </StepHeading>
          <p>
            <Say
              text={words.document}
              with={{
                title: (
                  <b>
                    <Foreign text={signing.title} />
                  </b>
                ),
              }}
            />
          </p>
        </div>
        {signing.message !== null && signing.message.trim() !== "" && !forCopies && (
          <figure className="sign-foreign">
            <blockquote>
              {signing.message.split(/\r\n|\r|\n/).map((line, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change.
                <p key={at} dir="auto">
                  <Foreign text={line} most={MESSAGE} />
                </p>
              ))}
            </blockquote>
            <figcaption>
              <Say text={words.messageBy} with={{ organization }} />
            </figcaption>
          </figure>
        )}
        <FactList>
          <Fact term={words.to}>
            <Foreign text={signing.participant.name} />
            <details>
              <summary>{words.notMe}</summary>
              <p>
                <Say text={words.notMeText} with={{ sender: <Sender words={all} signing={signing} /> }} />
              </p>
              {signing.delegation !== null && (
                <>
                  <p>{isSignedIn ? words.handOnText : `${words.handOnText} ${words.handOnCode}`}</p>
                  <button type="button" className="button" aria-disabled={flow.isBusy} onClick={flow.beginHandingOn}>
                    {words.handOn}
                  </button>
                </>
              )}
            </details>
          </Fact>
        </FactList>
        {(!forCopies || !needsNoCode) && (
          <p className="quiet">
            {forCopies
              ? bySms
                ? words.copiesTextOfSms
                : words.copiesText
              : needsNoCode
                ? words.safeWithCertificate
                : words.safe}
          </p>
        )}
        <Operator words={words} facts={facts} />
      </Main>
      <Actions label={all.actions}>
        <NoticeLine words={all} notice={flow.notice} signing={flow.signing} />
        {isSignedIn ? (
          <button
            type="button"
            className="button main"
            onClick={() => flow.go(forCopies ? "copies" : (flow.kept.next ?? "read"))}
          >
            {words.goOn}
          </button>
        ) : needsNoCode ? (
          <button
            type="button"
            className="button main"
            aria-disabled={flow.isBusy}
            onClick={() => void flow.startSession()}
          >
            {flow.isBusy ? all.act.busy : words.goOn}
          </button>
        ) : (
          <>
            <p className="quiet">
              <Say
                text={bySms ? all.code.sms.goesTo : all.code.goesTo}
                with={{ sent_to: <b>{shownTarget(signing.sent_to)}</b> }}
              />
            </p>
            <button
              type="button"
              className="button main"
              aria-disabled={flow.isBusy || left > 0}
              onClick={() => {
                if (left === 0) void flow.askForCode();
              }}
            >
              {!bySms && <MailIcon />}
              {flow.isBusy
                ? all.act.busy
                : left > 0
                  ? (bySms ? all.code.sms : all.code).anotherIn.replace("{wait}", waitText(left))
                  : words.getCode}
            </button>
          </>
        )}
      </Actions>
    </>
  );
}

/** Who operates the deployment. Its links open beside the request, which stays as it is. */
function Operator({
  words,
  facts,
}: {
  readonly words: SignWords["request"];
  readonly facts: SiteFacts;
}): ReactElement | null {
  const links = [
    [words.privacy, facts.privacy_url],
    [words.terms, facts.terms_url],
  ] as const;
  if (facts.operator_name === null && links.every(([, url]) => url === null)) return null;
  return (
    <p className="small quiet">
      {facts.operator_name !== null && `${words.operatedBy} ${facts.operator_name}. `}
      {links
        .filter(([, url]) => url !== null)
        .map(([text, url], place) => (
          <Fragment key={text}>
            {place > 0 && " · "}
            <a href={url ?? ""} target="_blank" rel="noreferrer">
              {text}
            </a>
          </Fragment>
        ))}
    </p>
  );
}
