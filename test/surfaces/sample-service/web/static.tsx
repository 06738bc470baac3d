import type { ReactElement } from "react";
import type { Language } from "../../../../src/web/shell/language.ts";
import type { StaticPage } from "../../../../src/web/site/static-page.ts";

interface Words {
  readonly title: string;
  readonly heading: string;
  readonly text: string;
}

const words: Readonly<Record<Language, Words>> = {
  en: {
    title: "Notes · Selo",
    heading: "Notes",
    text: "A note is a short text that your organization keeps and is reminded of.",
  },
  "pt-BR": {
    title: "Notas · Selo",
    heading: "Notas",
    text: "Uma nota é um texto curto que sua organização guarda e do qual é lembrada.",
  },
};

/** What a note is, for visitors. */
export const pages: readonly StaticPage[] = [
  {
    name: "notes",
    title: (language) => words[language].title,
    description: (language) => words[language].text,
    content: (language) => <About say={words[language]} />,
  },
];

function About({ say }: { readonly say: Words }): ReactElement {
  return (
    <div className="page ask">
      <h1>{say.heading}</h1>
      <p className="lead">{say.text}</p>
    </div>
  );
}
