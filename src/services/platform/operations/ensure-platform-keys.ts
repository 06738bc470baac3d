import type { MasterKeyring } from "../../../adapters/crypto/master-keyring.ts";
import type { Operator } from "../../../postgres/operator/operator.ts";
import { makeKeyPair } from "./make-key-pair.ts";

/** Makes a pair of platform keys for each environment without one. If several processes try at once, one of them succeeds. */
export async function ensurePlatformKeys(operator: Operator, masterKeys: MasterKeyring): Promise<void> {
  const existing = await operator.keys.list();
  for (const environment of ["live", "test"] as const) {
    if (existing.some((key) => key.environment === environment && key.status === "active")) continue;
    await operator.keys.addPair(await makeKeyPair(environment, masterKeys));
  }
}
