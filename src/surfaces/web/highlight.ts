import { createRequire } from "node:module";

/** What this file uses of highlight.js. Its own types would bring the browser's globals into the server's code. */
interface Highlighter {
  registerLanguage(name: string, grammar: unknown): void;
  highlight(code: string, options: { readonly language: string }): { readonly value: string };
}

const require = createRequire(import.meta.url);
const highlighter: Highlighter = require("highlight.js/lib/core");

/** Languages of blocks of code in Markdown, with the names that pages show and those of their grammars. */
const LANGUAGES: Readonly<Record<string, { readonly shown: string; readonly grammar: string }>> = {
  sh: { shown: "Shell", grammar: "bash" },
  json: { shown: "JSON", grammar: "json" },
  ts: { shown: "TypeScript", grammar: "typescript" },
  python: { shown: "Python", grammar: "python" },
  sql: { shown: "SQL", grammar: "sql" },
  graphql: { shown: "GraphQL", grammar: "graphql" },
};
for (const { grammar } of Object.values(LANGUAGES))
  highlighter.registerLanguage(grammar, require(`highlight.js/lib/languages/${grammar}`));

/** Code as HTML that marks its words by classes, without styles, and the name of its language. Null for an unknown language. */
export function highlight(code: string, language: string): { readonly html: string; readonly shown: string } | null {
  const known = LANGUAGES[language];
  if (known === undefined) return null;
  return { html: highlighter.highlight(code, { language: known.grammar }).value, shown: known.shown };
}
