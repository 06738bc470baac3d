import { createHmac, hash, randomBytes, randomInt, randomUUID } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { z } from "zod";
import type { MasterKeyring } from "../../../adapters/crypto/master-keyring.ts";

/** The purpose that the secret of an authenticator app is encrypted for. */
export const totpPurpose = (id: string): string => `totp-secret:${id}`;

/** As long as the output of its HMAC-SHA-1 (RFC 4226, 4). */
const SECRET_BYTES = 20;
const PERIOD_SECONDS = 30;

/** RFC 6238, with the values that every app knows. */
const totpOf = (secret: Buffer, label = "") =>
  new TOTP({
    issuer: "Selo",
    label,
    secret: new Secret({ buffer: new Uint8Array(secret).buffer }),
    algorithm: "SHA1",
    digits: 6,
    period: PERIOD_SECONDS,
  });

/** The secret of an authenticator app, drawn here and not injected: who foresees it has the second factor of another. */
export function newTotp(masterKeys: MasterKeyring) {
  const id = randomUUID();
  const secret = randomBytes(SECRET_BYTES);
  return {
    /** What SQL keeps. */
    kept: {
      id,
      sealed_secret: masterKeys.seal(secret, totpPurpose(id)).toString("base64"),
      secret_sha256: hash("sha256", secret, "hex"),
    },
    /** What the person gives to the app. */
    shown: (email: string) => {
      const totp = totpOf(secret, email);
      return { uri: totp.toString(), secret: totp.secret.base32 };
    },
  };
}

/** What SQL hands out of a factor, once the password was right. */
export const sealedFactor = z.object({ id: z.uuid(), sealed_secret: z.string() });

/** What proves to SQL that a code is right. Only who has the master key can make it. */
export type FactorProof =
  | { readonly proof: string; readonly step: number }
  | { readonly proof: string; readonly step: null };

/** An authenticator app, whose secret was decrypted. */
export class OpenedTotp {
  readonly #secret: Buffer;

  /** @throws SecretError if no known master key decrypts the secret */
  constructor(masterKeys: MasterKeyring, { id, sealed_secret }: z.output<typeof sealedFactor>) {
    this.#secret = masterKeys.open(Buffer.from(sealed_secret, "base64"), totpPurpose(id));
  }

  /**
   * What proves a code of the app, or a recovery code. A proof that SQL refuses for a code that is neither.
   * @param code as it was typed: spaces and dashes of any kind, small and capital letters do not matter
   * @param now milliseconds since 1970: a code of the present step of 30 seconds is right, and of the one before and after it
   */
  proofOf(code: string, now = Date.now()): FactorProof {
    const typed = code.replaceAll(/[\s\p{Pd}]/gu, "").toUpperCase();
    if (isRecoveryCode(typed)) return { proof: this.#recoveryProof(typed), step: null };
    const delta = /^\d{6}$/.test(typed)
      ? totpOf(this.#secret).validate({ token: typed, timestamp: now, window: 1 })
      : null;
    if (delta === null) return { proof: "", step: null };
    return { proof: hash("sha256", this.#secret, "hex"), step: Math.floor(now / 1000 / PERIOD_SECONDS) + delta };
  }

  /** New recovery codes, as they are shown, and what SQL keeps of them. */
  newRecoveryCodes(): { readonly shown: readonly string[]; readonly kept: readonly string[] } {
    const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
    return {
      shown: codes.map((code) => code.replaceAll(/(.{4})(?=.)/g, "$1-")),
      kept: codes.map((code) => this.#recoveryProof(code)),
    };
  }

  /** Under the secret: a copy of the database, even with the login of the gateway, is no help in guessing codes. */
  #recoveryProof(code: string): string {
    return createHmac("sha256", this.#secret).update(`recovery code ${code}`).digest("hex");
  }
}

const RECOVERY_CODES = 10;
const RECOVERY_LENGTH = 12;
/** 32 letters and digits, none of which looks like another: a code has 60 random bits. */
const RECOVERY_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

const newRecoveryCode = (): string =>
  Array.from({ length: RECOVERY_LENGTH }, () => RECOVERY_LETTERS[randomInt(RECOVERY_LETTERS.length)]).join("");

const isRecoveryCode = (typed: string): boolean =>
  typed.length === RECOVERY_LENGTH && [...typed].every((letter) => RECOVERY_LETTERS.includes(letter));
