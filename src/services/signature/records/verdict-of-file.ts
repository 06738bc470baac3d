import type { PdfSignature } from "../../../adapters/pdf-signatures/read-signatures.ts";
import { maskedCpf } from "../envelopes/personal-numbers.ts";
import type { KnownDigest, Verdict } from "./validate-digest.ts";

/** A signature, and what is known of its certificate. */
export interface JudgedSignature extends Omit<PdfSignature, "judged"> {
  readonly chain: "platform" | "icp_brasil" | "unknown";
  readonly revocation: "good" | "revoked" | "not_checked";
  readonly revokedAt: Date | null;
}

/** Time stamps of a document: whoever made one is no signer. */
const STAMPS: readonly (string | null)[] = ["ETSI.RFC3161", "PBAD.DocTimeStamp"];

/**
 * What holds of a file. What was not looked at makes it unknown. What an update behind a signature changed is not compared, so each signature must cover
 * the whole file, or be one that was made here: whoever gives a file to be sealed may have changed it after others had signed it.
 * @param ofDigest the verdict of the digest
 * @param signers SHA-256 of the certificates with which participants signed the file, by the records of its envelope
 */
export function verdictOfFile(
  signatures: readonly JudgedSignature[],
  known: KnownDigest["known"],
  ofDigest: Verdict,
  signers: ReadonlySet<string>,
): Verdict {
  if (ofDigest === "invalid" || signatures.some(isWrong)) return "invalid";
  if (signatures.length === 0) return ofDigest;
  if (!signatures.every(isSound)) return "unknown";
  const isFinal = ofDigest === "valid" && known.some((each) => each.as === "final");
  const isVouched = ({ coversWholeFile, signer }: JudgedSignature) =>
    coversWholeFile || (isFinal && signer !== null && signers.has(signer.sha256));
  return signatures.every(isVouched) ? "valid" : "unknown";
}

const isWrong = (signature: JudgedSignature): boolean =>
  signature.integrity === "invalid" ||
  signature.timestamp === "invalid" ||
  (signature.revocation === "revoked" && !isOlderThanRevocation(signature));

/** A time stamp proves it. What the signer claims proves nothing. */
const isOlderThanRevocation = ({ timestamp, signedAt, revokedAt }: JudgedSignature): boolean =>
  timestamp === "valid" && signedAt !== null && revokedAt !== null && signedAt < revokedAt;

function isSound({ format, integrity, timestamp, chain, revocation }: JudgedSignature): boolean {
  if (integrity !== "valid") return false;
  if (STAMPS.includes(format)) return timestamp === "valid";
  const isKnown = chain === "platform" || (chain === "icp_brasil" && revocation === "good");
  return isKnown && (timestamp === "none" || timestamp === "valid");
}

/** A signature as answers have it. */
export const shownSignature = (signature: JudgedSignature) => ({
  signer: {
    name: signature.signer?.name ?? null,
    cpf: signature.signer?.cpf == null ? null : maskedCpf(signature.signer.cpf),
    issuer: signature.signer?.issuer ?? null,
    serial: signature.signer?.serial ?? null,
  },
  signed_at: signature.signedAt?.toISOString() ?? null,
  format: signature.format ?? "unknown",
  integrity: signature.integrity,
  covers_whole_file: signature.coversWholeFile,
  chain: signature.chain,
  revocation: signature.revocation,
  timestamp: signature.timestamp,
});
