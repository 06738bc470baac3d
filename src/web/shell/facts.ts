/**
 * What only the deployment knows: who operates it, its address, its sample. Pages are rendered at the build with a placeholder for each fact; the
 * gateway puts the facts in when it starts (src/surfaces/web/fill-page.ts). Pages with scripts read them from their <meta> elements.
 */
export const FACT_NAMES = [
  "operator_name",
  "operator_details",
  "contact_url",
  "privacy_url",
  "terms_url",
  "public_url",
  "sample_code",
] as const;
export type FactName = (typeof FACT_NAMES)[number];
export type SiteFacts = Readonly<Record<FactName, string | null>>;

/** Facts of a page that is rendered at the build. */
export const PLACEHOLDERS = Object.fromEntries(FACT_NAMES.map((name) => [name, `{{${name}}}`])) as SiteFacts;

/** The facts in the <meta> elements of this document. */
export function factsOfDocument(): SiteFacts {
  const read = (name: FactName) =>
    document.querySelector<HTMLMetaElement>(`meta[name="selo:${name}"]`)?.content || null;
  return Object.fromEntries(FACT_NAMES.map((name) => [name, read(name)])) as SiteFacts;
}
