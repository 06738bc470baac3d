import { createXml, serializeXml, type XmlDocument, type XmlElement } from "../xml/xmldom.ts";
import { XML_DECLARATION } from "./xml-dom.ts";

/** Namespace of all documents of the national layout. */
export const NFSE_NAMESPACE = "http://www.sped.fazenda.gov.br/nfse";

/** An element: its text, or its children in their order. What is null is left out. */
export type Content = string | readonly (Field | null)[];
export type Field = readonly [name: string, content: Content | null];

/** Writes a document: the root with its version, and in it the element with the Id that will be signed. No element has a prefix. */
export function writeDocument(version: string, root: string, signed: string, id: string, fields: Content): string {
  const document = createXml(NFSE_NAMESPACE, root);
  document.documentElement.setAttribute("versao", version);
  const element = document.createElementNS(NFSE_NAMESPACE, signed);
  element.setAttribute("Id", id);
  document.documentElement.appendChild(element);
  append(document, element, fields);
  return XML_DECLARATION + serializeXml(document);
}

function append(document: XmlDocument, parent: XmlElement, content: Content): void {
  if (typeof content === "string") {
    parent.appendChild(document.createTextNode(content));
    return;
  }
  for (const field of content) {
    if (field === null || field[1] === null) continue;
    const element = document.createElementNS(NFSE_NAMESPACE, field[0]);
    append(document, element, field[1]);
    parent.appendChild(element);
  }
}
