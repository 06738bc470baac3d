import type { Document } from "./document.ts";
import { Bomb, type Dict, isInteger, nameText, Ref, type Value } from "./values.ts";

/** Fields of a form that are looked at. */
const MOST_FIELDS = 100_000;

/**
 * What the signatures of a document allow afterwards (ISO 32000-2, 12.8.2.2): 1 nothing, 2 forms and signatures, 3 annotations too. The strictest counts,
 * also of a signature that the catalog does not name as its certification: validators differ there.
 * @returns null where no signature certifies
 */
export function certifiedLevel(document: Document): number | null {
  const dict = (value: Value | undefined): Dict | undefined => {
    const found = document.resolve(value);
    return found instanceof Map ? found : undefined;
  };
  const list = (value: Value | undefined): Value[] => {
    const found = document.resolve(value);
    return Array.isArray(found) ? found : [];
  };
  const level = (value: Dict | undefined, byDefault: number): number => {
    const given = document.resolve(value?.get("P"));
    return isInteger(given) ? given : byDefault;
  };
  const levels: number[] = [];
  const addOf = (signature: Dict | undefined) => {
    for (const each of list(signature?.get("Reference"))) {
      const reference = dict(each);
      if (nameText(document.resolve(reference?.get("TransformMethod"))) === "DocMDP")
        levels.push(level(dict(reference?.get("TransformParams")), 2));
    }
  };
  const catalog = document.catalog();
  addOf(dict(dict(catalog.get("Perms"))?.get("DocMDP")));
  const fields = [...list(dict(catalog.get("AcroForm"))?.get("Fields"))];
  const seen = new Set<number>();
  for (const each of fields) {
    if (each instanceof Ref && seen.has(each.number)) continue;
    if (each instanceof Ref) seen.add(each.number);
    const field = dict(each);
    const signature = dict(field?.get("V"));
    addOf(signature);
    // What a signature field allows once it is signed (12.7.5.5).
    const lock = dict(field?.get("Lock"));
    if (signature !== undefined && lock?.has("P")) levels.push(level(lock, 3));
    for (const kid of list(field?.get("Kids"))) fields.push(kid);
    if (fields.length > MOST_FIELDS) throw new Bomb("the form has too many fields");
  }
  return levels.length === 0 ? null : Math.min(...levels);
}
