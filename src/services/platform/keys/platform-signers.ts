import { createHybridSigner, type HybridSigner, verifyHybrid } from "../../../adapters/crypto/hybrid-signature.ts";
import type { MasterKeyring } from "../../../adapters/crypto/master-keyring.ts";
import { SecretError } from "../../../adapters/crypto/sealed-secret.ts";
import { ConfigError } from "../../../config/config.ts";
import type { StoredSigningKey } from "../../../postgres/database.ts";
import type { Metrics } from "../../../surfaces/metrics/metrics.ts";
import { bothValid, type HybridPublicKeys, verifyHybridWithNoble } from "../../../verifier/hybrid-signature.ts";

/** Both signatures over the same bytes. */
export interface Seal {
  /** Environment of the keys that made the seal. */
  readonly environment: "live" | "test";
  readonly ed25519: Buffer;
  readonly mlDsa87: Buffer;
}

interface KeyPair {
  readonly environment: "live" | "test";
  readonly signer: HybridSigner;
  readonly publicKeys: HybridPublicKeys;
}

/** Reads the keys whose seals are accepted. */
interface SigningKeyStore {
  signingKeys(): Promise<StoredSigningKey[]>;
}

/** The purpose that a seed is encrypted for: a sealed seed in another key's row does not decrypt. */
export const seedPurpose = (keyId: string) => `platform-key:${keyId}`;

/**
 * The platform's key pairs. A pair is decrypted when evidence first names it, and then kept. After a rotation new evidence names
 * new keys, which are read then; evidence prepared before the rotation is still sealed with the pair it names.
 */
export class PlatformSigners {
  readonly #store: SigningKeyStore;
  readonly #masterKeys: MasterKeyring;
  readonly #metrics: Metrics | null;
  readonly #pairs = new Map<string, Promise<KeyPair>>();

  constructor(store: SigningKeyStore, masterKeys: MasterKeyring, metrics: Metrics | null = null) {
    this.#store = store;
    this.#masterKeys = masterKeys;
    this.#metrics = metrics;
  }

  /**
   * Signs with the pair that the evidence names, and verifies both signatures before anyone sees them. A signature made with a fault
   * would otherwise be published, and could even reveal the key.
   */
  async seal(keyId: string, pqKeyId: string, message: Buffer): Promise<Seal> {
    const { environment, signer, publicKeys } = await this.#pair(keyId, pqKeyId, () => this.#store.signingKeys());
    try {
      const seal = await signer.sign(message);
      if (!bothValid(await verifyHybrid(publicKeys, message, seal)))
        throw new Error("a signature just made did not verify");
      this.#metrics?.sealed(environment, "made");
      return { environment, ...seal };
    } catch (error) {
      this.#metrics?.sealed(environment, "failed");
      throw error;
    }
  }

  /**
   * Test-signs with every active pair and verifies each signature with both implementations.
   * @throws ConfigError for a master key that does not decrypt the keys. Error that names any other defect: a missing pair, a seed of another key, a signature that does not verify
   */
  async check(): Promise<void> {
    const message = Buffer.from("readiness");
    for (const { name, signer, publicKeys } of await this.#active().catch(refuseOtherMasterKey)) {
      const seal = await signer.sign(message);
      const verdicts = [
        await verifyHybrid(publicKeys, message, seal),
        await verifyHybridWithNoble(publicKeys, message, seal),
      ];
      if (!verdicts.every(bothValid)) throw new Error(`platform keys ${name} do not sign correctly`);
    }
  }

  /** The active pair of each environment. Forgets the pairs that no longer seal. */
  async #active(): Promise<(KeyPair & { readonly name: string })[]> {
    const keys = await this.#store.signingKeys();
    this.#forgetAllBut(keys);
    const pairs = ["live", "test"].map(async (environment) => {
      const active = keys.filter((key) => key.environment === environment && key.status === "active");
      const ed25519 = active.find((key) => key.algorithm === "Ed25519");
      const mlDsa87 = active.find((key) => key.algorithm === "ML-DSA-87");
      if (ed25519 === undefined || mlDsa87 === undefined)
        throw new Error("an environment lacks an active pair of platform keys");
      const pair = await this.#pair(ed25519.keyId, mlDsa87.keyId, async () => keys);
      return { ...pair, name: pairName(ed25519.keyId, mlDsa87.keyId) };
    });
    return Promise.all(pairs);
  }

  /** The first caller that asks for a pair reads the keys. Callers that come meanwhile wait for the same pair. */
  #pair(keyId: string, pqKeyId: string, keys: () => Promise<readonly StoredSigningKey[]>): Promise<KeyPair> {
    const name = pairName(keyId, pqKeyId);
    const known = this.#pairs.get(name);
    if (known !== undefined) return known;
    const pair = keys().then((stored) => this.#open(keyId, pqKeyId, stored));
    this.#pairs.set(name, pair);
    // The next caller tries again: the pair may be there then.
    pair.catch(() => this.#pairs.delete(name));
    return pair;
  }

  #open(keyId: string, pqKeyId: string, keys: readonly StoredSigningKey[]): KeyPair {
    const ed25519 = keys.find((key) => key.keyId === keyId && key.algorithm === "Ed25519");
    const mlDsa87 = keys.find((key) => key.keyId === pqKeyId && key.algorithm === "ML-DSA-87");
    if (ed25519 === undefined || mlDsa87 === undefined || ed25519.environment !== mlDsa87.environment)
      throw new Error(`platform keys ${pairName(keyId, pqKeyId)} seal no more`);
    const seedOf = (key: StoredSigningKey) => this.#masterKeys.open(key.sealedSeed, seedPurpose(key.keyId));
    const signer = createHybridSigner({ ed25519: seedOf(ed25519), mlDsa87: seedOf(mlDsa87) });
    // Verify against the published keys, not against keys derived from the seeds.
    return {
      environment: ed25519.environment,
      signer,
      publicKeys: { ed25519: ed25519.publicKey, mlDsa87: mlDsa87.publicKey },
    };
  }

  /** Drops private keys that no longer seal from memory. */
  #forgetAllBut(keys: readonly StoredSigningKey[]): void {
    const ids = new Set(keys.map(({ keyId }) => keyId));
    for (const name of this.#pairs.keys()) {
      if (!name.split(PAIRED).every((id) => ids.has(id))) this.#pairs.delete(name);
    }
  }
}

/** A master key that does not decrypt the platform's keys is a wrong setting. */
function refuseOtherMasterKey(error: unknown): never {
  if (error instanceof SecretError && error.reason === "other_master_key")
    throw new ConfigError(`SELO_MASTER_KEY: ${error.message}`, { cause: error });
  throw error;
}

const PAIRED = " + ";
const pairName = (keyId: string, pqKeyId: string) => `${keyId}${PAIRED}${pqKeyId}`;
