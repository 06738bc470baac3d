// Words of pages, mails and receipts: none of those that src/web/glossary.ts keeps out, and no "de" before the name of an organization.
import fs from "node:fs";
import path from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { webAppFolder } from "../../../src/surfaces/web/build.ts";
import { PAGE_LIST, PAGES_FOLDER, type PageEntry } from "../../../src/surfaces/web/built-files.ts";
import { NOT_FOR_SIGNERS, NOT_IN_PAGES, TERMS } from "../../../src/web/glossary.ts";
import { composeSample, LANGUAGES, sampleMails } from "../../support/sample-mails.ts";

const ROOT = path.resolve(import.meta.dirname, "../../..");

/** The words in a text that its readers do not use, with some of what stands around them. */
function avoidedIn(text: string, words = NOT_IN_PAGES): string[] {
  return words.flatMap(({ word, pattern, say }) =>
    [...text.matchAll(new RegExp(pattern, `${pattern.flags}g`))].map(
      ({ index }) => `${word} (say: ${say}): …${text.slice(Math.max(0, index - 30), index + 30).trim()}…`,
    ),
  );
}

/** What a page shows, reads out or hands to search engines, without code. */
function wordsOfPage(html: string): string {
  const attributes = [...html.matchAll(/ (?:content|alt|title|placeholder|aria-label|data-[a-z]+)="([^"]*)"/g)];
  const shown = html
    .replace(/<(script|style|pre|code)\b[^>]*>.*?<\/\1>/gs, " ")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");
  return [shown, ...attributes.map(([, value = ""]) => value).filter((value) => value.includes(" "))].join("\n");
}

const folder = path.join(webAppFolder(), PAGES_FOLDER);
const list = JSON.parse(fs.readFileSync(path.join(folder, PAGE_LIST), "utf8")) as readonly PageEntry[];
/** Guides are for developers. */
const PUBLIC_PAGES = list
  .filter(({ name }) => !name.startsWith("guides/"))
  .flatMap(({ name, languages }) => languages.map((language) => `${name}.${language}.html`));

test("the public pages are those of the site and of verifying", () => {
  expect(PUBLIC_PAGES).toEqual(
    expect.arrayContaining(["home.en.html", "home.pt-BR.html", "trust.pt-BR.html", "status.en.html", "verify.en.html"]),
  );
});

describe("a page of the build", () => {
  test.each(PUBLIC_PAGES)("%s", (file) => {
    const words = wordsOfPage(fs.readFileSync(path.join(folder, file), "utf8"));
    expect(words.length).toBeGreaterThan(200);
    expect(avoidedIn(words)).toEqual([]);
  });
});

test("what a page in Portuguese says of pages in English stands once; no headline says that no lawyer has read the page", () => {
  for (const file of PUBLIC_PAGES) {
    const html = fs.readFileSync(path.join(folder, file), "utf8");
    if (file.endsWith("pt-BR.html"))
      expect(html.match(/em inglês/g)?.length ?? 0, file).toBe(/^(?:sign|app|app-route)\./.test(file) ? 0 : 1);
    for (const [headline] of html.matchAll(/<h[1-6][^>]*>.*?<\/h[1-6]>/gs))
      expect(headline).not.toMatch(/advogad|lawyer/i);
  }
});

describe.each(Object.entries(sampleMails))("a mail: %s", (_, sample) => {
  test.each(LANGUAGES)("%s", (language) => {
    const { subject, text, html } = composeSample(sample, { language });
    const words = [subject, text, wordsOfPage(html)].join("\n");
    expect(words.length).toBeGreaterThan(400);
    expect(avoidedIn(words)).toEqual([]);
  });
});

describe("what signers read", () => {
  const mails = Object.entries(sampleMails).filter(
    ([, { kind }]) => kind === "signing_code" || /^envelope_(invitation|reminder|ended|completed)$/.test(kind),
  );

  test.each(mails)("in a mail: %s", (_, sample) => {
    const found = LANGUAGES.flatMap((language) => {
      const { subject, text, html } = composeSample(sample, { language });
      return avoidedIn([subject, text, wordsOfPage(html)].join("\n"), NOT_FOR_SIGNERS);
    });
    expect(found).toEqual([]);
  });

  const files = fs
    .readdirSync(path.join(ROOT, "src/web/sign"), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => `src/web/sign/${file.split(path.sep).join("/")}`)
    .sort();

  test.each(files)("in %s", (file) => {
    const texts = textsOf(fs.readFileSync(path.join(ROOT, file), "utf8"), file);
    expect(texts.flatMap(({ text }) => avoidedIn(text, NOT_FOR_SIGNERS))).toEqual([]);
  });

  test("the words of both languages and the mails of every kind are looked at", () => {
    for (const file of ["words-en.ts", "words-pt-br.ts", "reader/words-en.ts", "reader/words-pt-br.ts"])
      expect(files).toContain(`src/web/sign/${file}`);
    expect(new Set(mails.map(([, { kind }]) => kind)).size).toBe(5);
  });

  test.each(["O envelope foi concluído", "two envelopes", "AMBIENTE DE TESTE", "naquele instante", "a digest"])(
    "finds %s",
    (text) => {
      expect(avoidedIn(text, NOT_FOR_SIGNERS)).toHaveLength(1);
    },
  );
});

