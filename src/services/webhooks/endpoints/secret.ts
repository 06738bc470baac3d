import { randomBytes } from "node:crypto";
import type { MasterKeyring } from "../../../adapters/crypto/master-keyring.ts";

/** The purpose that an endpoint's secrets, the present and the previous, are encrypted for. */
export function webhookSecretPurpose(endpointId: string): string {
  return `webhook-secret:${endpointId}`;
}

/** A new signing secret: `whsec_` and 32 random bytes in base64url. The UTF-8 bytes of this whole text are the HMAC's key. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString("base64url")}`;
}

/** Encrypts a secret in the form that the database keeps, in base64. */
export function sealWebhookSecret(masterKeys: MasterKeyring, endpointId: string, secret: string): string {
  return masterKeys.seal(Buffer.from(secret, "utf8"), webhookSecretPurpose(endpointId)).toString("base64");
}

/** @throws SecretError if no known master key decrypts the secret */
export function openWebhookSecret(masterKeys: MasterKeyring, endpointId: string, sealed: Uint8Array): string {
  return masterKeys.open(sealed, webhookSecretPurpose(endpointId)).toString("utf8");
}
