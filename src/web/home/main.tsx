import type { VNode } from "preact";
import { CodeForm } from "../shell/code-form.tsx";
import { type PageProps, showPage } from "../shell/page.tsx";
import { type HomeWords, homeWords } from "./words.ts";

function Home({ words, shell }: PageProps<HomeWords>): VNode {
  return (
    <>
      <section class="intro">
        <h1>{words.heading}</h1>
        <p class="lead">{words.lead}</p>
      </section>
      <section class="card" aria-labelledby="verify">
        <h2 id="verify">{words.verifyHeading}</h2>
        <CodeForm words={shell.code} onCode={(code) => location.assign(`/verify/${code}`)} />
        <p>
          <a href="/verify">{words.verifyFile}</a>
        </p>
      </section>
      <section aria-labelledby="what">
        <h2 id="what">{words.whatHeading}</h2>
        <dl class="facts-grid">
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
        <ul class="links">
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
