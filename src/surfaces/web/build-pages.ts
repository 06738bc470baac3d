import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "vite";
import { escapeHtml } from "../http/escape-html.ts";
import { type GuideGroup, guideGroups, type RenderedGuide, renderGuides } from "./build-guides.ts";
import { COMMON_DOCUMENT, documentsIn, MANIFEST, PAGE_LIST, PAGES_FOLDER, type PageEntry } from "./built-files.ts";
import { highlight } from "./highlight.ts";

/** What src/web/site/render.tsx returns. */
interface Rendered {
  readonly pages: readonly RenderedPage[];
  readonly list: readonly PageEntry[];
  /** Begin and end of the reference of the API. */
  readonly bar: string;
  readonly foot: string;
}

/** A page in one language, as src/web/site/render.tsx returns it. */
interface RenderedPage {
  readonly file: string;
  readonly language: string;
  /** The document that the page is put into, such as `page.html` or `verify/page.html`. */
  readonly document: string;
  readonly head: string;
  readonly body: string;
}

const RENDERER = "src/web/site/render.tsx";
const HEAD = "<!-- head -->";
const BODY = "<!-- body -->";
const LANGUAGE = '<html lang="en">';
/** The document of the reference, and the file that it becomes. The gateway fills it (openapi/served/docs.ts); its begin and its end are those of all pages. */
const REFERENCE = { document: "docs/page.html", file: "docs.html" };

/**
 * Renders the pages, in each language, into the folder `pages` of a build. The documents that contain them (page.html, verify/page.html, …) are
 * already there, with the names of the built style sheets and scripts; they are removed. That of the reference gets its bar and its footer.
 */
export async function buildPages(root: string, outDir: string): Promise<void> {
  const documents = takeDocuments(outDir);
  const { pages, list, bar, foot } = await render(root, path.join(outDir, ".pages"), documents);
  const bundled = takeManifest(outDir);
  for (const { file, language, document, head, body } of pages) {
    // The policy refuses style attributes, and the page would look broken only in a browser.
    if (/<[^>]+ style=/.test(body)) throw new Error(`${file} has a style attribute`);
    const words = document === COMMON_DOCUMENT ? "" : preloadOfWords(root, path.dirname(document), language, bundled);
    const parts = { [LANGUAGE]: `<html lang="${language}">`, [HEAD]: head + words, [BODY]: body };
    const place = path.join(outDir, PAGES_FOLDER, file);
    fs.mkdirSync(path.dirname(place), { recursive: true });
    fs.writeFileSync(place, filled(documents, document, parts));
  }
  fs.writeFileSync(path.join(outDir, PAGES_FOLDER, PAGE_LIST), JSON.stringify(list));
  const reference = { "<!-- bar -->": bar, "<!-- foot -->": foot };
  fs.writeFileSync(path.join(outDir, REFERENCE.file), filled(documents, REFERENCE.document, reference));
}

/** The documents of a build that pages are put into, which are removed from it. */
function takeDocuments(outDir: string): ReadonlyMap<string, string> {
  return new Map(
    documentsIn(outDir).map((document) => {
      const file = path.join(outDir, document);
      const text = fs.readFileSync(file, "utf8");
      fs.rmSync(document === COMMON_DOCUMENT ? file : path.dirname(file), { recursive: true });
      return [document, sharedStylesFirst(text)];
    }),
  );
}

/** A document with these parts in their places. */
function filled(
  documents: ReadonlyMap<string, string>,
  document: string,
  parts: Readonly<Record<string, string>>,
): string {
  let text = documents.get(document);
  if (text === undefined) throw new Error(`there is no src/web/${document}`);
  for (const [place, part] of Object.entries(parts)) {
    if (!text.includes(place)) throw new Error(`${document} lacks ${place}`);
    // A function, so that `$&` in a page stays as it is.
    text = text.replace(place, () => part);
  }
  return text;
}

/** The bundler may link the styles that pages share after a page's own styles, which then no longer win. */
function sharedStylesFirst(html: string): string {
  const shared = /\s*<link rel="stylesheet"[^>]*\/design-[^>]*>/.exec(html)?.[0] ?? "";
  return html.replace(shared, "").replace(/\s*<link rel="stylesheet"/, (first) => shared + first);
}

/** Of a bundle: the file that each source became. */
type Manifest = Readonly<Record<string, { readonly file: string }>>;

function takeManifest(outDir: string): Manifest {
  const file = path.join(outDir, MANIFEST);
  const manifest = JSON.parse(fs.readFileSync(file, "utf8")) as Manifest;
  fs.rmSync(file);
  return manifest;
}

/** The script of a page with words-en.ts, … asks for the words of one language; the document asks for them at the same time as for the script. */
function preloadOfWords(root: string, folder: string, language: string, bundled: Manifest): string {
  const source = `${folder}/words-${language.toLowerCase()}.ts`;
  if (!fs.existsSync(path.join(root, "src/web", source))) return "";
  const words = bundled[source];
  if (words === undefined) throw new Error(`the bundle has no ${source}`);
  return `<link rel="modulepreload" crossorigin href="/${words.file}">`;
}

/** Bundles the renderer for Node, because Node does not read JSX, and runs it. */
async function render(root: string, folder: string, documents: ReadonlyMap<string, string>): Promise<Rendered> {
  await build({
    configFile: false,
    envDir: false,
    publicDir: false,
    root,
    cacheDir: path.join(folder, ".vite"),
    logLevel: "warn",
    mode: "production",
    build: {
      ssr: RENDERER,
      outDir: folder,
      rolldownOptions: { output: { entryFileNames: "render.mjs", codeSplitting: false } },
    },
    ssr: { noExternal: true },
    oxc: { jsx: { runtime: "automatic", importSource: "react" } },
  });
  try {
    const renderer = (await import(pathToFileURL(path.join(folder, "render.mjs")).href)) as {
      renderPages(
        guides: readonly RenderedGuide[],
        groups: readonly GuideGroup[],
        highlight: (code: string, language: string) => string,
        documents: ReadonlyMap<string, unknown>,
      ): Rendered;
    };
    return renderer.renderPages(
      renderGuides(root),
      guideGroups(root),
      (code, language) => highlight(code, language)?.html ?? escapeHtml(code),
      documents,
    );
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}
