import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "vite";
import { escapeHtml } from "../http/escape-html.ts";
import { type GuideGroup, guideGroups, type RenderedGuide, renderGuides } from "./build-guides.ts";
import { MANIFEST, PAGE_LIST, PAGES_FOLDER, type PageEntry } from "./built-files.ts";
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
  /** The name of the document that the page is put into. */
  readonly template: string;
  readonly head: string;
  readonly body: string;
}

const RENDERER = "src/web/site/render.tsx";
const HEAD = "<!-- head -->";
const BODY = "<!-- body -->";
const LANGUAGE = '<html lang="en">';
/** The document of the reference, which the gateway fills. Its begin and its end are those of all pages. */
const REFERENCE = "docs.html";

/**
 * Renders the pages of the site, in each language, into the folder `pages` of a build. The documents that contain them (page.html, …) are
 * already there, with the names of the built style sheets and scripts; they are removed. The reference stays and gets its bar and its footer.
 */
export async function buildPages(root: string, outDir: string): Promise<void> {
  const { pages, list, bar, foot } = await render(root, path.join(outDir, ".pages"));
  const bundled = takeManifest(outDir);
  const templates = new Map<string, string>();
  for (const template of new Set(pages.map((page) => page.template))) {
    const file = path.join(outDir, `${template}.html`);
    const text = fs.readFileSync(file, "utf8");
    for (const place of [HEAD, BODY, LANGUAGE])
      if (!text.includes(place)) throw new Error(`${template}.html lacks ${place}`);
    templates.set(template, sharedStylesFirst(text));
    fs.rmSync(file);
  }
  for (const { file, language, template, head, body } of pages) {
    // The policy refuses style attributes, and the page would look broken only in a browser.
    if (/<[^>]+ style=/.test(body)) throw new Error(`${file} has a style attribute`);
    // Functions, so that `$&` in a page stays as it is.
    const text = (templates.get(template) ?? "")
      .replace(LANGUAGE, () => `<html lang="${language}">`)
      .replace(HEAD, () => (template === "page" ? head : head + preloadOfWords(template, language, bundled)))
      .replace(BODY, () => body);
    const place = path.join(outDir, PAGES_FOLDER, file);
    fs.mkdirSync(path.dirname(place), { recursive: true });
    fs.writeFileSync(place, text);
  }
  fs.writeFileSync(path.join(outDir, PAGES_FOLDER, PAGE_LIST), JSON.stringify(list));
  const reference = path.join(outDir, REFERENCE);
  let text = fs.readFileSync(reference, "utf8");
  for (const [name, part] of Object.entries({ bar, foot })) {
    const place = `<!-- ${name} -->`;
    if (!text.includes(place)) throw new Error(`${REFERENCE} lacks ${place}`);
    text = text.replace(place, () => part);
  }
  fs.writeFileSync(reference, text);
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

/** The script of a page asks for the words of one language; the document asks for them at the same time as for the script. */
function preloadOfWords(page: string, language: string, bundled: Manifest): string {
  const source = `${page}/words-${language.toLowerCase()}.ts`;
  const words = bundled[source];
  if (words === undefined) throw new Error(`the bundle has no ${source}`);
  return `<link rel="modulepreload" crossorigin href="/${words.file}">`;
}

/** Bundles the renderer for Node, because Node does not read JSX, and runs it. */
async function render(root: string, folder: string): Promise<Rendered> {
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
      ): Rendered;
    };
    return renderer.renderPages(
      renderGuides(root),
      guideGroups(root),
      (code, language) => highlight(code, language)?.html ?? escapeHtml(code),
    );
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}
