/** The certificates with which participants signed, and what issuers said of their revocation. */
import type { PreparedReport } from "../envelopes/prepared-report.ts";
import type { DossierFile, UsedCertificates } from "./prepared-dossier.ts";

/** certificates.pem: each certificate once, in the order of the records. Null where nobody signed with one. */
export function certificatesFile(used: readonly UsedCertificates[]): string | null {
  const all = [...new Set(used.flatMap(({ path }) => path))];
  if (all.length === 0) return null;
  return all
    .map((der) => `-----BEGIN CERTIFICATE-----\n${der.replace(/.{64}(?=.)/g, "$&\n")}\n-----END CERTIFICATE-----\n`)
    .join("");
}

interface RevocationAnswer {
  readonly kind: "ocsp" | "crl";
  readonly size: number;
  readonly sha256: string;
}

/** The answers that the signed records name, each once. Those of a participant stand in one object, one after the other. */
export function revocationFiles(used: readonly UsedCertificates[], { records }: PreparedReport): DossierFile[] {
  const files = used.flatMap(({ participant_id, revocation_object_id: objectId }) => {
    const signed = records.find(({ record }) => record.participant_id === participant_id)?.signed;
    if (objectId === null || signed === undefined) return [];
    const { revocation } = JSON.parse(signed) as {
      readonly revocation: { readonly answers: readonly RevocationAnswer[] };
    };
    let from = 0;
    return revocation.answers.map(({ kind, size, sha256 }) => {
      const file = { name: `revocation/${sha256}.${kind}`, objectId, size, sha256, from };
      from += size;
      return file;
    });
  });
  return [...new Map(files.map((file) => [file.name, file])).values()];
}
