import fs from "node:fs";
import path from "node:path";
import { escapeHtml } from "../http/escape-html.ts";
import { renderMarkdown } from "./markdown.ts";

/** The folder of the guides. Each guide is served under its name, `index` at /guides itself. */
const GUIDES = "src/web/guides";
/** Other documents of the source that are served, by the names they are served under. */
export const DOCUMENTS: Readonly<Record<string, string>> = {
  "proof-format": "src/verifier/README.md",
  receivers: "src/receiver/README.md",
  security: "SECURITY.md",
};
/** The placeholders of title and content in the template. */
const TITLE = "<title>Selo</title>";
const CONTENT = "<!-- guide -->";

/** Every page below /guides: its path, and its source file. */
export function guidePages(root: string): ReadonlyMap<string, string> {
  const names = fs.readdirSync(path.join(root, GUIDES)).flatMap((file) => /^(.+)\.md$/.exec(file)?.[1] ?? []);
  const pages = new Map(names.map((name) => [guidePath(name), `${GUIDES}/${name}.md`]));
  for (const [name, file] of Object.entries(DOCUMENTS)) pages.set(guidePath(name), file);
  return pages;
}

/** The path under which a page is served. */
export function guidePath(name: string): string {
  return name === "index" ? "/guides" : `/guides/${name}`;
}

/**
 * Writes each guide as a page of HTML without scripts into the folder `guides` of a build.
 * @param template the built page that contains each guide; it is removed from the build
 */
export function buildGuides(root: string, outDir: string, template: string): void {
  const file = path.join(outDir, template);
  const shell = fs.readFileSync(file, "utf8");
  for (const place of [TITLE, CONTENT]) if (!shell.includes(place)) throw new Error(`${template} lacks ${place}`);
  fs.rmSync(file);
  const pages = guidePages(root);
  const pathsByFile = new Map([...pages].map(([served, source]) => [source, served]));
  fs.mkdirSync(path.join(outDir, "guides"));
  for (const [served, source] of pages) {
    const text = fs.readFileSync(path.join(root, source), "utf8");
    const { title, html } = renderMarkdown(text, (href) => servedLink(href, source, pathsByFile));
    // Functions, so that `$&` in a guide stays as it is.
    const page = shell.replace(TITLE, () => `<title>Selo: ${escapeHtml(title)}</title>`).replace(CONTENT, () => html);
    fs.writeFileSync(
      path.join(outDir, "guides", `${served === "/guides" ? "index" : path.basename(served)}.html`),
      page,
    );
  }
}

/** Turns links between files into links between pages. A link to a file that is not served is dropped. */
function servedLink(href: string, source: string, pathsByFile: ReadonlyMap<string, string>): string | null {
  if (/^(https?:|mailto:|\/|#)/.test(href)) return href;
  const [target = "", anchor] = href.split("#");
  const served = pathsByFile.get(path.posix.join(path.posix.dirname(source), target));
  if (served === undefined) return null;
  return anchor === undefined ? served : `${served}#${anchor}`;
}
