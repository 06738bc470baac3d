/** What the tax authority signed: an NFS-e or an event counts when its signature, its signer and its content are the expected ones. */
import { X509Certificate } from "node:crypto";
import { SignedXml } from "xml-crypto";
import { childElements, serializeXml, type XmlElement } from "../xml/xmldom.ts";
import { accessKeyIsSound, CANCELLATION_EVENT, cancellationEventIdOf } from "./access-key.ts";
import { ENVELOPED, EXCLUSIVE, INCLUSIVE, SIGNATURE_ALGORITHMS } from "./sign-xml.ts";
import { NFSE_NAMESPACE } from "./write-document.ts";
import { canonicalForm, descendant, onlyChild, parseSoundXml, textAt, UnsoundXmlError } from "./xml-dom.ts";

/** Why an answer does not count. */
export type UntrustedReason =
  | "unreadable"
  | "structure"
  | "algorithm"
  | "signer"
  | "signature"
  | "access_key"
  | "altered_dps"
  | "other_event";

export class UntrustedAnswerError extends Error {
  override readonly name = "UntrustedAnswerError";
  readonly reason: UntrustedReason;

  constructor(reason: UntrustedReason) {
    super(`the answer is not trusted: ${reason}`);
    this.reason = reason;
  }
}

export interface TrustOptions {
  /** PEM files, each of one certificate or more: of signers, or of authorities that directly issue those of signers. */
  readonly trusted: readonly string[];
  /** When it is judged whether a signer's certificate is still valid; not judged when absent, and never for a signer that is itself in the list. */
  readonly now?: Date;
}

/** What counts of an NFS-e. All of it stands in the signed element. */
export interface TrustedNfse {
  /** 50 digits. */
  readonly access_key: string;
  /** nNFSe. */
  readonly nfse_number: string;
  /** dhProc, with its offset. */
  readonly issued_at: string;
  /** The Id of our DPS. */
  readonly dps_id: string;
  /** The whole document, as it came. */
  readonly xml: string;
  /** The signed element alone (infNFSe), in its canonical form. */
  readonly signed_xml: string;
}

export interface TrustedCancellation {
  readonly access_key: string;
  /** dhProc, with its offset. */
  readonly canceled_at: string;
  readonly reason_code: string;
  readonly reason: string;
  /** Whether the event answers the given request, and not somebody else's. */
  readonly answers_request: boolean;
  readonly xml: string;
}

const DSIG = "http://www.w3.org/2000/09/xmldsig#";
const SIGNATURES: readonly string[] = [
  SIGNATURE_ALGORITHMS["exclusive-sha256"].signature,
  "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512",
];
const DIGESTS: readonly string[] = [
  SIGNATURE_ALGORITHMS["exclusive-sha256"].digest,
  "http://www.w3.org/2001/04/xmlenc#sha512",
];
const CANONICALIZATIONS: readonly string[] = [EXCLUSIVE, INCLUSIVE];
const MOST_CERTIFICATES = 5;

/** TSDateTimeUTC of the layout. */
const isTime = (text: string | null): text is string =>
  text !== null && /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text));

/**
 * Reads an NFS-e that holds our DPS. Nothing outside the signed element is read: it is parsed anew from the bytes that were verified, so an
 * element that a wrapped signature leaves unsigned has no effect.
 * @throws UntrustedAnswerError
 */
export function readNfse(xml: string, options: TrustOptions & { readonly dpsXml: string }): TrustedNfse {
  const { element: signed, text } = readSigned(xml, "NFSe", "infNFSe", options);
  const id = signed.getAttribute("Id") ?? "";
  const accessKey = id.slice(3);
  if (id !== `NFS${accessKey}` || !accessKeyIsSound(accessKey)) throw new UntrustedAnswerError("access_key");
  const ours = descendant(parse(options.dpsXml), NFSE_NAMESPACE, "infDPS");
  const theirs = descendant(signed, NFSE_NAMESPACE, "DPS", "infDPS");
  if (ours === null || theirs === null || canonicalForm(ours) !== canonicalForm(theirs))
    throw new UntrustedAnswerError("altered_dps");
  const number = textAt(signed, NFSE_NAMESPACE, "nNFSe");
  const issuedAt = textAt(signed, NFSE_NAMESPACE, "dhProc");
  if (number === null || !/^[1-9]\d{0,12}$/.test(number) || !isTime(issuedAt))
    throw new UntrustedAnswerError("structure");
  return {
    access_key: accessKey,
    nfse_number: number,
    issued_at: issuedAt,
    dps_id: ours.getAttribute("Id") ?? "",
    xml,
    signed_xml: text,
  };
}

/**
 * Reads the event that cancelled an NFS-e.
 * @param options requestXml: our signed request; null when the cancellation may be anybody's
 * @throws UntrustedAnswerError
 */
export function readCancellationEvent(
  xml: string,
  options: TrustOptions & { readonly accessKey: string; readonly requestXml: string | null },
): TrustedCancellation {
  const { accessKey, requestXml } = options;
  const { element: signed } = readSigned(xml, "evento", "infEvento", options);
  const request = descendant(signed, NFSE_NAMESPACE, "pedRegEvento", "infPedReg");
  const cancellation = request && onlyChild(request, NFSE_NAMESPACE, `e${CANCELLATION_EVENT}`);
  if (
    request === null ||
    cancellation === null ||
    signed.getAttribute("Id") !== cancellationEventIdOf(accessKey) ||
    textAt(request, NFSE_NAMESPACE, "chNFSe") !== accessKey
  )
    throw new UntrustedAnswerError("other_event");
  const canceledAt = textAt(signed, NFSE_NAMESPACE, "dhProc");
  if (!isTime(canceledAt)) throw new UntrustedAnswerError("structure");
  const ours = requestXml === null ? null : descendant(parse(requestXml), NFSE_NAMESPACE, "infPedReg");
  return {
    access_key: accessKey,
    canceled_at: canceledAt,
    reason_code: textAt(cancellation, NFSE_NAMESPACE, "cMotivo") ?? "",
    reason: textAt(cancellation, NFSE_NAMESPACE, "xMotivo") ?? "",
    answers_request: ours !== null && canonicalForm(ours) === canonicalForm(request),
    xml,
  };
}

