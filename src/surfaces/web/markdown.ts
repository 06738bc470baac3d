import { Marked } from "marked";
import { gfmHeadingId } from "marked-gfm-heading-id";
import { escapeHtml } from "../http/escape-html.ts";
import { highlight } from "./highlight.ts";
import { tableOf } from "./markdown-table.ts";

/** A rendered Markdown page. */
export interface RenderedPage {
  /** The text of the first heading. */
  readonly title: string;
  readonly html: string;
}

/** @returns the target of a link; null to show only its text */
export type ResolveLink = (href: string) => string | null;

const NOTE =
  '<svg class="icon is-note" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true"><circle cx="10" cy="10" r="8.5" fill="none" ' +
  'stroke="currentColor" stroke-width="1.5"/><path d="M10 9v5m0-8.4v.1" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round"/></svg>';

/** Characters of code that may stay on one line. A phone shows as many. */
const MOST_WHOLE = 36;

/**
 * CommonMark with GitHub's tables, and GitHub's ids on headings. Raw HTML, comments included, is left out. A quote is a note. Elements that
 * may be wider than a phone scroll by themselves and can be reached by keyboard.
 */
export function renderMarkdown(text: string, resolveLink: ResolveLink): RenderedPage {
  const marked = new Marked(gfmHeadingId(), {
    renderer: {
      html: () => "",
      // GitHub's ids drop the colon of a code such as plan_feature_required:bulk_send, and answers link to the whole code.
      heading: ({ text: heading, depth }) =>
        /^\w+:\w+$/.test(heading) && `<h${depth} id="${heading}">${heading}</h${depth}>\n`,
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens);
        const resolved = resolveLink(href);
        return resolved === null ? words : `<a href="${escapeHtml(resolved)}">${words}</a>`;
      },
      image: () => "",
      codespan: ({ text: code }) => inlineCode(code),
      code: ({ text: code, lang }) => codeBlock(code, lang),
      blockquote({ tokens }) {
        return `<div class="note">${NOTE}<div>${this.parser.parse(tokens)}</div></div>\n`;
      },
      table(table) {
        return tableOf(table, (cell) => this.parser.parseInline(cell.tokens));
      },
    },
  });
  const html = marked.parse(text, { async: false }) as string;
  const [, title] = /^# (.+)$/m.exec(text) ?? [];
  if (title === undefined) throw new Error("a page in Markdown begins with a heading");
  return { title, html };
}

/** By themselves browsers break code at spaces and after hyphens. An option stays whole, and a long name may also be broken between its parts. */
function inlineCode(code: string): string {
  if (code.length > MOST_WHOLE) return `<code class="long">${escapeHtml(code).replaceAll("_", "_<wbr>")}</code>`;
  return `<code${code.startsWith("-") ? ' class="whole"' : ""}>${escapeHtml(code)}</code>`;
}

/** The script of the page puts a button that copies the code beside the caption. */
function codeBlock(code: string, language = ""): string {
  const known = highlight(code, language);
  const caption = known === null ? "" : `<figcaption>${known.shown}</figcaption>`;
  return `<figure class="sample">${caption}<pre tabindex="0"><code>${known?.html ?? escapeHtml(code)}</code></pre></figure>\n`;
}
