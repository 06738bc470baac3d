/** The parser that accepts nothing but plain elements, attributes and text, and ways through what it returns. */
import { ExclusiveCanonicalization } from "xml-crypto";
import { childElements, parseXml, type XmlElement, type XmlNode } from "../xml/xmldom.ts";

const MOST_DEPTH = 40;

export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';

/** XML that is not well-formed, or holds what the national layout has no use for. */
export class UnsoundXmlError extends Error {
  override readonly name = "UnsoundXmlError";
}

/**
 * Parses XML without document type, comments, processing instructions and CDATA sections, and returns its root. In the text of well-formed XML
 * each of them starts with characters that stand nowhere else, so it is found before it is parsed.
 * @throws UnsoundXmlError
 */
export function parseSoundXml(xml: string): XmlElement {
  const text = xml.replace(/^\uFEFF/, "");
  const body = text.replace(/^<\?xml\s[^?>]*\?>/, "");
  if (body.includes("<!")) throw new UnsoundXmlError("a document type, a comment or a CDATA section");
  if (body.includes("<?")) throw new UnsoundXmlError("a processing instruction");
  if (depthOf(body) > MOST_DEPTH) throw new UnsoundXmlError("elements too deep inside each other");
  const root = parseXml(body.trim());
  if (root === null) throw new UnsoundXmlError("not well-formed");
  return root;
}

/** How deep tags stand inside each other: what comes later recurses. */
function depthOf(xml: string): number {
  let depth = 0;
  let most = 0;
  for (let at = xml.indexOf("<"); at !== -1; at = xml.indexOf("<", at + 1)) {
    if (xml[at + 1] === "/") depth -= 1;
    else {
      const end = xml.indexOf(">", at);
      // Text that is no XML would be searched to its end at each character.
      if (end === -1) throw new UnsoundXmlError("not well-formed");
      if (xml[end - 1] !== "/") depth += 1;
      most = Math.max(most, depth);
      if (most > MOST_DEPTH) return most;
      at = Math.max(at, nextTag(xml, at, end));
    }
  }
  return most;
}

/** The end of a tag, in which no other tag begins. @throws UnsoundXmlError */
function nextTag(xml: string, at: number, end: number): number {
  const inner = xml.indexOf("<", at + 1);
  if (inner !== -1 && inner < end) throw new UnsoundXmlError("not well-formed");
  return end;
}

/** The one child with a name; null when it is absent, or there are several. */
export function onlyChild(parent: XmlNode, namespace: string, name: string): XmlElement | null {
  const found = childElements(parent).filter((child) => child.localName === name && child.namespaceURI === namespace);
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** The element at the end of a path of only children; null when one of them is missing. */
export function descendant(parent: XmlElement, namespace: string, ...path: readonly string[]): XmlElement | null {
  let element: XmlElement | null = parent;
  for (const name of path) element = element && onlyChild(element, namespace, name);
  return element;
}

/** The text of the element at the end of a path; null when it is missing. */
export function textAt(parent: XmlElement, namespace: string, ...path: readonly string[]): string | null {
  return descendant(parent, namespace, ...path)?.textContent ?? null;
}

/** An element in Exclusive XML Canonicalization 1.0: what two documents can be compared by. */
export function canonicalForm(element: XmlElement): string {
  return String(new ExclusiveCanonicalization().process(element as never, {}));
}
