/** The DOM of the package that xml-crypto brings: it writes and reads XML. */
import { createRequire } from "node:module";

/** A node of a document, as far as writers and readers of XML need it. */
export interface XmlNode {
  /** 1 for an element. */
  readonly nodeType: number;
  readonly parentNode: XmlNode | null;
  readonly firstChild: XmlNode | null;
  readonly nextSibling: XmlNode | null;
  readonly childNodes: ArrayLike<XmlNode>;
  readonly textContent: string | null;
  appendChild(child: XmlNode): XmlNode;
}

export interface XmlElement extends XmlNode {
  readonly localName: string;
  readonly namespaceURI: string | null;
  readonly prefix: string | null;
  /** Empty for an attribute that is not there. */
  getAttribute(name: string): string;
  setAttribute(name: string, value: string): void;
}

export interface XmlDocument extends XmlNode {
  readonly documentElement: XmlElement;
  createElementNS(namespace: string, name: string): XmlElement;
  createTextNode(text: string): XmlNode;
}

type Handler = Readonly<Record<"warning" | "error" | "fatalError", (message: string) => void>>;

interface XmlDom {
  readonly DOMImplementation: new () => {
    createDocument(namespace: string, root: string, doctype: null): XmlDocument;
  };
  readonly DOMParser: new (options: {
    readonly errorHandler: Handler;
  }) => {
    parseFromString(xml: string, type: "text/xml"): { readonly documentElement: XmlElement | null } | undefined;
  };
  readonly XMLSerializer: new () => { serializeToString(node: XmlNode): string };
}

// Required, because an import brings its types, which add the whole DOM of browsers to the types of the server.
const require = createRequire(import.meta.url);
const { DOMImplementation, DOMParser, XMLSerializer } = require("@xmldom/xmldom") as XmlDom;

const ELEMENT = 1;

export function createXml(namespace: string, root: string): XmlDocument {
  return new DOMImplementation().createDocument(namespace, root, null);
}

export function serializeXml(node: XmlNode): string {
  return new XMLSerializer().serializeToString(node);
}

/**
 * The root of an XML document. Without document types: nothing is expanded and nothing is loaded. The time that it takes grows as the text does.
 * @returns null if the text is not well-formed, or has a document type
 */
export function parseXml(xml: string): XmlElement | null {
  // Entities come with a document type.
  if (/<!(DOCTYPE|ENTITY)/i.test(xml)) return null;
  const fail = (message: string) => {
    throw new Error(message);
  };
  try {
    const parser = new DOMParser({ errorHandler: { warning: fail, error: fail, fatalError: fail } });
    return parser.parseFromString(xml, "text/xml")?.documentElement ?? null;
  } catch {
    return null;
  }
}

/** The elements that are children of an element, in their order. */
export function childElements(parent: XmlNode): XmlElement[] {
  return Array.from(parent.childNodes).filter((node): node is XmlElement => node.nodeType === ELEMENT);
}
