import type { Refusal } from "../../pkcs12/refused.ts";

/** The least size of an RSA key: DOC-ICP-01.01 of ICP-Brasil wants 2048 bits of holders' keys. */
export const LEAST_KEY_BITS = 2048;

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
