import type { ReactElement } from "react";
import type { Language } from "../shell/language.ts";
import { type PageProps, showPage } from "../shell/page.tsx";

interface Words {
  readonly title: string;
  readonly heading: string;
  readonly text: string;
  readonly home: string;
  readonly verify: string;
}

const words: Readonly<Record<Language, Words>> = {
  en: {
    title: "Selo: page not found",
    heading: "This page does not exist",
    text: "The address may be mistyped, or the page may have moved.",
    home: "To the home page",
    verify: "Verify a proof",
  },
  "pt-BR": {
    title: "Selo: página não encontrada",
    heading: "Esta página não existe",
    text: "Talvez o endereço tenha sido digitado errado, ou a página tenha mudado de lugar.",
    home: "Ir para a página inicial",
    verify: "Verificar uma prova",
  },
};

function NotFound({ words: say }: PageProps<Words>): ReactElement {
  return (
    <section className="intro">
      <p className="eyebrow">404</p>
      <h1>{say.heading}</h1>
      <p className="lead">{say.text}</p>
      <p className="actions">
        <a className="button primary" href="/">
          {say.home}
        </a>
        <a className="button" href="/verify">
          {say.verify}
        </a>
      </p>
    </section>
  );
}

showPage({ words, Content: NotFound });
