import { escapeHtml } from "../http/escape-html.ts";

/** What only the deployment knows, by the names that src/web/shell/facts.ts gives. */
export type PageFacts = Readonly<Record<string, string | null>>;

/**
 * Puts the facts of a deployment into a page of the build: `{{name}}` becomes the escaped value, or nothing, and what stands between
 * `{{#name}}` and `{{/name}}` is left out without a value. Other braces stay as they are.
 */
export function fillPage(page: string, facts: PageFacts): string {
  let filled = page;
  for (const [name, value] of Object.entries(facts)) {
    const section = new RegExp(`\\{\\{#${name}\\}\\}(.*?)\\{\\{/${name}\\}\\}`, "gs");
    filled = filled
      .replace(section, (_whole, content: string) => (value === null ? "" : content))
      // A function, so that `$&` in a value stays as it is.
      .replaceAll(`{{${name}}}`, () => escapeHtml(value ?? ""));
  }
  return filled;
}
