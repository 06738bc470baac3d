/** Why a PKCS#12 file is refused. The program of child/ gives all but `too_large`, `too_slow` and `too_much_memory`. */
export const REFUSALS = [
  "too_large",
  "malformed",
  "unsupported",
  "wrong_password",
  "too_many_iterations",
  "no_key",
  "no_certificate",
  "key_mismatch",
  "key_not_rsa",
  "key_too_short",
  "too_slow",
  "too_much_memory",
] as const;

export type Refusal = (typeof REFUSALS)[number];

/** The least size of an RSA key: DOC-ICP-01.01 of ICP-Brasil wants 2048 bits of holders' keys. */
export const LEAST_KEY_BITS = 2048;
/** Most iterations of one key derivation. Programs that write such files take from 1 (macOS) to 600,000 (PKI.js). */
export const MOST_ITERATIONS = 1_000_000;

/** What the program answers, as JSON. Times are ISO 8601. */
export type Answer =
  | { readonly refused: Refusal }
  | {
      readonly read: {
        readonly key: string;
        readonly certificate: string;
        readonly chain: readonly string[];
        readonly subject: string;
        readonly issuer: string;
        readonly serial: string;
        readonly sha256: string;
        readonly not_before: string;
        readonly not_after: string;
        readonly cnpj: string | null;
        readonly key_bits: number;
      };
    };
