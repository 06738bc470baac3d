import { createHash } from "node:crypto";
import type { BaseBlock } from "asn1js";
import {
  Certificate,
  id_ContentType_SignedData,
  id_eContentType_TSTInfo,
  id_sha256,
  PKIStatus,
  SignedData,
  TimeStampResp,
  TSTInfo,
} from "pkijs";
import { asRead, bytesOf, partsOf, readDer } from "./der.ts";
import { attributeOf, bufferOf, namesCertificate } from "./named-certificate.ts";
import { chainFault, stampsOnly } from "./stamping-certificate.ts";
import { TimeStampFailed } from "./time-stamp-failed.ts";
import type { TimeStampQuery } from "./time-stamp-query.ts";

const OID = {
  contentType: "1.2.840.113549.1.9.3",
} as const;

/** Digests of a token's signature. SHA-1 is none of them. */
const DIGESTS: Readonly<Record<string, string>> = {
  "2.16.840.1.101.3.4.2.1": "sha256",
  "2.16.840.1.101.3.4.2.2": "sha384",
  "2.16.840.1.101.3.4.2.3": "sha512",
};
/** RSA (PKCS#1 v1.5) and ECDSA, with these digests. */
const SIGNATURES = [
  "1.2.840.113549.1.1.1",
  ...["11", "12", "13"].map((last) => `1.2.840.113549.1.1.${last}`),
  ...["2", "3", "4"].map((last) => `1.2.840.10045.4.3.${last}`),
];

/** Most certificates of a token: all paths through them are tried. */
const MOST_CERTIFICATES = 8;
/** How far the authority's clock may be from this machine's. An authority that is further away would contradict the evidence. */
const MOST_APART_MS = 5 * 60_000;

export interface Judged {
  readonly query: TimeStampQuery;
  /** The certificates that are trusted: roots. */
  readonly roots: readonly Certificate[];
  readonly now: Date;
}

/**
 * The token (RFC 3161 §2.4.2) of an authority's answer, its bytes as they came, after all its checks: the status; imprint and nonce are those of the
 * query; the signature, its digest, and that it names its certificate; the chain of that certificate to a root, at the instant of the token; the
 * only purpose of the certificate, critical, is time stamping; the instant is near this machine's.
 * @throws TimeStampFailed
 */
export async function tokenOf(answer: Uint8Array, judged: Judged): Promise<Buffer> {
  try {
    return await checkedToken(answer, judged);
  } catch (error) {
    if (error instanceof TimeStampFailed) throw error;
    throw new TimeStampFailed("the answer cannot be read as a time stamp", { cause: error });
  }
}

async function checkedToken(answer: Uint8Array, { query, roots, now }: Judged): Promise<Buffer> {
  const read = readDer(answer);
  const response = new TimeStampResp({ schema: read });
  const { status } = response.status;
  require(status === PKIStatus.granted || status === PKIStatus.grantedWithMods, `the answer has status ${status}`);
  const token = partsOf(read)[1];
  const { timeStampToken: content } = response;
  if (content === undefined || token === undefined) throw new TimeStampFailed("the answer has no token");
  require(content.contentType === id_ContentType_SignedData, "the token is not signed data");

  const signed = new SignedData({ schema: content.content });
  require(signed.encapContentInfo.eContentType === id_eContentType_TSTInfo, "the token is no time stamp");
  const info = TSTInfo.fromBER(signed.encapContentInfo.eContent?.getValue() ?? new ArrayBuffer(0));
  const { hashAlgorithm, hashedMessage } = info.messageImprint;
  const imprint = createHash("sha256").update(query.data).digest();
  require(hashAlgorithm.algorithmId === id_sha256 &&
    imprint.equals(bufferOf(hashedMessage)), "the token is of another imprint");
  require(info.nonce !== undefined && bufferOf(info.nonce).equals(query.nonce), "the token has another nonce");
  require(Math.abs(info.genTime.getTime() - now.getTime()) <=
    MOST_APART_MS, "the token's instant is not this machine's");

  const signer = await signerOf(signed, certificatesIn(token), query.data);
  const fault = await chainFault(signer, certificatesOf(signed), roots, info.genTime);
  if (fault !== null) throw new TimeStampFailed(fault);
  require(stampsOnly(signer), "the certificate of the token is not for time stamping alone");
  return asRead(token);
}

/** The certificate whose key made the token. */
async function signerOf(
  signed: SignedData,
  bytesOfCertificates: readonly Buffer[],
  data: Uint8Array,
): Promise<Certificate> {
  const [info, ...others] = signed.signerInfos;
  if (info === undefined || others.length > 0) throw new TimeStampFailed("the token has not one signature");
  require(info.digestAlgorithm.algorithmId in DIGESTS &&
    SIGNATURES.includes(info.signatureAlgorithm.algorithmId), "the token's signature is of a kind that is not taken");
  require(attributeOf(info, OID.contentType)?.valueBlock.toString() ===
    id_eContentType_TSTInfo, "the token signs no time stamp");
  require(certificatesOf(signed).length <=
    MOST_CERTIFICATES, `the token has more than ${MOST_CERTIFICATES} certificates`);
  const { signatureVerified, signerCertificate } = await signed
    .verify({ signer: 0, data: bytesOf(data), checkChain: false, extendedMode: true })
    .catch((error: unknown) => {
      throw new TimeStampFailed("the token's signature cannot be checked", { cause: error });
    });
  if (signatureVerified !== true || signerCertificate == null)
    throw new TimeStampFailed("the token's signature is not valid");
  const bytes = bytesOfCertificates[signed.certificates?.indexOf(signerCertificate) ?? -1];
  require(bytes !== undefined &&
    namesCertificate(info, bytes) === true, "the token names another certificate than its own");
  return signerCertificate;
}

/** The certificates of a token as they came, in the order in which pkijs has them. */
function certificatesIn(token: BaseBlock): readonly Buffer[] {
  const signedData = partsOf(partsOf(partsOf(token)[1])[0]);
  const found = signedData.find(({ idBlock }) => idBlock.tagClass === 3 && idBlock.tagNumber === 0);
  return partsOf(found).map(asRead);
}

const certificatesOf = ({ certificates }: SignedData) =>
  (certificates ?? []).filter((each): each is Certificate => each instanceof Certificate);

function require(holds: boolean, otherwise: string): void {
  if (!holds) throw new TimeStampFailed(otherwise);
}
