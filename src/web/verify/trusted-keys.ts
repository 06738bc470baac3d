import { base64Encoded } from "../../verifier/base64.ts";
import { member, type PlatformKey, parseJson, readKeys } from "../../verifier/keys.ts";
import { keep, recall } from "../shell/storage.ts";

const STORED = "selo.keys";

/** Keys that this browser remembers for the visitor. */
export interface RememberedKeys {
  readonly keys: readonly PlatformKey[];
  readonly since: Date;
}

export function rememberedKeys(): RememberedKeys | null {
  const text = recall(STORED);
  if (text === null) return null;
  try {
    const since = new Date(String(member(parseJson(text), "pinned_at")));
    if (Number.isNaN(since.getTime())) return null;
    // Keys that were remembered without their dates are no younger than the day.
    const keys = readKeys(text).map((key) => ({ ...key, createdAt: key.createdAt ?? since.toISOString() }));
    return { keys, since };
  } catch {
    return null;
  }
}

/** Null if this browser keeps nothing for pages. */
export function rememberKeys(keys: readonly PlatformKey[], since: Date): RememberedKeys | null {
  const text = JSON.stringify({
    pinned_at: since.toISOString(),
    platform_keys: keys.map(({ keyId, algorithm, publicKey, environment, createdAt }) => ({
      key_id: keyId,
      algorithm,
      public_key: base64Encoded(publicKey),
      environment,
      created_at: createdAt,
    })),
  });
  return keep(STORED, text) ? { keys, since } : null;
}

export function forgetKeys(): void {
  keep(STORED, null);
}
