import type { ReactElement } from "react";
import { Icon } from "../design/icon.tsx";
import type { Language } from "../shell/language.ts";
import { SiteLink } from "../shell/site-link.tsx";
import { type ExampleRow, SECTIONS, serviceWords } from "./service-words.ts";

/** A section for each service that stands, and for the record that they share. */
export function Services({ language }: { readonly language: Language }): ReactElement {
  const say = serviceWords[language];
  return (
    <div className="page section">
      <div className="section-head">
        <h2>{say.heading}</h2>
        <p className="quiet">{say.lead}</p>
      </div>
      {SECTIONS.map((name) => {
        const { heading, text, link, href, caption, rows } = say[name];
        return (
          <section key={name} className="service">
            <div className="stack">
              <h3>{heading}</h3>
              <p className="quiet">{text}</p>
              <p>
                <SiteLink href={href} language={language} text={link} />
              </p>
            </div>
            <Example caption={caption} rows={rows} />
          </section>
        );
      })}
    </div>
  );
}

function Example({ caption, rows }: { readonly caption: string; readonly rows: readonly ExampleRow[] }): ReactElement {
  return (
    <section className="paper" aria-label={caption}>
      <table>
        <caption>{caption}</caption>
        <tbody>
          {rows.map((row) => (
            <Row key={row.join()} row={row} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Row({ row: [name, fact, outcome, tone] }: { readonly row: ExampleRow }): ReactElement {
  const isContent = tone === "content";
  return (
    <tr>
      <th scope="row">{name}</th>
      <td className={isContent ? "mono" : undefined}>{fact}</td>
      <td className={isContent ? "mono" : undefined}>
        {isContent ? (
          outcome
        ) : (
          <span className={`is-${tone} word`}>
            <Icon tone={tone} size={16} /> {outcome}
          </span>
        )}
      </td>
    </tr>
  );
}
