import type { MasterKeyring } from "../../../adapters/crypto/master-keyring.ts";

/** What the secret of a connector is encrypted for. */
export const connectorSecretPurpose = (connectorId: string): string => `connector-secret:${connectorId}`;

/** Encrypts a secret in the form that the database keeps, in base64. */
export const sealConnectorSecret = (masterKeys: MasterKeyring, connectorId: string, secret: string): string =>
  masterKeys.seal(Buffer.from(secret, "utf8"), connectorSecretPurpose(connectorId)).toString("base64");

/** @throws SecretError if no known master key decrypts the secret */
export const openConnectorSecret = (masterKeys: MasterKeyring, connectorId: string, sealed: Uint8Array): string =>
  masterKeys.open(sealed, connectorSecretPurpose(connectorId)).toString("utf8");
