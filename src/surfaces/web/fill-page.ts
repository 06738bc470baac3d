import { escapeHtml } from "../http/escape-html.ts";

/**
 * What the page does not know at the build, by name: facts of the deployment (src/web/shell/facts.ts), or of the moment. A list has the facts of each of its
 * entries.
 */
export interface PageFacts {
  readonly [name: string]: string | null | readonly PageFacts[];
}

/**
 * Puts facts into a page of the build: `{{name}}` becomes the escaped value, or nothing. What stands between `{{#name}}` and `{{/name}}` is
 * left out without a value, and what stands between `{{^name}}` and `{{/^name}}` with one. For a list, what stands between `{{#name}}` and `{{/name}}` is repeated with
 * the facts of each entry. Other braces stay as they are, and so do braces in a value: the operator's name is a text, and no placeholder.
 */
export function fillPage(page: string, facts: PageFacts): string {
  return fill(page, facts, facts);
}

/** @param values the facts whose values are put in: those of an entry, and those of the page around it */
function fill(page: string, facts: PageFacts, values: PageFacts): string {
  let chosen = page;
  // A page has few of all sections, and a search for each takes as long as a search for any.
  const opened = new Set(Array.from(page.matchAll(OPENING), ([, name]) => name));
  for (const [name, value] of Object.entries(facts)) {
    if (!opened.has(name)) continue;
    const isMissing = value === null || (isList(value) && value.length === 0);
    if (isMissing || !isList(value)) chosen = chosen.replace(section(name), isMissing ? "" : "$1");
    chosen = chosen.replace(opposite(name), isMissing ? "$1" : "");
  }
  const lists = Object.entries(facts).filter(([name, value]) => opened.has(name) && isList(value) && value.length > 0);
  const [first, ...others] = lists as [string, readonly PageFacts[]][];
  if (first !== undefined) {
    const [name, entries] = first;
    // Each piece is filled by itself, so that no value is searched for the next name. What stands between the two marks has the odd places.
    return chosen
      .split(section(name))
      .flatMap((piece, place) =>
        place % 2 === 0
          ? fill(piece, Object.fromEntries(others), values)
          : entries.map((entry) => fill(piece, entry, { ...values, ...entry })),
      )
      .join("");
  }
  // All values at once, so that no value is searched for the next name.
  return chosen.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value === undefined || isList(value) ? whole : escapeHtml(value ?? "");
  });
}

const OPENING = /\{\{[#^](\w+)\}\}/g;
const isList = (value: PageFacts[string] | undefined): value is readonly PageFacts[] => Array.isArray(value);
const section = (name: string) => new RegExp(`\\{\\{#${name}\\}\\}(.*?)\\{\\{/${name}\\}\\}`, "gs");
const opposite = (name: string) => new RegExp(`\\{\\{\\^${name}\\}\\}(.*?)\\{\\{/\\^${name}\\}\\}`, "gs");
