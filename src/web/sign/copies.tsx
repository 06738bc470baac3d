import type { ReactElement } from "react";
import { FactList } from "../design/fact-list.tsx";
import { Say } from "../design/say.tsx";
import { Foreign } from "../shell/foreign.tsx";
import { DownloadButton } from "./download.tsx";
import { Fingerprints } from "./fingerprints.tsx";
import { DoneIcon } from "./icons.tsx";
import { NoticeLine } from "./notice.tsx";
import type { Signing } from "./service.ts";
import { Actions, Main, StepHeading } from "./step.tsx";
import type { Flow } from "./use-signing.ts";
import type { SignWords } from "./words.ts";

interface CopiesProps {
  readonly flow: Flow;
  readonly words: SignWords;
  readonly signing: Signing;
}

/** All have signed: the sealed documents, to keep. */
export function Copies({ flow, words: all, signing }: CopiesProps): ReactElement {
  const words = all.copies;
  const { documents, organization, title, verification_code: code } = signing;
  return (
    <>
      <Main>
        <div className="stack">
          <span className="state-mark ok">
            <DoneIcon />
          </span>
          <StepHeading>{words.heading}</StepHeading>
          <p>
            <Say
              text={words.text}
              with={{
                title: (
                  <b>
                    <Foreign text={title} />
                  </b>
                ),
                organization: <Foreign text={organization} />,
              }}
            />
          </p>
        </div>
        <FactList>
          <Fingerprints words={all.done} signing={signing} />
        </FactList>
      </Main>
      <Actions label={all.actions}>
        <NoticeLine words={all} notice={flow.notice} signing={flow.signing} />
        {documents?.map(({ id, filename }) => (
          <DownloadButton
            key={id}
            flow={flow}
            path={`/documents/${id}`}
            filename={filename}
            failed={all.done.downloadFailed}
          >
            <Say text={all.done.download} with={{ file: <Foreign text={filename} /> }} />
          </DownloadButton>
        ))}
        <DownloadButton flow={flow} path="/report" filename={words.reportFile} failed={all.done.downloadFailed}>
          {words.report}
        </DownloadButton>
        <a className="button plain" href={code === null ? "/verify" : `/verify/${code}`}>
          {words.verify}
        </a>
      </Actions>
    </>
  );
}
