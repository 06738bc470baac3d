import type { Refusal } from "./refusals.ts";

// What goes to the program of child/ and what comes back, as JSON. Bytes are base64, times are ISO 8601.

/** The program's order: to judge a chain, or to read one answer about one certificate. Bytes of that answer follow behind the order. */
export type Order =
  | {
      readonly task: "judge";
      readonly chain: readonly string[];
      /** Authorities of the operator's folder. */
      readonly authorities: readonly {
        readonly certificate: string;
        readonly subject: string;
        readonly isRoot: boolean;
      }[];
      readonly at: string;
      readonly cpf: string | null;
    }
  | {
      readonly task: "revocation";
      readonly kind: "ocsp" | "crl";
      readonly certificate: string;
      readonly issuer: string;
      readonly at: string;
    };

export type JudgeAnswer =
  | { readonly refused: Refusal; readonly message: string }
  | {
      readonly judged: {
        /** Places in `chain` followed by `authorities`. */
        readonly path: readonly number[];
        readonly name: string;
        readonly responsible: string | null;
        readonly cpf: string | null;
        readonly cnpj: string | null;
        readonly issuer: string;
        readonly issuer_name: string;
        readonly serial: string;
        readonly sha256: string;
        readonly not_before: string;
        readonly not_after: string;
        readonly key: "rsa" | "ec";
        readonly bits: number;
        readonly revocation: readonly {
          readonly ocsp: readonly string[];
          readonly crl: readonly string[];
          readonly request: string;
        }[];
      };
    };

/** What an OCSP answer or a CRL says of a certificate. */
export type Statement =
  | { readonly status: "unknown"; readonly problem: string }
  | {
      readonly status: "good" | "revoked";
      readonly revoked_at: string | null;
      readonly this_update: string;
      readonly next_update: string | null;
    };
