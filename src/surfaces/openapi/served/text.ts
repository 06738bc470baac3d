import { Marked } from "marked";
import { escapeHtml } from "../../http/escape-html.ts";
import { tableOf } from "../../web/markdown-table.ts";

/** The id of a heading: its words in lower case, joined by hyphens. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "");
}

const marked = new Marked({
  renderer: {
    html: () => "",
    image: () => "",
    link({ href, tokens }) {
      const words = this.parser.parseInline(tokens);
      return /^(https?:\/\/|\/|#)/.test(href) ? `<a href="${escapeHtml(href)}">${words}</a>` : words;
    },
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${slug(text)}">${this.parser.parseInline(tokens)}</h${depth}>`;
    },
    table(table) {
      return tableOf(table, (cell) => this.parser.parseInline(cell.tokens));
    },
    code: ({ text }) => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>`,
  },
});

/** Markdown of a description as HTML; raw HTML in it is left out. */
export function prose(text = ""): string {
  return marked.parse(text, { async: false }) as string;
}

/** The same without paragraphs, to stand within a line. */
export function words(text = ""): string {
  return marked.parseInline(text.replaceAll(/\s*\n\s*/g, " "), { async: false }) as string;
}
