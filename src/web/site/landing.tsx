import type { ReactElement } from "react";
import type { Language } from "../shell/language.ts";
import type { StaticPage } from "./static-page.ts";

interface Words {
  readonly title: string;
  readonly heading: string;
  readonly lead: string;
  readonly start: string;
  readonly verify: string;
}

const words: Readonly<Record<Language, Words>> = {
  en: {
    title: "Selo: signatures and proofs that anyone can verify",
    heading: "Signatures and proofs that anyone can verify, even offline.",
    lead: "Selo records who did what, and when, under two signatures. A stranger checks them on their own computer: no account, no network, no trust in Selo.",
    start: "Start with the guide",
    verify: "Verify a proof",
  },
  "pt-BR": {
    title: "Selo: assinaturas e provas que qualquer pessoa pode verificar",
    heading: "Assinaturas e provas que qualquer pessoa pode verificar, até sem internet.",
    lead: "O Selo registra quem fez o quê, e quando, sob duas assinaturas. Um desconhecido as verifica no próprio computador: sem conta, sem rede, sem precisar confiar no Selo.",
    start: "Começar pelo guia",
    verify: "Verificar uma prova",
  },
};

export const landing: StaticPage = {
  name: "home",
  title: (language) => words[language].title,
  description: (language) => words[language].lead,
  content: (language) => <Landing say={words[language]} />,
};

function Landing({ say }: { readonly say: Words }): ReactElement {
  return (
    <div className="page hero">
      <div className="stack">
        <h1>{say.heading}</h1>
        <p className="lead">{say.lead}</p>
        <p className="row">
          <a className="button main" href="/guides">
            {say.start}
          </a>
          <a className="button" href="/verify">
            {say.verify}
          </a>
        </p>
      </div>
    </div>
  );
}
