import forge from "node-forge";

type Asn1 = forge.asn1.Asn1;

const SUBJECT_ALT_NAME = "2.5.29.17";
/** The CNPJ of a legal entity in its certificate: DOC-ICP-04 of ICP-Brasil, 7.1.2.3. */
const CNPJ = "2.16.76.1.3.3";
/** Letters since July 2026: Instrução Normativa RFB 2229/2024. */
const FORM = /^[0-9A-Z]{12}[0-9]{2}$/;

/**
 * The CNPJ that a certificate names in its alternative names, without punctuation; null where it names none. Its check digits are not checked.
 * @param der the certificate
 */
export function cnpjOf(der: Buffer): string | null {
  try {
    for (const name of alternativeNames(der)) {
      // GeneralName ::= CHOICE { otherName [0] { type-id, value [0] EXPLICIT ANY }, … }
      if (name.tagClass !== forge.asn1.Class.CONTEXT_SPECIFIC || (name.type as number) !== 0) continue;
      const [type, value] = children(name);
      if (!isOid(type, CNPJ)) continue;
      const found = innermost(value).toString("latin1").trim();
      if (FORM.test(found)) return found;
    }
  } catch {
    // OpenSSL has read the certificate. Alternative names that cannot be read name nothing.
  }
  return null;
}

function alternativeNames(der: Buffer): Asn1[] {
  const [signed] = children(forge.asn1.fromDer(der.toString("latin1"), true));
  const extensions = children(signed).find(
    ({ tagClass, type }) => tagClass === forge.asn1.Class.CONTEXT_SPECIFIC && (type as number) === 3,
  );
  for (const extension of children(children(extensions)[0])) {
    const parts = children(extension);
    if (!isOid(parts[0], SUBJECT_ALT_NAME)) continue;
    const content = parts.at(-1);
    if (typeof content?.value === "string") return children(forge.asn1.fromDer(content.value, true));
  }
  return [];
}

function isOid(value: Asn1 | undefined, oid: string): boolean {
  return typeof value?.value === "string" && forge.asn1.derToOid(value.value) === oid;
}

/** The bytes inside of explicit tags: authorities write the number as an octet string, a PrintableString or a UTF8String. */
function innermost(value: Asn1 | undefined): Buffer {
  if (typeof value?.value === "string") return Buffer.from(value.value, "latin1");
  return innermost(value?.value[0]);
}

function children(value: Asn1 | undefined): Asn1[] {
  if (!value || typeof value.value === "string") throw new Error("the value has no parts");
  return value.value;
}
