import type { ReactElement } from "react";
import { Icon } from "../design/icon.tsx";
import { Mark } from "../design/mark.tsx";
import { Say } from "../design/say.tsx";
import type { SiteFacts } from "../shell/facts.ts";
import { Given, NotGiven } from "../shell/given.tsx";
import type { Language } from "../shell/language.ts";
import { SiteLink } from "../shell/site-link.tsx";
import type { VerifyWords } from "../verify/words.ts";
import { en } from "../verify/words-en.ts";
import { ptBr } from "../verify/words-pt-br.ts";
import { Code, type Highlight } from "./code.tsx";
import { type LandingWords, landingWords } from "./landing-words.ts";
import { Sample } from "./sample.tsx";
import { Services } from "./services.tsx";
import type { StaticPage } from "./static-page.ts";

const verifyWords: Readonly<Record<Language, VerifyWords>> = { en, "pt-BR": ptBr };

export const landing: StaticPage = {
  name: "home",
  path: "/",
  title: (language) => landingWords[language].title,
  description: (language) => landingWords[language].lead,
  content: (language, facts, highlight) => (
    <Landing say={landingWords[language]} language={language} facts={facts} highlight={highlight} />
  ),
};

interface LandingProps {
  readonly say: LandingWords;
  readonly language: Language;
  readonly facts: SiteFacts;
  readonly highlight: Highlight;
}

function Landing({ say, language, facts, highlight }: LandingProps): ReactElement {
  return (
    <>
      <div className="page hero">
        <div className="stack">
          <h1>{say.heading}</h1>
          <p className="lead">{say.lead}</p>
          <p className="row">
            <SiteLink className="button main" href="/guides" language={language} text={say.start} />
            <a className="button" href="/verify">
              {say.verify}
            </a>
          </p>
        </div>
        <Slip say={say.slip} language={language} facts={facts} />
      </div>
      <How say={say.how} highlight={highlight} />
      <Services language={language} />
      <Doors say={say.doors} language={language} highlight={highlight} />
    </>
  );
}

interface SlipProps {
  readonly say: LandingWords["slip"];
  readonly language: Language;
  readonly facts: SiteFacts;
}

/** A proof on paper: the deployment's own sample, or else the sample that is proved without a network. Each says what its link shows. */
function Slip({ say, language, facts }: SlipProps): ReactElement {
  return (
    <>
      <Given fact="sample_code" facts={facts}>
        <article className="slip" aria-label={say.label}>
          <OwnTop say={say} language={language} />
          <div className="stub">
            <div className="stack">
              <p className="small quiet">{say.trySample}</p>
              <p>
                <span className="small quiet">{say.code}</span>
                <br />
                <span className="code">{facts.sample_code}</span>
              </p>
              <p className="row">
                <a href="/sample/contract.txt" download>
                  {say.download}
                </a>
                <a href={`/verify/${facts.sample_code}`}>{say.open}</a>
              </p>
            </div>
            <img className="qr" loading="lazy" src="/sample/code.svg" width={88} height={88} alt={say.qr} />
          </div>
        </article>
      </Given>
      <NotGiven fact="sample_code" facts={facts}>
        <article className="slip" aria-label={say.offline.label}>
          <div className="top">
            <p className="head">
              <span className="state is-ok">
                <Icon tone="ok" size={24} /> {say.offline.matches}
              </span>
              <Mark size={40} />
            </p>
            <p className="said">
              <b>contract.txt</b> {say.offline.registeredBy} <b>Acme Ltda</b> {say.on} <b>{say.offline.time}</b>
              {say.zone}.
            </p>
            <p className="small quiet">{say.offline.example}</p>
          </div>
          <div className="stub">
            <div>
              <p className="small quiet">{say.offline.tryIt}</p>
              <p>
                <a href="#sample">{say.offline.toSample}</a>
              </p>
            </div>
          </div>
        </article>
      </NotGiven>
    </>
  );
}

/**
 * What /verify/{code} says of the proof before a visitor adds the file, in the words of that page. The gateway puts in the facts of the proof, once it has
 * checked the proof: src/surfaces/web/sample-card.ts.
 */
function OwnTop({ say, language }: Pick<SlipProps, "say" | "language">): ReactElement {
  const { verdicts, facts } = verifyWords[language];
  const { state, sentence } = verdicts.on_record;
  const when = `{{sample_when_${language === "en" ? "en" : "pt_br"}}}`;
  return (
    <div className="top">
      <p className="head">
        <span className="state is-info">
          <Icon tone="info" size={24} /> {state}
        </span>
        <Mark size={40} />
      </p>
      <p className="said">
        <Say
          text={sentence}
          with={{
            file: facts.aFile,
            organization: (
              <b>
                <bdi>{"{{sample_organization}}"}</bdi>
              </b>
            ),
            when: (
              <>
                {say.on}{" "}
                <b>
                  <time dateTime="{{sample_registered_at}}">{when}</time>
                </b>
                {say.zone}
              </>
            ),
          }}
        />
      </p>
    </div>
  );
}

interface HowProps {
  readonly say: LandingWords["how"];
  readonly highlight: Highlight;
}

function How({ say, highlight }: HowProps): ReactElement {
  return (
    <section className="band" aria-labelledby="how">
      <div className="page">
        <div className="section-head">
          <h2 id="how">{say.heading}</h2>
          <p className="quiet">{say.lead}</p>
        </div>
        <ol className="three">
          {say.steps.map(({ heading, text }, index) => (
            <li key={heading} className="step">
              <span className="n">{index + 1}</span>
              <h3>{heading}</h3>
              <p className="quiet">{text}</p>
            </li>
          ))}
        </ol>
        <Sample say={say.sample} highlight={highlight} />
        <p className="small quiet limit">
          {say.limit} <a href="/trust">{say.trust}</a>
        </p>
      </div>
    </section>
  );
}

interface DoorsProps {
  readonly say: LandingWords["doors"];
  readonly language: Language;
  readonly highlight: Highlight;
}

/** The three audiences, each with the way that it uses. */
function Doors({ say, language, highlight }: DoorsProps): ReactElement {
  return (
    <section className="band" id="api" aria-labelledby="doors">
      <div className="page">
        <div className="section-head">
          <h2 id="doors">{say.heading}</h2>
          <p className="quiet">{say.lead}</p>
        </div>
        <div className="three">
          {say.audiences.map(({ heading, text, code, codeLanguage, href, link }) => (
            <section key={heading} className="audience">
              <h3>{heading}</h3>
              <p className="quiet small">{text}</p>
              <Code html={highlight(code, codeLanguage)} />
              <p>
                <SiteLink href={href} language={language} text={link} />
              </p>
            </section>
          ))}
        </div>
      </div>
    </section>
  );
}
