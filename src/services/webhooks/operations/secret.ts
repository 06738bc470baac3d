import { randomBytes } from "node:crypto";
import type { MasterKeyring } from "../../../adapters/crypto/master-keyring.ts";

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

/** The secret is sealed for its endpoint, so the id is made here: a UUID of version 7 (RFC 9562 §5.7). */
export function newEndpointId(): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Date.now(), 0, 6);
  bytes.writeUInt8(((bytes[6] ?? 0) & 0x0f) | 0x70, 6);
  bytes.writeUInt8(((bytes[8] ?? 0) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
