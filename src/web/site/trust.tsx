import type { ReactElement } from "react";
import { Icon } from "../design/icon.tsx";
import type { Language } from "../shell/language.ts";
import { SiteLink } from "../shell/site-link.tsx";
import type { StaticPage } from "./static-page.ts";
import { type TrustWords, trustWords } from "./trust-words.ts";

export const trust: StaticPage = {
  name: "trust",
  title: (language) => trustWords[language].title,
  description: (language) => trustWords[language].description,
  content: (language) => <Trust say={trustWords[language]} language={language} />,
};

function Trust({ say, language }: { readonly say: TrustWords; readonly language: Language }): ReactElement {
  return (
    <div className="page trust">
      <div className="section-head">
        <h1>{say.heading}</h1>
        <p className="lead">{say.lead}</p>
      </div>
      <div className="two">
        <section className="card" aria-labelledby="shows">
          <h2 id="shows">{say.shows.heading}</h2>
          <ul className="claims">
            {say.shows.items.map((item) => (
              <li key={item}>
                <Icon tone="ok" /> <span>{item}</span>
              </li>
            ))}
          </ul>
        </section>
        <section className="card limits" aria-labelledby="shows-not">
          <h2 id="shows-not">{say.showsNot.heading}</h2>
          <ul>
            {say.showsNot.items.map((item) => (
              <li key={item}>{item}</li>
            ))}
          </ul>
        </section>
      </div>
      <Law say={say.law} />
      <Keys say={say.keys} />
      <section className="text wide" aria-labelledby="more">
        <h2 id="more">{say.more.heading}</h2>
        <ul className="stack">
          {say.more.links.map(({ href, text }) => (
            <li key={href}>
              <SiteLink href={href} language={language} text={text} />
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

/** On a phone the rows of a table are cards. Then roles say what its elements are no longer displayed as. */
const role = (name: string) => ({ role: name });

function Law({ say }: { readonly say: TrustWords["law"] }): ReactElement {
  const [, asks, where] = say.columns;
  return (
    <section className="text wide" aria-labelledby="law">
      <h2 id="law">{say.heading}</h2>
      <div className="note">
        <Icon tone="note" />
        <p>{say.ownReading}</p>
      </div>
      <p>{say.lead}</p>
      <section className="table" aria-label={say.caption}>
        <table {...role("table")}>
          <thead {...role("rowgroup")}>
            <tr {...role("row")}>
              {say.columns.map((column) => (
                <th key={column} scope="col" {...role("columnheader")}>
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody {...role("rowgroup")}>
            {say.modalities.map(({ name, text, articles }) => (
              <tr key={name} {...role("row")}>
                <th scope="row" {...role("rowheader")}>
                  {name}
                </th>
                <td {...role("cell")} data-label={asks}>
                  {text}
                </td>
                <td {...role("cell")} data-label={where}>
                  {articles.map((article) => (
                    <p key={article.href}>
                      <a href={article.href} hrefLang="pt-BR">
                        {article.name}
                      </a>
                    </p>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p>{say.where}</p>
      <p>{say.proof}</p>
      <p>{say.signing}</p>
    </section>
  );
}

/** Most deployments publish two keys for proofs that count, and two for tests. */
const USUAL_KEYS = [1, 2, 3, 4];

/** The script of the page puts the list of keys in; its place is kept until then. A page without scripts has the download alone. */
function Keys({ say }: { readonly say: TrustWords["keys"] }): ReactElement {
  return (
    <section className="text wide" id="keys" aria-labelledby="keys-heading">
      <h2 id="keys-heading">{say.heading}</h2>
      {say.text.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
      <p className="row">
        <a className="button" href="/api/v1/public/platform-key" download="keys.json">
          {say.download}
        </a>
      </p>
      <div
        id="key-list"
        className="card"
        aria-live="polite"
        data-live={say.live}
        data-test={say.test}
        data-retired={say.retired}
        data-since={say.since}
        data-none={say.none}
      >
        <h3>{say.list}</h3>
        <dl className="facts">
          {USUAL_KEYS.map((each) => (
            <div key={each} aria-hidden="true">
              <dt>
                <span className="blank">{say.live}</span>
              </dt>
              <dd>
                <p className="mono">
                  <span className="blank">ml-dsa-87-0000000000000000</span>
                </p>
                <p className="small">
                  <span className="blank">{`${say.since} 2026-01-01`}</span>
                </p>
              </dd>
            </div>
          ))}
        </dl>
      </div>
      <p className="small quiet">{say.id}</p>
    </section>
  );
}
