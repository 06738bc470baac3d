import type { MasterKeyring } from "../../../src/adapters/crypto/master-keyring.ts";
import { openWebhookSecret } from "../../../src/services/webhooks/endpoints/secret.ts";

const MOST_ENDPOINTS = 10_000;
/** Secrets that an endpoint signs with at once: the present one and the previous one. */
const MOST_SECRETS = 2;

interface Opened {
  readonly sealed: Buffer;
  readonly secret: string;
}

/** Secrets of endpoints. Each is decrypted once, because a sealed secret never changes. */
export class Secrets {
  readonly #masterKeys: MasterKeyring;
  readonly #ofEndpoints = new Map<string, readonly Opened[]>();

  constructor(masterKeys: MasterKeyring) {
    this.#masterKeys = masterKeys;
  }

  /**
   * @returns the decrypted secret of an endpoint
   * @throws Error if the secret does not decrypt: it is encrypted for its endpoint, so another endpoint's secret does not
   */
  open(endpointId: string, sealed: Buffer): string {
    const known = this.#ofEndpoints.get(endpointId) ?? [];
    // Buffers are compared, because a text to find them by would have to be made for each attempt.
    const found = known.find((each) => each.sealed.equals(sealed));
    if (found !== undefined) return found.secret;
    const secret = openWebhookSecret(this.#masterKeys, endpointId, sealed);
    if (this.#ofEndpoints.size >= MOST_ENDPOINTS) this.#ofEndpoints.clear();
    this.#ofEndpoints.set(endpointId, [{ sealed, secret }, ...known].slice(0, MOST_SECRETS));
    return secret;
  }
}
