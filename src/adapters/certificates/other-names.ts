import { context, type Der, expectTag, partsOf, readDer, readOid, TAG } from "./der.ts";

/** Identifiers of what ICP-Brasil says of a holder (DOC-ICP-04), as other names. */
export const ICP_BRASIL = {
  /** Of a person: birth date (8 digits), CPF (11), social security number (11), identity card. */
  person: "2.16.76.1.3.1",
  /** Name of the person who answers for a legal entity. */
  responsibleName: "2.16.76.1.3.2",
  /** CNPJ of a legal entity. */
  cnpj: "2.16.76.1.3.3",
  /** The same of the person who answers for it as `person` has. */
  responsible: "2.16.76.1.3.4",
} as const;
const SUBJECT_ALT_NAME = "2.5.29.17";
/** Letters since July 2026: Instrução Normativa RFB 2229/2024. */
const CNPJ_FORM = /^[0-9A-Z]{12}[0-9]{2}$/;

/**
 * The CNPJ that a certificate names in its alternative names, without punctuation; null where it names none. Its check digits are not checked.
 * @param der the certificate
 */
export function cnpjOf(der: Buffer): string | null {
  try {
    return otherNames(der, ICP_BRASIL.cnpj).find((text) => CNPJ_FORM.test(text)) ?? null;
  } catch {
    // OpenSSL has read the certificate. Alternative names that cannot be read name nothing.
    return null;
  }
}

/**
 * The texts of the other names of one type in a certificate's alternative names, in order.
 * @param der the certificate
 * @throws DerError
 */
export function otherNames(der: Buffer, type: string): string[] {
  const names = alternativeNames(der);
  if (names === null) return [];
  return partsOf(names).flatMap((name) => {
    // GeneralName ::= CHOICE { otherName [0] { type-id, value [0] EXPLICIT ANY }, … }
    if (name.tag !== context(0)) return [];
    const [id, value] = partsOf(name);
    if (!value || readOid(id) !== type) return [];
    return [innermost(expectTag(value, context(0)))];
  });
}

function alternativeNames(der: Buffer): Der | null {
  const [signed] = partsOf(readDer(der, TAG.sequence));
  const extensions = partsOf(expectTag(signed, TAG.sequence)).find(({ tag }) => tag === context(3));
  const [list] = extensions ? partsOf(extensions) : [];
  for (const extension of list ? partsOf(list) : []) {
    const parts = partsOf(extension);
    if (readOid(parts[0]) !== SUBJECT_ALT_NAME) continue;
    return readDer(expectTag(parts.at(-1), TAG.octetString).content, TAG.sequence);
  }
  return null;
}

/** The text inside of explicit tags: authorities write it as an octet string or as any text of ASN.1. */
function innermost(value: Der): string {
  let inner = value;
  while (inner.tag & 0x20) {
    const [first] = partsOf(inner);
    if (!first) return "";
    inner = first;
  }
  if (inner.tag === TAG.bmpString && inner.content.length % 2 === 0)
    return Buffer.from(inner.content).swap16().toString("utf16le").trim();
  return inner.content.toString(inner.tag === TAG.utf8String ? "utf8" : "latin1").trim();
}
