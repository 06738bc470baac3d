import { escapeHtml } from "../http/escape-html.ts";

/** What the page does not know at the build, by name: facts of the deployment (src/web/shell/facts.ts), or of the moment. */
export type PageFacts = Readonly<Record<string, string | null>>;

/**
 * Puts facts into a page of the build: `{{name}}` becomes the escaped value, or nothing. What stands between `{{#name}}` and `{{/name}}` is
 * left out without a value, and what stands between `{{^name}}` and `{{/^name}}` with one. Other braces stay as they are, and so do braces in a
 * value: the operator's name is a text, and no placeholder.
 */
export function fillPage(page: string, facts: PageFacts): string {
  let chosen = page;
  for (const [name, value] of Object.entries(facts)) {
    const section = new RegExp(`\\{\\{#${name}\\}\\}(.*?)\\{\\{/${name}\\}\\}`, "gs");
    const opposite = new RegExp(`\\{\\{\\^${name}\\}\\}(.*?)\\{\\{/\\^${name}\\}\\}`, "gs");
    chosen = chosen
      .replace(section, (_whole, content: string) => (value === null ? "" : content))
      .replace(opposite, (_whole, content: string) => (value === null ? content : ""));
  }
  // All values at once, so that no value is searched for the next name.
  return chosen.replace(/\{\{(\w+)\}\}/g, (whole, name: string) =>
    Object.hasOwn(facts, name) ? escapeHtml(facts[name] ?? "") : whole,
  );
}
