import { createHybridSigner, type HybridSigner, verifyHybrid } from "../../adapters/crypto/hybrid-signature.ts";
import { openSecret } from "../../adapters/crypto/sealed-secret.ts";
import type { StoredSigningKey } from "../../db/database.ts";
import { bothValid, type HybridPublicKeys, verifyHybridWithNoble } from "../../verifier/hybrid-signature.ts";

/** Both signatures over the same bytes. */
export interface Seal {
  readonly ed25519: Buffer;
  readonly mlDsa87: Buffer;
}

interface KeyPair {
  readonly signer: HybridSigner;
  readonly publicKeys: HybridPublicKeys;
}

/** Where the active keys are read from. */
interface SigningKeyStore {
  signingKeys(): Promise<StoredSigningKey[]>;
}

/** What a seed is sealed for: a sealed seed moved to another key's row does not open. */
export const seedPurpose = (keyId: string) => `platform-key:${keyId}`;

/** The platform's active key pairs, opened once and kept; a rotation is noticed when evidence names a key not seen before. */
export class PlatformSigners {
  readonly #store: SigningKeyStore;
  readonly #masterKey: Buffer;
  #pairs = new Map<string, KeyPair>();

  constructor(store: SigningKeyStore, masterKey: Buffer) {
    this.#store = store;
    this.#masterKey = masterKey;
  }

  /**
   * Signs with the pair that evidence names and verifies both signatures before anyone sees them: a fault while signing
   * would otherwise be published, and could even give the key away.
   */
  async seal(keyId: string, pqKeyId: string, message: Buffer): Promise<Seal> {
    const pair = await this.#pair(keyId, pqKeyId);
    const seal = await pair.signer.sign(message);
    if (!bothValid(await verifyHybrid(pair.publicKeys, message, seal)))
      throw new Error("a signature just made did not verify");
    return seal;
  }

  /**
   * Test-signs with every active pair and verifies each signature with both implementations.
   * @throws Error naming what is wrong: a missing pair, a seed that does not open, a signature that does not verify
   */
  async check(): Promise<void> {
    const pairs = await this.#load();
    if (pairs.size < 2) throw new Error("an environment lacks an active pair of platform keys");
    const message = Buffer.from("readiness");
    for (const [name, { signer, publicKeys }] of pairs) {
      const seal = await signer.sign(message);
      const verdicts = [
        await verifyHybrid(publicKeys, message, seal),
        await verifyHybridWithNoble(publicKeys, message, seal),
      ];
      if (!verdicts.every(bothValid)) throw new Error(`platform keys ${name} do not sign correctly`);
    }
  }

  async #pair(keyId: string, pqKeyId: string): Promise<KeyPair> {
    const name = pairName(keyId, pqKeyId);
    const pair = this.#pairs.get(name) ?? (await this.#load()).get(name);
    if (pair === undefined) throw new Error(`platform keys ${name} are not active`);
    return pair;
  }

  async #load(): Promise<Map<string, KeyPair>> {
    const keys = await this.#store.signingKeys();
    const pairs = new Map<string, KeyPair>();
    for (const environment of ["live", "test"]) {
      const ed25519 = keys.find((key) => key.environment === environment && key.algorithm === "Ed25519");
      const mlDsa87 = keys.find((key) => key.environment === environment && key.algorithm === "ML-DSA-87");
      if (ed25519 === undefined || mlDsa87 === undefined) continue;
      const name = pairName(ed25519.keyId, mlDsa87.keyId);
      pairs.set(name, this.#pairs.get(name) ?? this.#open(ed25519, mlDsa87));
    }
    this.#pairs = pairs;
    return pairs;
  }

  #open(ed25519: StoredSigningKey, mlDsa87: StoredSigningKey): KeyPair {
    const seedOf = (key: StoredSigningKey) => openSecret(this.#masterKey, key.sealedSeed, seedPurpose(key.keyId));
    const signer = createHybridSigner({ ed25519: seedOf(ed25519), mlDsa87: seedOf(mlDsa87) });
    // Verified against the published keys, not against what the seeds expand to.
    return { signer, publicKeys: { ed25519: ed25519.publicKey, mlDsa87: mlDsa87.publicKey } };
  }
}

const pairName = (keyId: string, pqKeyId: string) => `${keyId} + ${pqKeyId}`;
