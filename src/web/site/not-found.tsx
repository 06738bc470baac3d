import type { ReactElement } from "react";
import type { Language } from "../shell/language.ts";
import type { StaticPage } from "./static-page.ts";

interface Words {
  readonly title: string;
  readonly heading: string;
  readonly text: string;
  readonly home: string;
  readonly verify: string;
}

const words: Readonly<Record<Language, Words>> = {
  en: {
    title: "Page not found · Selo",
    heading: "This page does not exist",
    text: "The address may be mistyped, or the page may have moved.",
    home: "To the home page",
    verify: "Verify a proof",
  },
  "pt-BR": {
    title: "Página não encontrada · Selo",
    heading: "Esta página não existe",
    text: "Talvez o endereço tenha sido digitado errado, ou a página tenha mudado de lugar.",
    home: "Ir para a página inicial",
    verify: "Verificar uma prova",
  },
};

export const notFound: StaticPage = {
  name: "not-found",
  path: null,
  isPrivate: true,
  title: (language) => words[language].title,
  description: (language) => words[language].text,
  content: (language) => <NotFound say={words[language]} />,
};

function NotFound({ say }: { readonly say: Words }): ReactElement {
  return (
    <div className="page ask">
      <div>
        <p className="quiet">404</p>
        <h1>{say.heading}</h1>
        <p className="lead">{say.text}</p>
      </div>
      <p className="row">
        <a className="button main" href="/">
          {say.home}
        </a>
        <a className="button" href="/verify">
          {say.verify}
        </a>
      </p>
    </div>
  );
}
