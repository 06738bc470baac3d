import type { ReactElement } from "react";
import { Icon, type Tone } from "../design/icon.tsx";
import type { Language } from "../shell/language.ts";
import { SiteLink } from "../shell/site-link.tsx";
import type { LandingWords } from "./landing-words.ts";

/** A row of an example: what, a fact about it, and what came of it. */
interface ExampleRow {
  readonly name: string;
  readonly fact: string;
  readonly tone: Tone;
  readonly word: string;
}

interface ServicesProps {
  readonly say: LandingWords["services"];
  readonly language: Language;
}

/** A section for each service that stands, and for the record that they share. A service that does not stand yet has no section. */
export function Services({ say, language }: ServicesProps): ReactElement {
  const rows = EXAMPLES[language];
  return (
    <div className="page section">
      <div className="section-head">
        <h2>{say.heading}</h2>
        <p className="quiet">{say.lead}</p>
      </div>
      {(["proofs", "webhooks", "record"] as const).map((name) => {
        const { heading, text, link, href, caption } = say[name];
        return (
          <section key={name} className="service">
            <div className="stack">
              <h3>{heading}</h3>
              <p className="quiet">{text}</p>
              <p>
                <SiteLink href={href} language={language} text={link} />
              </p>
            </div>
            <Example caption={caption} rows={rows[name]} />
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
          {rows.map(({ name, fact, tone, word }) => (
            <tr key={name + fact}>
              <th scope="row">{name}</th>
              <td>{fact}</td>
              <td>
                <span className={`is-${tone} word`}>
                  <Icon tone={tone} size={16} /> {word}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const ok = (name: string, fact: string, word: string): ExampleRow => ({ name, fact, tone: "ok", word });
const warn = (name: string, fact: string, word: string): ExampleRow => ({ name, fact, tone: "warn", word });

const EXAMPLES: Readonly<Record<Language, Readonly<Record<"proofs" | "webhooks" | "record", readonly ExampleRow[]>>>> =
  {
    en: {
      proofs: [
        ok("contract.pdf", "Acme Ltda", "Registered"),
        ok("minutes-17.pdf", "Condomínio São João", "Registered"),
        ok("drawing-rev-c.dwg", "Oficina Norte", "Registered"),
      ],
      webhooks: [
        ok("proof.registered", "22:23:34", "200 in 84 ms"),
        warn("proof.registered", "22:24:02", "503, again in 5 s"),
        ok("proof.registered", "22:24:07", "200 in 91 ms"),
      ],
      record: [
        ok("Proof registered", "Token “ERP”", "22:23:34"),
        ok("Webhook changed", "Token “ERP”", "22:31:10"),
        ok("Token revoked", "Operator", "22:40:52"),
      ],
    },
    "pt-BR": {
      proofs: [
        ok("contrato.pdf", "Acme Ltda", "Registrado"),
        ok("ata-17.pdf", "Condomínio São João", "Registrado"),
        ok("projeto-rev-c.dwg", "Oficina Norte", "Registrado"),
      ],
      webhooks: [
        ok("proof.registered", "19:23:34", "200 em 84 ms"),
        warn("proof.registered", "19:24:02", "503, de novo em 5 s"),
        ok("proof.registered", "19:24:07", "200 em 91 ms"),
      ],
      record: [
        ok("Prova registrada", "Token “ERP”", "19:23:34"),
        ok("Webhook alterado", "Token “ERP”", "19:31:10"),
        ok("Token revogado", "Operador", "19:40:52"),
      ],
    },
  };
