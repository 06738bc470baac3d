import { hash, randomBytes, randomUUID } from "node:crypto";
import type { MasterKeyring } from "../../../adapters/crypto/master-keyring.ts";

/** The purpose that the secret of a passkey is encrypted for. */
export const passkeyPurpose = (id: string): string => `passkey-secret:${id}`;

const SECRET_BYTES = 32;

/** A secret for a new passkey. Nobody is shown it: who opens it may say to SQL that a signature of the passkey was right. */
export function newPasskeySecret(masterKeys: MasterKeyring) {
  const id = randomUUID();
  const secret = randomBytes(SECRET_BYTES);
  return {
    id,
    sealed_secret: masterKeys.seal(secret, passkeyPurpose(id)).toString("base64"),
    secret_sha256: hash("sha256", secret, "hex"),
  };
}

/**
 * What proves to SQL that a signature of a passkey was right.
 * @throws SecretError if no known master key decrypts the secret
 */
export const passkeyProof = (
  masterKeys: MasterKeyring,
  { id, sealed_secret }: { readonly id: string; readonly sealed_secret: string },
): string => hash("sha256", masterKeys.open(Buffer.from(sealed_secret, "base64"), passkeyPurpose(id)), "hex");
