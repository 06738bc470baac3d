import { SignedXml } from "xml-crypto";

/** Who signs, and who speaks with the tax authority: an A1 certificate and its key, both PEM. The key is a secret. */
export interface TaxIdentity {
  /** The certificate alone, or followed by those of its issuers. */
  readonly certificate: string;
  /** PKCS#8 or PKCS#1, not encrypted. */
  readonly privateKey: string;
}

export const ENVELOPED = "http://www.w3.org/2000/09/xmldsig#enveloped-signature";
export const EXCLUSIVE = "http://www.w3.org/2001/10/xml-exc-c14n#";
export const INCLUSIVE = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315";

/** Sets of algorithms that the tax authority has accepted at some time. */
export const SIGNATURE_ALGORITHMS = {
  "exclusive-sha256": {
    canonicalization: EXCLUSIVE,
    signature: "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
    digest: "http://www.w3.org/2001/04/xmlenc#sha256",
  },
  "inclusive-sha256": {
    canonicalization: INCLUSIVE,
    signature: "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
    digest: "http://www.w3.org/2001/04/xmlenc#sha256",
  },
  "inclusive-sha1": {
    canonicalization: INCLUSIVE,
    signature: "http://www.w3.org/2000/09/xmldsig#rsa-sha1",
    digest: "http://www.w3.org/2000/09/xmldsig#sha1",
  },
} as const;

export type SignatureAlgorithms = keyof typeof SIGNATURE_ALGORITHMS;

/**
 * Signs the element with an Id by an enveloped signature, which becomes the last child of the root (XML Signature 1.1). The certificate stands in
 * its X509Data; no element has a prefix.
 * @throws Error for XML or a key that cannot be read
 */
export function signXml(
  xml: string,
  id: string,
  identity: TaxIdentity,
  algorithms: SignatureAlgorithms = "exclusive-sha256",
): string {
  if (!/^[A-Z]{3}\d+$/.test(id)) throw new Error("not an Id of the national layout");
  const { canonicalization, signature, digest } = SIGNATURE_ALGORITHMS[algorithms];
  const signer = new SignedXml({
    privateKey: identity.privateKey,
    publicCert: firstCertificate(identity.certificate),
    signatureAlgorithm: signature,
    canonicalizationAlgorithm: canonicalization,
  });
  signer.addReference({
    xpath: `//*[@Id='${id}']`,
    uri: `#${id}`,
    transforms: [ENVELOPED, canonicalization],
    digestAlgorithm: digest,
  });
  signer.computeSignature(xml, { location: { reference: "/*", action: "append" } });
  return signer.getSignedXml();
}

function firstCertificate(pem: string): string {
  const end = "-----END CERTIFICATE-----";
  const at = pem.indexOf(end);
  return at === -1 ? pem : pem.slice(0, at + end.length);
}
