/** Why a PKCS#12 file is refused. `too_large`, `too_slow` and `too_much_memory` say who runs the reader. */
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

/** Most iterations of one key derivation. Programs that write such files take from 1 (macOS) to 600,000 (PKI.js). */
export const MOST_ITERATIONS = 1_000_000;

/** The file cannot be used. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly reason: Refusal;

  constructor(reason: Refusal) {
    super(reason);
    this.reason = reason;
  }
}
