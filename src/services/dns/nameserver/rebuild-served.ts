import type { MasterKeyring } from "../../../adapters/crypto/master-keyring.ts";
import { SecretError } from "../../../adapters/crypto/sealed-secret.ts";
import type { Queries } from "../../../postgres/jobs.ts";
import { openPrivateKey } from "../dnssec/dnssec-keys.ts";
import { listUnservedKeys, rebuildServed as rebuild } from "../store.ts";

/**
 * Makes schema pdns, which the nameservers read, again from the zones of all organizations. Private keys that the schema lacks are decrypted.
 * @param masterKeys asked only if private keys are missing; null if this deployment has none
 * @returns for people: a line for each key that did not open. Its zone is served without the key
 */
export async function rebuildServed(
  database: Queries,
  masterKeys: () => Promise<MasterKeyring | null>,
): Promise<readonly string[]> {
  const opened: Record<string, string> = {};
  const missing: string[] = [];
  const keys = await listUnservedKeys(database);
  const keyring = keys.length === 0 ? null : await masterKeys();
  for (const key of keys) {
    const privateKey = openedOrNull(keyring, key);
    if (privateKey === null)
      missing.push(
        `the zone ${key.zone_name} is served without its key ${key.id} (tag ${key.key_tag}): no configured master key decrypts it`,
      );
    else opened[key.id] = privateKey;
  }
  await rebuild(database, opened);
  return missing;
}

function openedOrNull(masterKeys: MasterKeyring | null, key: Parameters<typeof openPrivateKey>[1]): string | null {
  try {
    return masterKeys === null ? null : openPrivateKey(masterKeys, key);
  } catch (error) {
    if (error instanceof SecretError) return null;
    throw error;
  }
}
