/** What the private key of an issuer's certificate is encrypted for. */
export const issuerKeyPurpose = (issuerId: string): string => `invoicing issuer key ${issuerId}`;
