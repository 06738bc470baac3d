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

/** A UUID of version 7 (RFC 9562 §5.7). It is made here because the secret is encrypted for the endpoint's id. */
export function newEndpointId(): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Date.now(), 0, 6);
  bytes.writeUInt8(((bytes[6] ?? 0) & 0x0f) | 0x70, 6);
  bytes.writeUInt8(((bytes[8] ?? 0) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
