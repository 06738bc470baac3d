import { makeDnssecKey } from "../../../adapters/crypto/dnssec-key.ts";
import type { MasterKeyring } from "../../../adapters/crypto/master-keyring.ts";

/** A key as the commands take it that give it to a zone. */
interface KeyForZone {
  readonly key_tag: number;
  readonly dnskey: string;
  readonly ds_records: readonly string[];
  /** Sealed, in base64. */
  readonly sealed_private_key: string;
  /** In the clear, for PowerDNS. */
  readonly private_key: string;
}

/** The purpose that the private key of a zone is encrypted for. */
export const dnssecKeyPurpose = (zoneId: number, keyTag: number): string => `dnssec-key:${zoneId}:${keyTag}`;

/** Makes a key for a zone, and encrypts it in the form that the database keeps. */
export function makeKeyForZone(
  masterKeys: MasterKeyring,
  zone: { readonly id: number; readonly name: string; readonly key_tags: readonly number[] },
): KeyForZone {
  const { keyTag, dnskey, dsRecords, privateKey } = makeDnssecKey(zone.name, zone.key_tags);
  const sealed = masterKeys.seal(Buffer.from(privateKey, "utf8"), dnssecKeyPurpose(zone.id, keyTag));
  return {
    key_tag: keyTag,
    dnskey,
    ds_records: dsRecords,
    sealed_private_key: sealed.toString("base64"),
    private_key: privateKey,
  };
}

/** @throws SecretError if no known master key decrypts it */
export function openPrivateKey(
  masterKeys: MasterKeyring,
  key: { readonly zone_id: number; readonly key_tag: number; readonly sealed_private_key: Uint8Array },
): string {
  return masterKeys.open(key.sealed_private_key, dnssecKeyPurpose(key.zone_id, key.key_tag)).toString("utf8");
}
