import type { PdfSignature } from "../../../adapters/pdf-signatures/read-signatures.ts";
import type { Judged } from "../../../adapters/signer-certificate/judge-certificate.ts";
import type { CertificateJudge } from "../signing/certificate-judge.ts";
import type { JudgedSignature } from "./verdict-of-file.ts";

interface Place {
  readonly tenantId: string;
  readonly environment: "live" | "test";
  readonly now: Date;
}

const NOT_CHECKED = { revocation: "not_checked", revokedAt: null } as const;
type Revocation = Pick<JudgedSignature, "revocation" | "revokedAt">;

/**
 * Says of each signature whose certificate it has, and asks the issuers of ICP-Brasil whether it was revoked: each certificate once, all at the same time.
 * @param seals SHA-256 of the certificates that ever sealed in this environment
 */
export async function judgeSignatures(
  signatures: readonly PdfSignature[],
  seals: ReadonlySet<string>,
  place: Place,
  judge: Pick<CertificateJudge, "revocationOf">,
): Promise<JudgedSignature[]> {
  const asked = new Map<string, Promise<Revocation>>();
  const revocationOf = (judged: Judged): Promise<Revocation> => {
    const known = asked.get(judged.sha256) ?? askIssuer(judged, place, judge);
    asked.set(judged.sha256, known);
    return known;
  };
  return Promise.all(
    signatures.map(async ({ judged, ...signature }): Promise<JudgedSignature> => {
      // A certificate that a broken signature brings is not looked at further.
      if (signature.integrity !== "valid") return { ...signature, chain: "unknown", ...NOT_CHECKED };
      const isOurs = signature.signer !== null && seals.has(signature.signer.sha256);
      const isOfIcp = judged !== null && !("refused" in judged);
      // An operator may seal with a certificate of ICP-Brasil: its issuer is asked, too.
      const revocation = isOfIcp ? await revocationOf(judged) : NOT_CHECKED;
      return { ...signature, chain: isOurs ? "platform" : isOfIcp ? "icp_brasil" : "unknown", ...revocation };
    }),
  );
}

async function askIssuer(
  judged: Judged,
  { tenantId, environment, now }: Place,
  judge: Pick<CertificateJudge, "revocationOf">,
): Promise<Revocation> {
  // Issuers say nothing of a certificate that has ended: RFC 5280, 3.3.
  if (now > judged.notAfter) return NOT_CHECKED;
  const { status, revokedAt } = await judge.revocationOf(judged, { tenantId, environment, at: now });
  return { revocation: status === "unknown" ? "not_checked" : status, revokedAt };
}
