import type { ReactElement } from "react";
import { Say } from "../../design/say.tsx";
import { Foreign } from "../../shell/foreign.tsx";
import { SiteLink } from "../../shell/site-link.tsx";
import { Head } from "../parts/head.tsx";
import { LineIcon } from "../parts/line-icon.tsx";
import { Notice } from "../parts/refusal-notice.tsx";
import { useMay, usePlace, useSession } from "../place.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { LatestFacts } from "./latest-facts.tsx";
import { homeWords } from "./words.ts";

/** /app: where one begins. */
export function Home(): ReactElement {
  const { language, keeper } = usePlace();
  const { organization } = useSession();
  const words = homeWords[language];
  const maySeeEvents = useMay("audit:read");
  const maySeeMembers = useMay("members:read");
  const isTest = keeper.environment === "test";
  return (
    <>
      <Head
        title={words.title}
        lead={
          isTest ? (
            words.leadTest
          ) : (
            <Say text={words.lead} with={{ organization: <Foreign text={organization.name} /> }} />
          )
        }
      />
      <div className="overview">
        <div className="stack">
          <FirstSteps />
          {maySeeEvents && maySeeMembers && <LatestFacts />}
        </div>
        <div className="stack">
          <Guides />
          <Notice tone="info" icon="flask">
            <p>
              <Say text={isTest ? words.ready : words.tryIt} />
            </p>
          </Notice>
        </div>
      </div>
    </>
  );
}

function Guides(): ReactElement {
  const { language } = usePlace();
  const words = homeWords[language];
  return (
    <section className="card" aria-labelledby="guides">
      <header>
        <h2 id="guides">{words.guides}</h2>
      </header>
      <ul className="items">
        {Object.entries(words.guide).map(([name, [title = "", text = ""]]) => (
          <li key={name}>
            <span className="ico">
              <LineIcon name="book" />
            </span>
            <div className="grow">
              <p>
                <b>
                  <SiteLink href={`/guides/${name}`} language={language} text={title} />
                </b>
              </p>
              <p className="quiet small">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
