import { createHash } from "node:crypto";
import { type Certificate, id_eContentType_TSTInfo, TSTInfo } from "pkijs";
import { bufferOf } from "../../time-stamp/named-certificate.ts";
import { chainFault, stampsOnly } from "../../time-stamp/stamping-certificate.ts";
import { digestOf } from "./algorithms.ts";
import { Malformed, readCertificate, readCms, Unread } from "./read-cms.ts";
import { type Verified, verifyCms } from "./verify-cms.ts";

/** Most certificates of a token: all paths through them are tried. */
const MOST_CERTIFICATES = 8;

export interface CheckedToken {
  readonly state: "valid" | "invalid" | "not_checked";
  readonly at: Date | null;
  readonly verified: Verified | null;
}

/**
 * Checks a time stamp (RFC 3161): that it is over these bytes, its signature, and whether a trusted authority made it.
 * @param digest of what is stamped
 */
export async function checkToken(
  token: Buffer,
  digest: (algorithm: string) => Buffer,
  roots: readonly Certificate[],
): Promise<CheckedToken> {
  try {
    const cms = readCms(token);
    const { eContentType, eContent } = cms.content;
    if (eContentType !== id_eContentType_TSTInfo || eContent === undefined) throw new Malformed("it is no time stamp");
    const content = Buffer.from(eContent.getValue());
    const verified = verifyCms(cms, {
      type: id_eContentType_TSTInfo,
      digest: (algorithm) => createHash(algorithm).update(content).digest(),
      pieces: () => [content],
    });
    const { genTime: at, messageImprint } = TSTInfo.fromBER(new Uint8Array(content).buffer);
    const stamped = digestOf(messageImprint.hashAlgorithm);
    if (stamped && !bufferOf(messageImprint.hashedMessage).equals(digest(stamped.name)))
      return { state: "invalid", at: null, verified };
    if (verified.integrity !== "valid") return { state: verified.integrity, at: null, verified };
    const isTrusted = stamped !== undefined && !stamped.isWeak && (await isOfAuthority(verified.chain, roots, at));
    return { state: isTrusted ? "valid" : "not_checked", at: isTrusted ? at : null, verified };
  } catch (error) {
    return { state: error instanceof Unread ? "not_checked" : "invalid", at: null, verified: null };
  }
}

async function isOfAuthority(chain: readonly Buffer[], roots: readonly Certificate[], at: Date): Promise<boolean> {
  if (chain.length > MOST_CERTIFICATES || roots.length === 0) return false;
  try {
    const [signer, ...others] = chain.map(readCertificate);
    return signer !== undefined && stampsOnly(signer) && (await chainFault(signer, others, roots, at)) === null;
  } catch {
    return false;
  }
}
