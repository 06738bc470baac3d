import fs from "node:fs";
import path from "node:path";
import { escapeHtml } from "../http/escape-html.ts";
import { renderMarkdown } from "./markdown.ts";

/** Where guides are written; each is served under its name, `index` at /guides itself. */
const GUIDES = "src/web/guides";
/** Documents of the source that strangers read as well, by the names they are served under. */
export const DOCUMENTS: Readonly<Record<string, string>> = {
  "proof-format": "src/verifier/README.md",
  receivers: "src/receiver/README.md",
  security: "SECURITY.md",
};
/** What the template has in the places of title and content. */
const TITLE = "<title>Selo</title>";
const CONTENT = "<!-- guide -->";

/** Every page below /guides: its path, and the file of the source that it is made from. */
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
 * @param template the built page that all of them are shown in; it is removed from the build
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
    // As functions: `$&` in a guide stands for itself.
    const page = shell.replace(TITLE, () => `<title>Selo: ${escapeHtml(title)}</title>`).replace(CONTENT, () => html);
    fs.writeFileSync(
      path.join(outDir, "guides", `${served === "/guides" ? "index" : path.basename(served)}.html`),
      page,
    );
  }
}

/** Links between files become links between pages. A file of the source that is not served has no link. */
function servedLink(href: string, source: string, pathsByFile: ReadonlyMap<string, string>): string | null {
  if (/^(https?:|mailto:|\/|#)/.test(href)) return href;
  const [target = "", anchor] = href.split("#");
  const served = pathsByFile.get(path.posix.join(path.posix.dirname(source), target));
  if (served === undefined) return null;
  return anchor === undefined ? served : `${served}#${anchor}`;
}