function parse(xml: string): XmlElement {
  try {
    return parseSoundXml(xml);
  } catch (error) {
    if (error instanceof UnsoundXmlError) throw new UntrustedAnswerError("unreadable");
    throw error;
  }
}

/**
 * The element that the document's own signature covers, parsed from the bytes that were verified.
 * @throws UntrustedAnswerError
 */
export function readSigned(
  xml: string,
  rootName: string,
  signedName: string,
  trust: TrustOptions,
): { element: XmlElement; text: string } {
  const root = parse(xml);
  // The library that verifies knows no byte order mark.
  const text = xml.replace(/^\uFEFF/, "");
  const signed = onlyChild(root, NFSE_NAMESPACE, signedName);
  const signature = onlyChild(root, DSIG, "Signature");
  // Nothing stands beside both, so that there is no place for an element which somebody else might read.
  if (
    root.localName !== rootName ||
    root.namespaceURI !== NFSE_NAMESPACE ||
    signed === null ||
    signature === null ||
    childElements(root).length !== 2
  )
    throw new UntrustedAnswerError("structure");
  const id = signed.getAttribute("Id") ?? "";
  if (!/^[A-Z]{3}\d+$/.test(id)) throw new UntrustedAnswerError("structure");
  checkSignedInfo(signature, id);
  const signers = certificatesOf(signature).filter((certificate) => isTrusted(certificate, trust));
  if (signers.length === 0) throw new UntrustedAnswerError("signer");
  const verified = signers.map((signer) => verify(text, signature, signer)).find((text) => text !== null);
  if (verified == null) throw new UntrustedAnswerError("signature");
  const element = parse(verified);
  if (element.localName !== signedName || element.namespaceURI !== NFSE_NAMESPACE || element.getAttribute("Id") !== id)
    throw new UntrustedAnswerError("signature");
  return { element, text: verified };
}

/** One reference, to the expected element, by algorithms that are known: others might select or change what is signed. */
function checkSignedInfo(signature: XmlElement, id: string): void {
  // The library finds algorithms by their names anywhere in the signature, so nothing stands beside the expected children.
  const parts = childElements(signature).map(({ localName }) => localName);
  if (parts.join() !== "SignedInfo,SignatureValue,KeyInfo") throw new UntrustedAnswerError("structure");
  const info = onlyChild(signature, DSIG, "SignedInfo");
  const reference = info && onlyChild(info, DSIG, "Reference");
  if (info === null || reference === null || reference.getAttribute("URI") !== `#${id}`)
    throw new UntrustedAnswerError("structure");
  const algorithm = (parent: XmlElement, name: string) =>
    onlyChild(parent, DSIG, name)?.getAttribute("Algorithm") ?? "";
  const transforms = childElements(onlyChild(reference, DSIG, "Transforms") ?? reference).map(
    (transform) => transform.getAttribute("Algorithm") ?? "",
  );
  const isKnown =
    SIGNATURES.includes(algorithm(info, "SignatureMethod")) &&
    CANONICALIZATIONS.includes(algorithm(info, "CanonicalizationMethod")) &&
    DIGESTS.includes(algorithm(reference, "DigestMethod")) &&
    transforms.length === 2 &&
    transforms[0] === ENVELOPED &&
    CANONICALIZATIONS.includes(transforms[1] ?? "");
  if (!isKnown) throw new UntrustedAnswerError("algorithm");
}

function certificatesOf(signature: XmlElement): X509Certificate[] {
  const data = descendant(signature, DSIG, "KeyInfo", "X509Data");
  if (data === null) return [];
  const certificates: X509Certificate[] = [];
  for (const child of childElements(data).slice(0, MOST_CERTIFICATES)) {
    if (child.localName !== "X509Certificate") continue;
    try {
      certificates.push(new X509Certificate(Buffer.from(child.textContent ?? "", "base64")));
    } catch {
      // What is no certificate signed nothing.
    }
  }
  return certificates;
}

/** Whether a certificate is in the list, or directly issued by an authority of the list. */
function isTrusted(certificate: X509Certificate, { trusted, now }: TrustOptions): boolean {
  return trusted.flatMap(certificatesIn).some((known) => {
    if (known.raw.equals(certificate.raw)) return true;
    if (!known.ca || !certificate.checkIssued(known) || !certificate.verify(known.publicKey)) return false;
    return now === undefined || (now >= certificate.validFromDate && now <= certificate.validToDate);
  });
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The certificates of a PEM file. @throws Error for one that cannot be read */
function certificatesIn(pem: string): X509Certificate[] {
  return [...pem.matchAll(CERTIFICATE)].map(([certificate]) => new X509Certificate(certificate));
}

/** The bytes that a certificate's key signed, as text; null when the signature does not hold. */
function verify(xml: string, signature: XmlElement, signer: X509Certificate): string | null {
  const verifier = new SignedXml({
    publicCert: signer.toString(),
    // The key comes from the checked certificate, never from the document.
    getCertFromKeyInfo: () => null,
  });
  try {
    verifier.loadSignature(serializeXml(signature));
    if (!verifier.checkSignature(xml)) return null;
    const signed = verifier.getSignedReferences();
    return signed.length === 1 ? (signed[0] ?? null) : null;
  } catch {
    return null;
  }
}
