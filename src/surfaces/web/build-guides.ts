import fs from "node:fs";
import path from "node:path";
import { renderMarkdown } from "./markdown.ts";

/** The folder of the guides. Each guide is served under its name, `index` at /guides itself. */
const GUIDES = "src/web/guides";
/** Other documents of the source that are served, by the names they are served under. */
export const DOCUMENTS: Readonly<Record<string, string>> = {
  "proof-format": "src/verifier/README.md",
  receivers: "src/receiver/README.md",
  security: "SECURITY.md",
};
/** The address in the examples of guides, as they stand in the source. A served guide has that of its deployment. */
const ADDRESSES = /http:\/\/localhost:4000|https:\/\/selo\.example(?!:)/g;
/** How an example reads a member of demo.json. A served guide has the value, where it may be shown. */
const DEMO_MEMBER = /\$\(node -p 'require\("\.\/\.data\/demo\.json"\)\.([\w.]+)'\)/g;

/** Every page below /guides: its path, and its source file. */
export function guidePages(root: string): ReadonlyMap<string, string> {
  const names = fs.readdirSync(path.join(root, GUIDES)).flatMap((file) => /^(.+)\.md$/.exec(file)?.[1] ?? []);
  const pages = new Map(names.map((name) => [guidePath(name), `${GUIDES}/${name}.md`]));
  for (const [name, file] of Object.entries(DOCUMENTS)) pages.set(guidePath(name), file);
  return pages;
}

/** The path under which a page is served. */
function guidePath(name: string): string {
  return name === "index" ? "/guides" : `/guides/${name}`;
}

/** A guide as HTML. */
export interface RenderedGuide {
  /** `index`, or the name in its path. */
  readonly name: string;
  readonly path: string;
  readonly title: string;
  readonly html: string;
}

/** A heading of the page that lists the guides, with the links below it. */
export interface GuideGroup {
  readonly title: string;
  readonly links: readonly { readonly path: string; readonly title: string }[];
}

/** Renders each guide. Links between their files become links between their pages; the address and the tokens of examples become facts of the page (fill-page.ts). */
export function renderGuides(root: string): RenderedGuide[] {
  const pages = guidePages(root);
  const pathsByFile = new Map([...pages].map(([served, source]) => [source, served]));
  return [...pages].map(([served, source]) => {
    const text = fs.readFileSync(path.join(root, source), "utf8");
    // A word until the code is coloured: braces would be coloured, too.
    const words = text.replace(DEMO_MEMBER, (_, member: string) => `demo_member_${member.replaceAll(".", "_")}`);
    const { title, html } = renderMarkdown(words, (href) => servedLink(href, source, pathsByFile));
    const filled = html
      .replace(ADDRESSES, "{{public_url}}")
      .replace(/demo_member_(\w+)/g, "{{demo_$1}}{{^demo_$1}}…{{/^demo_$1}}");
    return { name: served === "/guides" ? "index" : path.basename(served), path: served, title, html: filled };
  });
}

/** The groups of guides, as the page that lists them has them: they are the menu of every guide. */
export function guideGroups(root: string): GuideGroup[] {
  const source = `${GUIDES}/index.md`;
  const pathsByFile = new Map([...guidePages(root)].map(([served, file]) => [file, served]));
  const [, ...parts] = fs.readFileSync(path.join(root, source), "utf8").split(/^## /m);
  return parts.map((part) => ({
    title: part.split("\n", 1)[0] ?? "",
    links: [...part.matchAll(/^- \[([^\]]+)\]\(([^)]+)\)/gm)].map(([, title = "", href = ""]) => {
      const served = servedLink(href, source, pathsByFile);
      if (served === null) throw new Error(`${source} lists ${href}, which is not served`);
      return { path: served, title };
    }),
  }));
}

/** Turns links between files into links between pages. A link to a file that is not served is dropped. */
function servedLink(href: string, source: string, pathsByFile: ReadonlyMap<string, string>): string | null {
  if (/^(https?:|mailto:|\/|#)/.test(href)) return href;
  const [target = "", anchor] = href.split("#");
  const served = pathsByFile.get(path.posix.join(path.posix.dirname(source), target));
  if (served === undefined) return null;
  return anchor === undefined ? served : `${served}#${anchor}`;
}
