import { base64Encoded } from "../../verifier/base64.ts";
import { member, type PlatformKey, parseJson, readKeys } from "../../verifier/keys.ts";
import { keep, recall } from "../shell/storage.ts";

const STORED = "selo.keys";

/** Keys that the visitor pinned in this browser. */
export interface PinnedKeys {
  readonly keys: readonly PlatformKey[];
  readonly pinnedAt: Date;
}

export function pinnedKeys(): PinnedKeys | null {
  const text = recall(STORED);
  if (text === null) return null;
  try {
    const pinnedAt = new Date(String(member(parseJson(text), "pinned_at")));
    return Number.isNaN(pinnedAt.getTime()) ? null : { keys: readKeys(text), pinnedAt };
  } catch {
    return null;
  }
}

/** Null if this browser keeps nothing for pages. */
export function pinKeys(keys: readonly PlatformKey[], pinnedAt: Date): PinnedKeys | null {
  const text = JSON.stringify({
    pinned_at: pinnedAt.toISOString(),
    platform_keys: keys.map(({ keyId, algorithm, publicKey, environment }) => ({
      key_id: keyId,
      algorithm,
      public_key: base64Encoded(publicKey),
      environment,
    })),
  });
  return keep(STORED, text) ? { keys, pinnedAt } : null;
}

export function forgetKeys(): void {
  keep(STORED, null);
}
