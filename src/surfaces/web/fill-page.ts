import { escapeHtml } from "../http/escape-html.ts";

/** What the page does not know at the build, by name: facts of the deployment (src/web/shell/facts.ts), or of the moment. */
export type PageFacts = Readonly<Record<string, string | null>>;

/**
 * Puts facts into a page of the build: `{{name}}` becomes the escaped value, or nothing. What stands between `{{#name}}` and `{{/name}}` is
 * left out without a value, and what stands between `{{^name}}` and `{{/^name}}` with one. Other braces stay as they are.
 */
export function fillPage(page: string, facts: PageFacts): string {
  let filled = page;
  for (const [name, value] of Object.entries(facts)) {
    const section = new RegExp(`\\{\\{#${name}\\}\\}(.*?)\\{\\{/${name}\\}\\}`, "gs");
    const opposite = new RegExp(`\\{\\{\\^${name}\\}\\}(.*?)\\{\\{/\\^${name}\\}\\}`, "gs");
    filled = filled
      .replace(section, (_whole, content: string) => (value === null ? "" : content))
      .replace(opposite, (_whole, content: string) => (value === null ? content : ""))
      // A function, so that `$&` in a value stays as it is.
      .replaceAll(`{{${name}}}`, () => escapeHtml(value ?? ""));
  }
  return filled;
}
