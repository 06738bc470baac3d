import { createRequire } from "node:module";

/** A node of a document, as far as readers of XML need it. */
export interface XmlNode {
  /** 1 for an element. */
  readonly nodeType: number;
  readonly parentNode: XmlNode | null;
  readonly firstChild: XmlNode | null;
  readonly nextSibling: XmlNode | null;
  readonly childNodes: ArrayLike<XmlNode>;
  readonly textContent: string | null;
}

export interface XmlElement extends XmlNode {
  readonly localName: string;
  readonly namespaceURI: string | null;
  /** Empty for an attribute that is not there. */
  getAttribute(name: string): string;
}

interface Parser {
  parseFromString(xml: string, type: "text/xml"): { readonly documentElement: XmlElement | null };
}
type Told = (message: string) => void;
type Handler = Readonly<Record<"warning" | "error" | "fatalError", Told>>;

// The package's own types would bring those of browsers into the whole program.
const require = createRequire(import.meta.url);
const { DOMParser } = require("@xmldom/xmldom") as {
  readonly DOMParser: new (options: { readonly errorHandler: Handler }) => Parser;
};

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
    return parser.parseFromString(xml, "text/xml").documentElement;
  } catch {
    return null;
  }
}
