import { z } from "zod";
import type { Root } from "./read-roots.ts";
import { MOST_CERTIFICATES, MOST_CHAIN_BYTES, REFUSALS, type Refusal } from "./refusals.ts";
import { CertificateUnjudged, type ChildOptions, runChild } from "./run-child.ts";

export interface CertificateToJudge {
  /** DER: the signer's certificate, and then those above it in any order. The root may be left out. */
  readonly chain: readonly Buffer[];
  readonly roots: readonly Root[];
  /** When the certificates must be valid. */
  readonly at: Date;
  /** The CPF that the certificate must name: eleven digits; null for any or none. */
  readonly cpf: string | null;
}

export interface Refused {
  readonly refused: Refusal;
  /** For the person who gave the certificate. */
  readonly message: string;
}

/** Where to ask whether a certificate was revoked. */
export interface RevocationPlan {
  /** Addresses (http, https) of OCSP responders and of CRLs, as the certificate has them. */
  readonly ocsp: readonly string[];
  readonly crl: readonly string[];
  /** The question to a responder, DER. */
  readonly request: Buffer;
}

/** What an accepted certificate says. Whether it was revoked, `checkRevocation` finds out. */
export interface Judged {
  /** DER: the signer's certificate, those above it, the root. */
  readonly path: readonly Buffer[];
  /** The common name, without the number that ICP-Brasil puts behind it. */
  readonly name: string;
  /** In the certificate of a legal entity, the name of the person who answers for it. */
  readonly responsible: string | null;
  /** Eleven digits: of the person, or of the one who answers for the legal entity. */
  readonly cpf: string | null;
  readonly cnpj: string | null;
  /** On one line, in the certificate's order: `C=BR, O=ICP-Brasil, …`. */
  readonly issuer: string;
  /** The issuer's common name. */
  readonly issuerName: string;
  /** The serial number, hexadecimal in capital letters. */
  readonly serial: string;
  /** SHA-256 of the certificate's DER, hexadecimal in small letters. */
  readonly sha256: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly key: "rsa" | "ec";
  readonly bits: number;
  /** Of each certificate of the path but the root. */
  readonly revocation: readonly RevocationPlan[];
}

const time = z.iso.datetime().transform((text) => new Date(text));
const bytes = z.base64().transform((text) => Buffer.from(text, "base64"));
const addresses = z.array(z.string().regex(/^https?:/i)).max(3);
/** The shape of what the judge says. */
export const answersOfJudge = z.union([
  z.strictObject({ refused: z.enum(REFUSALS), message: z.string().max(500) }),
  z.strictObject({
    judged: z.strictObject({
      path: z.array(z.int().min(0)).min(2).max(MOST_CERTIFICATES),
      name: z.string(),
      responsible: z.string().nullable(),
      cpf: z
        .string()
        .regex(/^\d{11}$/)
        .nullable(),
      cnpj: z.string().length(14).nullable(),
      issuer: z.string(),
      issuer_name: z.string(),
      serial: z.string().regex(/^[0-9A-F]+$/),
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
      not_before: time,
      not_after: time,
      key: z.enum(["rsa", "ec"]),
      bits: z.int(),
      revocation: z.array(z.strictObject({ ocsp: addresses, crl: addresses, request: bytes })).min(1),
    }),
  }),
]);

/**
 * Judges a signer's certificate: README.md of this folder. A confined process reads it.
 * @throws CertificateUnjudged; the signal's reason
 */
export async function judgeCertificate(
  { chain, roots, at, cpf }: CertificateToJudge,
  options: ChildOptions = {},
): Promise<Judged | Refused> {
  if (chain.length > MOST_CERTIFICATES) return refused(`The chain has more than ${MOST_CERTIFICATES} certificates.`);
  if (chain.reduce((sum, { length }) => sum + length, 0) > MOST_CHAIN_BYTES)
    return refused(`The chain has more than ${MOST_CHAIN_BYTES / 1024} KiB.`);
  const authorities = roots.map(({ certificate, subject, isRoot }) => ({
    certificate: certificate.toString("base64"),
    subject: subject.toString("base64"),
    isRoot,
  }));
  const given = { chain: chain.map((der) => der.toString("base64")), authorities, at: at.toISOString(), cpf };
  const result = await runChild({ task: "judge", ...given }, Buffer.alloc(0), options);
  if (result === null) return refused("Reading the chain takes too much time or memory.");
  const answer = answersOfJudge.safeParse(result.answer);
  if (!answer.success) throw new CertificateUnjudged("the judge of certificates gave an answer of another shape");
  return judgedOf(answer.data, chain, roots);
}

/**
 * What the judge said of a chain, with the certificates of the path.
 * @throws CertificateUnjudged for a path that is none of these certificates
 */
export function judgedOf(
  answer: z.output<typeof answersOfJudge>,
  chain: readonly Buffer[],
  roots: readonly Root[],
): Judged | Refused {
  if ("refused" in answer) return answer;
  const { path, issuer_name, not_before, not_after, ...said } = answer.judged;
  return {
    ...said,
    path: certificatesAt(path, chain, roots),
    issuerName: issuer_name,
    notBefore: not_before,
    notAfter: not_after,
  };
}

/** A program that was taken over could name any places: they must be ours, from the signer's certificate to a root. */
function certificatesAt(places: readonly number[], chain: readonly Buffer[], roots: readonly Root[]): Buffer[] {
  const found = places.flatMap((place) => chain[place] ?? roots[place - chain.length]?.certificate ?? []);
  const last = roots[(places.at(-1) ?? 0) - chain.length];
  if (places[0] !== 0 || found.length !== places.length || !last?.isRoot)
    throw new CertificateUnjudged("the judge of certificates gave a path of another shape");
  return found;
}

const refused = (message: string): Refused => ({ refused: "chain", message });
