import type { MasterKeyring } from "../../../adapters/crypto/master-keyring.ts";

/** What the private key of an issuer's certificate is encrypted for. */
export const issuerKeyPurpose = (issuerId: string): string => `invoice-issuer-key:${issuerId}`;

/** Encrypts a private key (PEM) in the form that the database keeps, in base64. */
export const sealIssuerKey = (masterKeys: MasterKeyring, issuerId: string, key: string): string =>
  masterKeys.seal(Buffer.from(key, "utf8"), issuerKeyPurpose(issuerId)).toString("base64");

/** @throws SecretError if no known master key decrypts the key */
export const openIssuerKey = (masterKeys: MasterKeyring, issuerId: string, sealed: Uint8Array): string =>
  masterKeys.open(sealed, issuerKeyPurpose(issuerId)).toString("utf8");