/** Files with words for the public: of pages, mails, and receipts. Pages for developers are left out. */
const WORD_FILES = fs
  .readdirSync(path.join(ROOT, "src"), { recursive: true, encoding: "utf8" })
  .map((file) => `src/${file.split(path.sep).join("/")}`)
  .filter((file) => /\.tsx?$/.test(file))
  .filter(
    (file) =>
      /^src\/web\/(?!docs\/|guides\/|graphiql\/|glossary\.ts)/.test(file) ||
      /^src\/services\/[^/]+\/mails(\/|\.ts$)/.test(file) ||
      /^src\/adapters\/(mail|pdf)\//.test(file),
  )
  .sort();

interface Said {
  readonly text: string;
  /** Code of the value that follows the text, as in "registered by ${organization}". */
  readonly next: string;
}

/** Texts in a program that people may read: literals with a blank, or a capital at the beginning. */
function textsOf(source: string, name: string): Said[] {
  const file = ts.createSourceFile(
    name,
    source,
    ts.ScriptTarget.Latest,
    true,
    name.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );
  const said: Said[] = [];
  const add = (text: string, next = "") => {
    if (/\s\S|^\p{Lu}/u.test(text)) said.push({ text, next });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isLiteralTypeNode(node)) return;
    if (ts.isNewExpression(node) && /Error$/.test(node.expression.getText())) return; // for developers
    if (ts.isJsxAttribute(node) && /^(className|d|viewBox)$/.test(node.name.getText())) return;
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) add(node.text);
    // An element has no names in it, only words.
    if (ts.isJsxText(node) && node.text.trim() !== "") said.push({ text: node.text.trim(), next: "" });
    if (ts.isTemplateExpression(node)) {
      const texts = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
      for (const [at, text] of texts.entries()) add(text, node.templateSpans[at]?.expression.getText());
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return said;
}

describe("texts in", () => {
  test.each(WORD_FILES)("%s", (file) => {
    const texts = textsOf(fs.readFileSync(path.join(ROOT, file), "utf8"), file);
    expect(texts.flatMap(({ text }) => avoidedIn(text))).toEqual([]);
    const named = texts.filter(({ next }) => /organi[sz]ation|operator/i.test(next));
    expect(named.filter(({ text }) => /(^|\s)d[aeo]\s+["“]?$/i.test(text)).map(({ text }) => text)).toEqual([]);
  });

  test("the words of verifying, of mails and of the receipt are among the files", () => {
    for (const part of [
      "src/web/verify/",
      "src/web/site/",
      "src/web/shell/words",
      "src/services/platform/mails",
      "src/services/webhooks/mails",
      "src/adapters/pdf/",
    ])
      expect(WORD_FILES.filter((file) => file.startsWith(part)).length, part).toBeGreaterThan(0);
  });
});

describe("the search itself", () => {
  test.each([
    "The digest of the file",
    "HASH do arquivo",
    "at that instant",
    "naquele instante",
    "Pin these keys",
    "canonical form",
    "forma canônica",
    "both signatures sealed it",
    "dois algoritmos selaram a prova",
    "O Selo selou o arquivo.",
    "A chave que o selará",
    "the service seals a file",
    "a canonicalized text",
    "o resumo criptográfico do arquivo",
    "Pinar as chaves",
    "registra quem fez o quê, sob duas assinaturas",
    "1 de 3 participantes fez a sua parte",
    "Ver de novo se mudou",
    "Os servidores de nomes respondem",
    "Does not fit the record",
    "Combina com o registro.",
    "on the computer of the person who doubts",
    "Hand on",
    "Status of the service",
    "A lei conhece três modalidades.",
    "Nenhum advogado leu este texto",
    "Guias (em inglês)",
    "com eles qualquer pessoa confere as assinaturas",
  ])("finds %s", (text) => {
    expect(avoidedIn(text)).toHaveLength(1);
  });

  test.each([
    "instantly",
    "spin",
    "the seal of twelve lobes",
    "um selo",
    "impressão digital do arquivo (SHA-256)",
    "Em resumo",
    "pintar",
    "a PDF to hand on",
    "O programa confere com o registro.",
  ])("leaves %s alone", (text) => {
    expect(avoidedIn(text)).toEqual([]);
  });

  // biome-ignore lint/suspicious/noTemplateCurlyInString: a program as text
  const PROGRAM_END = "f(`por ${organization} de ${operator.name}`);";

  test("finds texts of people in a program, and neither names nor code", () => {
    const program = `import x from "./digest y.ts"; const a = { digest: "the digest", kind: "digest" }; ${PROGRAM_END}`;
    expect(textsOf(program, "a.ts")).toEqual([
      { text: "the digest", next: "" },
      { text: " de ", next: "operator.name" },
    ]);
  });

  test("finds a single word of an element", () => {
    const [first] = textsOf("const a = <b>digest</b>;", "a.tsx");
    expect(avoidedIn(first?.text ?? "")).toHaveLength(1);
  });

  test("each term stands once, in both languages", () => {
    const names = TERMS.map(({ en }) => en);
    expect(new Set(names).size).toBe(names.length);
    for (const { en, ptBR } of TERMS) expect(avoidedIn(`${en} ${ptBR}`)).toEqual([]);
  });
});
