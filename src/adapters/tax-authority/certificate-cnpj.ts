import { X509Certificate } from "node:crypto";
import { type BaseBlock, fromBER } from "asn1js";
import { Certificate } from "pkijs";

const SUBJECT_ALT_NAME = "2.5.29.17";
/** Of ICP-Brasil: the otherName that holds the CNPJ of the holder (DOC-ICP-04). */
export const CNPJ_NAME = "2.16.76.1.3.3";
const CONTEXT_SPECIFIC = 3;

interface Constructed extends BaseBlock {
  readonly valueBlock: BaseBlock["valueBlock"] & { readonly value?: unknown };
}

/**
 * The CNPJ that an ICP-Brasil certificate (e-CNPJ) was issued for; null when it names none.
 * @param pem the certificate in PEM
 */
export function cnpjOfCertificate(pem: string): string | null {
  const certificate = Certificate.fromBER(new X509Certificate(pem).raw);
  const extension = certificate.extensions?.find(({ extnID }) => extnID === SUBJECT_ALT_NAME);
  if (extension === undefined) return null;
  for (const name of childrenOf(fromBER(extension.extnValue.valueBlock.valueHexView).result)) {
    const [type, value] = childrenOf(name);
    const isOtherName = name.idBlock.tagClass === CONTEXT_SPECIFIC && name.idBlock.tagNumber === 0;
    if (!isOtherName || type === undefined || value === undefined || textOf(type) !== CNPJ_NAME) continue;
    const text = childrenOf(value)[0];
    const digits = text === undefined ? "" : Buffer.from(bytesOf(text)).toString("latin1").trim();
    return /^[0-9A-Z]{12}\d{2}$/.test(digits) ? digits : null;
  }
  return null;
}

function childrenOf(block: BaseBlock): BaseBlock[] {
  const { value } = (block as Constructed).valueBlock;
  return Array.isArray(value) ? value : [];
}

/** The dotted form of an object identifier. */
function textOf(block: BaseBlock): string {
  return String((block as { getValue?: () => unknown }).getValue?.() ?? "");
}

function bytesOf(block: BaseBlock): Uint8Array {
  return (block.valueBlock as { valueHexView?: Uint8Array }).valueHexView ?? new Uint8Array();
}
