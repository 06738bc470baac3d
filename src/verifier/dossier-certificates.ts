import { base64Decoded } from "./base64.ts";
import { digestOf } from "./digests.ts";
import type { EnvelopeEvidence } from "./envelope-evidence.ts";
import { isObject } from "./envelope-form.ts";

/** What signed records say of the certificates that participants signed with. */
export interface NamedCertificates {
  /** SHA-256 of each certificate, in hexadecimal, each once. */
  readonly certificates: readonly string[];
  /** The answers of issuers: SHA-256 by the names of files. */
  readonly answers: ReadonlyMap<string, string>;
}

const SHA256 = /^[0-9a-f]{64}$/;
const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The certificates and answers that the records name, in their order. */
export function certificatesOf(records: EnvelopeEvidence["records"]): NamedCertificates {
  const certificates = new Set<string>();
  const answers = new Map<string, string>();
  for (const { evidence } of records ?? []) {
    const { certificate_path: path, revocation } = evidence.members;
    for (const digest of listed(path)) if (typeof digest === "string" && SHA256.test(digest)) certificates.add(digest);
    for (const answer of listed(isObject(revocation) ? revocation["answers"] : null)) {
      if (!isObject(answer)) continue;
      const { kind, sha256 } = answer;
      if ((kind === "ocsp" || kind === "crl") && typeof sha256 === "string" && SHA256.test(sha256))
        answers.set(`revocation/${sha256}.${kind}`, sha256);
    }
  }
  return { certificates: [...certificates], answers };
}

const PEM = /^(?:-----BEGIN CERTIFICATE-----\n[A-Za-z0-9+/=\n]+\n-----END CERTIFICATE-----\n)+$/;

/** Whether a file in PEM has exactly these certificates, in this order. */
export function hasCertificates(pem: string, digests: readonly string[]): boolean {
  if (!PEM.test(pem)) return false;
  const found = pem
    .split("-----END CERTIFICATE-----\n")
    .slice(0, -1)
    .map((block) => base64Decoded(block.replace("-----BEGIN CERTIFICATE-----\n", "").replaceAll("\n", "")));
  return (
    found.length === digests.length && found.every((der, place) => der !== null && digestOf(der) === digests[place])
  );
}
