import { randomBytes } from "node:crypto";
import type { MasterKeyring } from "../../adapters/crypto/master-keyring.ts";

/** What the secrets of an endpoint, the present and the previous one, are sealed for. */
export function webhookSecretPurpose(endpointId: string): string {
  return `webhook-secret:${endpointId}`;
}

/** A new signing secret: `whsec_` and 32 random bytes in base64url. The HMAC's key are the UTF-8 bytes of this whole text. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString("base64url")}`;
}

/** Seals a secret, as the database keeps it, in base64. */
export function sealWebhookSecret(masterKeys: MasterKeyring, endpointId: string, secret: string): string {
  return masterKeys.seal(Buffer.from(secret, "utf8"), webhookSecretPurpose(endpointId)).toString("base64");
}

/** @throws SecretError when none of our master keys opens it */
export function openWebhookSecret(masterKeys: MasterKeyring, endpointId: string, sealed: Uint8Array): string {
  return masterKeys.open(sealed, webhookSecretPurpose(endpointId)).toString("utf8");
}
