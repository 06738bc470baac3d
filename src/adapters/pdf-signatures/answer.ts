import type { JudgeAnswer } from "../signer-certificate/messages.ts";

// What goes to the program of child/ and what comes back, as JSON. Bytes are base64, times are ISO 8601.

/** The program's order. The PDF follows behind it. */
export interface Order {
  /** Authorities of ICP-Brasil. */
  readonly authorities: readonly { readonly certificate: string; readonly subject: string; readonly isRoot: boolean }[];
  /** Roots of authorities that stamp times. */
  readonly stampRoots: readonly string[];
  readonly now: string;
}

/** `invalid`: it is not what somebody signed, or breaks a rule of its form. `not_checked`: of a form or with an algorithm that nobody looked at, or should rely on. */
export const INTEGRITIES = ["valid", "invalid", "not_checked"] as const;
export type Integrity = (typeof INTEGRITIES)[number];

/** `valid`: of a trusted authority. `not_checked`: sound, but nobody knows its authority. */
export const TIME_STAMPS = ["none", "valid", "invalid", "not_checked"] as const;
export type TimeStamp = (typeof TIME_STAMPS)[number];

/** Whom the signer's certificate names. */
export interface Signer {
  readonly name: string;
  /** Eleven digits. */
  readonly cpf: string | null;
  readonly issuer: string;
  readonly serial: string;
  /** SHA-256 of the certificate, hexadecimal in small letters. */
  readonly sha256: string;
}

/** A signature, as the program saw it. */
export interface SeenSignature {
  /** The SubFilter; null for one that is no name of the usual form. */
  readonly format: string | null;
  readonly integrity: Integrity;
  readonly covers_whole_file: boolean;
  /** Null where its certificate cannot be read, or is not there. */
  readonly signer: Signer | null;
  /** Of a valid time stamp, else what the signer claims. */
  readonly signed_at: string | null;
  readonly timestamp: TimeStamp;
  /** What the judge of ICP-Brasil says of the certificate; null where it was not asked. */
  readonly judged: JudgeAnswer | null;
  /** The certificates that the judge got, the signer's first. */
  readonly chain: readonly string[];
}

/** Why a PDF has no answer. */
export const REFUSALS = ["damaged", "encrypted", "too_many_signatures", "too_large"] as const;
export type Refusal = (typeof REFUSALS)[number];

export type Answer =
  | { readonly refused: Refusal }
  | {
      /** It begins as a PDF. */
      readonly is_pdf: boolean;
      /** In the order of the revisions that they sign. */
      readonly signatures: readonly SeenSignature[];
    };
