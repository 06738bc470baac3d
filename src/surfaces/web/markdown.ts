import { Marked } from "marked";
import { gfmHeadingId } from "marked-gfm-heading-id";
import { escapeHtml } from "../http/escape-html.ts";

/** A rendered Markdown page. */
export interface RenderedPage {
  /** The text of the first heading. */
  readonly title: string;
  readonly html: string;
}

/** @returns the target of a link; null to show only its text */
export type ResolveLink = (href: string) => string | null;

/**
 * CommonMark with GitHub's tables, and GitHub's ids on headings. Raw HTML, comments included, is left out. Elements that may be wider than
 * a phone scroll by themselves and can be reached by keyboard.
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
    // A column without a heading gets no <th>, because an empty <th> would be read as its heading.
    .replaceAll("<th></th>", "<td></td>");
  const [, title] = /^# (.+)$/m.exec(text) ?? [];
  if (title === undefined) throw new Error("a page in Markdown begins with a heading");
  return { title, html };
}
