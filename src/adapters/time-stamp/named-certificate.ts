import { createHash } from "node:crypto";
import type { BaseBlock } from "asn1js";
import type { SignerInfo } from "pkijs";
import { partsOf } from "./der.ts";

const SIGNING_CERTIFICATE = "1.2.840.113549.1.9.16.2.12";
const SIGNING_CERTIFICATE_V2 = "1.2.840.113549.1.9.16.2.47";
const DIGESTS: Readonly<Record<string, string>> = {
  // No weaker than the older attribute, which knows no other.
  "1.3.14.3.2.26": "sha1",
  "2.16.840.1.101.3.4.2.1": "sha256",
  "2.16.840.1.101.3.4.2.2": "sha384",
  "2.16.840.1.101.3.4.2.3": "sha512",
};

/**
 * Whether the signed attributes name a certificate as the signer's (RFC 5035): otherwise another one of the same key could be put there.
 * @param certificate DER
 * @returns null where they name none
 */
export function namesCertificate(info: SignerInfo, certificate: Buffer): boolean | null {
  const named = (type: string) => {
    const attribute = attributeOf(info, type);
    return attribute === undefined ? undefined : partsOf(partsOf(partsOf(attribute)[0])[0]);
  };
  const isOf = (name: string, digest: BaseBlock | undefined) =>
    digest !== undefined && createHash(name).update(certificate).digest().equals(bufferOf(digest));
  const newer = named(SIGNING_CERTIFICATE_V2);
  if (newer !== undefined) {
    const [first, second] = newer;
    // SHA-256 is the default, which DER leaves out.
    if (first === undefined || partsOf(first).length === 0) return isOf("sha256", first);
    return isOf(DIGESTS[String(partsOf(first)[0]?.valueBlock)] ?? "sha256", second);
  }
  const older = named(SIGNING_CERTIFICATE);
  return older === undefined ? null : isOf("sha1", older[0]);
}

/** The first value of a signed attribute. */
export const attributeOf = ({ signedAttrs }: SignerInfo, name: string): BaseBlock | undefined =>
  signedAttrs?.attributes.find(({ type }) => type === name)?.values[0];

/** The content of a value that has no parts. */
export const bufferOf = (block: BaseBlock): Buffer =>
  Buffer.from((block.valueBlock as { readonly valueHexView?: Uint8Array }).valueHexView ?? []);
