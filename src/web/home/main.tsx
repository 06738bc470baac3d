import type { ReactElement } from "react";
import { CodeForm } from "../shell/code-form.tsx";
import { type PageProps, showPage } from "../shell/page.tsx";
import { type HomeWords, homeWords } from "./words.ts";

function Home({ words, shell }: PageProps<HomeWords>): ReactElement {
  return (
    <>
      <section className="intro">
        <h1>{words.heading}</h1>
        <p className="lead">{words.lead}</p>
      </section>
      <section className="card" aria-labelledby="verify">
        <h2 id="verify">{words.verifyHeading}</h2>
        <CodeForm words={shell.code} onCode={(code) => location.assign(`/verify/${code}`)} />
        <p>
          <a href="/verify">{words.verifyFile}</a>
        </p>
      </section>
      <section aria-labelledby="what">
        <h2 id="what">{words.whatHeading}</h2>
        <dl className="facts-grid">
          {words.what.map(({ term, text }) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section aria-labelledby="links">
        <h2 id="links">{words.linksHeading}</h2>
        <ul className="links">
          {words.links.map(({ href, name, text }) => (
            <li key={href}>
              <a href={href}>{name}</a> <span>{text}</span>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

showPage({ words: homeWords, Content: Home });
