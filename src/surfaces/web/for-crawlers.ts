import { escapeHtml } from "../http/escape-html.ts";
import type { PageEntry } from "./built-files.ts";

/**
 * robots.txt. Pages of proofs may be fetched on purpose: each says noindex, and a crawler that may not fetch a page cannot see that; it would
 * list the address, which contains the code.
 */
export function robotsText(publicUrl: string): string {
  const closed = ["/api/", "/graphql", "/graphiql", "/dev/", "/healthz", "/readyz", "/metrics"];
  return [
    "User-agent: *",
    ...closed.map((path) => `Disallow: ${path}`),
    "",
    `Sitemap: ${publicUrl}/sitemap.xml`,
    "",
  ].join("\n");
}

/** The reference of the API, which is no page of the build. */
const REFERENCE = "/docs";

/** sitemap.xml: each listed page in each of its languages, which name one another, and the reference of the API. */
export function sitemap(publicUrl: string, list: readonly PageEntry[]): string {
  const entries = list.flatMap(({ path, languages, isListed }) => {
    if (path === null || !isListed) return [];
    const plain = publicUrl + path;
    if (languages.length === 1) return [entry(plain, "")];
    const inLanguage = (language: string) => `${plain}?lang=${language}`;
    const alternates = [
      ...languages.map((language) => alternate(language, inLanguage(language))),
      alternate("x-default", plain),
    ].join("");
    return languages.map((language) => entry(inLanguage(language), alternates));
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ...entries,
    entry(publicUrl + REFERENCE, ""),
    "</urlset>",
    "",
  ].join("\n");
}

function entry(address: string, alternates: string): string {
  return `<url><loc>${escapeHtml(address)}</loc>${alternates}</url>`;
}

function alternate(language: string, address: string): string {
  return `<xhtml:link rel="alternate" hreflang="${language}" href="${escapeHtml(address)}"/>`;
}
