import { type ReactElement, type ReactNode, useState } from "react";
import { When } from "../design/date-time.tsx";
import { Fact, FactList } from "../design/fact-list.tsx";
import { Say } from "../design/say.tsx";
import { Foreign } from "../shell/foreign.tsx";
import type { Language } from "../shell/language.ts";
import { isBySms, shownTarget } from "./code-target.ts";
import { DownloadButton } from "./download.tsx";
import { Fingerprints } from "./fingerprints.tsx";
import { DoneIcon, MailIcon } from "./icons.tsx";
import type { Ended } from "./place.ts";
import { Actions, Main, StepHeading } from "./step.tsx";
import type { Flow } from "./use-signing.ts";
import type { Role, SignWords } from "./words.ts";

export interface DoneProps {
  readonly flow: Flow;
  readonly words: SignWords;
  readonly language: Language;
  readonly role: Role;
  readonly ended: Ended;
  /** What is said instead where a certificate of one's own signed. */
  readonly own?: {
    readonly heading: string;
    readonly sentence: string;
    readonly note: ReactNode;
    readonly how: ReactNode;
    /** What else is recorded. */
    readonly more: ReactNode;
  };
}

/** What was done, and what happens next. After a reload nothing of the envelope is known any more. */
export function Done({ flow, words: all, language, role, ended, own }: DoneProps): ReactElement {
  const words = all.done;
  const { signing } = flow;
  // What is forgotten at the end is remembered as long as the page stands.
  const [{ signedInAt }] = useState(flow.kept);
  const when = <When written={ended.at ?? ""} language={language} isStrong />;
  const mailsTo = <b>{signing?.mails_to}</b>;
  return (
    <>
      <Main>
        <div className="stack">
          <span className="state-mark ok">
            <DoneIcon />
          </span>
          <StepHeading>{own?.heading ?? words.heading[role]}</StepHeading>
          <p>
            {signing === null ? (
              <Say text={words.sentenceWithoutTitle} with={{ when }} />
            ) : (
              <Say
                text={own?.sentence ?? words.sentence[role]}
                with={{
                  when,
                  title: (
                    <b>
                      <Foreign text={signing.title} />
                    </b>
                  ),
                }}
              />
            )}
          </p>
        </div>
        {own?.note}
        {signing !== null && (
          <>
            <section className="sign-note">
              <MailIcon />
              <p>
                <b>{words.copyHeading}</b>{" "}
                <Say text={signing.single_signer ? words.copyTextOfOne : words.copyText} with={{ sent_to: mailsTo }} />
              </p>
            </section>
            <section className="stack">
              <h2>{words.recorded}</h2>
              <FactList>
                <Fingerprints words={words} signing={signing} />
                {own !== undefined && <Fact term={words.how}>{own.how}</Fact>}
                {own?.more}
                {signedInAt !== undefined && (
                  <Fact term={words.how}>
                    <Say
                      text={isBySms(signing.sent_to) ? words.howTextOfSms : words.howText}
                      with={{
                        sent_to: shownTarget(signing.sent_to),
                        when: <When written={new Date(signedInAt).toISOString()} language={language} />,
                      }}
                    />
                  </Fact>
                )}
                {ended.consent && <Fact term={words.agreement}>{ended.consent}</Fact>}
              </FactList>
            </section>
          </>
        )}
        <p className="quiet">{words.forgotten}</p>
      </Main>
      <Actions label={all.actions}>
        {signing?.documents?.map(({ id, filename }) => (
          <DownloadButton
            key={id}
            flow={flow}
            path={`/documents/${id}`}
            filename={filename}
            failed={words.downloadFailed}
          >
            {signing.documents?.length === 1 ? (
              words.downloadOne
            ) : (
              <Say text={words.download} with={{ file: <Foreign text={filename} /> }} />
            )}
          </DownloadButton>
        ))}
        <a className="button plain" href="/verify">
          {words.verify}
        </a>
      </Actions>
    </>
  );
}
