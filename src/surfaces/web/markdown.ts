import { Marked } from "marked";
import { gfmHeadingId } from "marked-gfm-heading-id";
import { escapeHtml } from "../http/escape-html.ts";

/** A page that was written in Markdown. */
export interface RenderedPage {
  /** The text of the first heading. */
  readonly title: string;
  readonly html: string;
}

/** @returns where a link leads; null to show its text alone */
export type ResolveLink = (href: string) => string | null;

/**
 * CommonMark with GitHub's tables, and an id on each heading as GitHub makes it. Raw HTML, comments included, is left out. What may be wider than
 * a phone scrolls by itself and can be reached by keyboard.
 */
export function renderMarkdown(text: string, resolveLink: ResolveLink): RenderedPage {
  const marked = new Marked(gfmHeadingId(), {
    renderer: {
      html: () => "",
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens);
        const resolved = resolveLink(href);
        return resolved === null ? words : `<a href="${escapeHtml(resolved)}">${words}</a>`;
      },
      image: () => "",
    },
  });
  const html = (marked.parse(text, { async: false }) as string)
    .replaceAll("<pre>", '<pre tabindex="0">')
    .replaceAll("<table>", '<div class="wide" tabindex="0"><table>')
    .replaceAll("</table>", "</table></div>")
    // A column without a heading: an empty <th> would head it with nothing.
    .replaceAll("<th></th>", "<td></td>");
  const [, title] = /^# (.+)$/m.exec(text) ?? [];
  if (title === undefined) throw new Error("a page in Markdown begins with a heading");
  return { title, html };
}
