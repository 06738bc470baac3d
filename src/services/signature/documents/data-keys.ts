import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { MasterKeyring } from "../../../adapters/crypto/master-keyring.ts";
import { unauthenticated } from "../../../errors/app-error.ts";
import type { Database } from "../../../postgres/database.ts";
import type { Environment, Jobs } from "../../../postgres/jobs.ts";
import type { Requester } from "../../../surfaces/operation.ts";
import { DATA_KEY_BYTES, DataKey } from "./data-key.ts";

/** The caller whose data key is wanted. */
type KeyCaller = Pick<Requester, "credentialHash" | "origin">;

/** The purpose that a data key is encrypted for: a sealed key in the row of another organization or environment does not decrypt. */
export const dataKeyPurpose = (tenantId: string, environment: string) => `data-key:${tenantId}:${environment}`;

const kept = z.object({ sealed_key: z.base64() });
const found = z.object({
  tenant_id: z.uuid(),
  environment: z.enum(["live", "test"]),
  sealed_key: z.base64().nullable(),
});
type Found = z.output<typeof found>;

/** Credentials whose keys are remembered. */
const MOST_REMEMBERED = 1000;

/**
 * The data keys of organizations, one for each environment. A key is made when an organization first needs one, and never replaced: a rotation of
 * the master key encrypts it anew and leaves it as it is. So an opened key stays valid.
 */
export class DataKeys {
  readonly #masterKeys: MasterKeyring;
  readonly #ofCallers = new Map<string, Promise<DataKey>>();

  constructor(masterKeys: MasterKeyring) {
    this.#masterKeys = masterKeys;
  }

  /**
   * The data key of the caller's organization and environment. The first call makes the key. Callers check the scope first:
   * this method checks no right.
   * @throws AppError 401 unauthenticated
   * @throws SecretError if no known master key decrypts the key
   */
  ofCaller(database: Database, caller: KeyCaller): Promise<DataKey> {
    if (caller.credentialHash === null) throw unauthenticated();
    // A credential belongs to one organization and environment for good.
    const name = caller.credentialHash.toString("base64");
    const known = this.#ofCallers.get(name);
    if (known !== undefined) return known;
    const key = this.#findOrMake(database, caller);
    this.#ofCallers.set(name, key);
    // The next caller tries again.
    key.catch(() => this.#ofCallers.delete(name));
    const [oldest] = this.#ofCallers.keys();
    if (this.#ofCallers.size > MOST_REMEMBERED && oldest !== undefined) this.#ofCallers.delete(oldest);
    return key;
  }

  /**
   * The data key of an organization and environment, for a job.
   * @returns null before the first key is made: nothing is encrypted then
   */
  async ofEnvironment(jobs: Jobs, environment: Environment): Promise<DataKey | null> {
    const answer = await jobs.call(environment, "read_data_key");
    if (answer === null) return null;
    return this.open(environment, Buffer.from(kept.parse(answer).sealed_key, "base64"));
  }

  /** The data key for a job that encrypts or derives. The first call makes the key. */
  async ofEnvironmentOrNew(jobs: Jobs, environment: Environment): Promise<DataKey> {
    const there = await this.ofEnvironment(jobs, environment);
    if (there !== null) return there;
    const sealed_key = this.#drawn(environment).toString("base64");
    const answer = await jobs.call(environment, "keep_data_key", { sealed_key });
    return this.open(environment, Buffer.from(kept.parse(answer).sealed_key, "base64"));
  }

  /** Opens the key as a row has it. @throws SecretError if no known master key decrypts it for this organization and environment */
  open({ tenantId, environment }: Environment, sealedKey: Uint8Array): DataKey {
    return new DataKey(this.#masterKeys.open(sealedKey, dataKeyPurpose(tenantId, environment)), tenantId);
  }

  async #findOrMake(database: Database, { credentialHash, origin }: KeyCaller): Promise<DataKey> {
    const ask = { credentialHash, origin };
    const read = await database.read({ ...ask, command: "read_data_key", arguments: {} });
    let there: Found = found.parse(JSON.parse(read.body ?? "null"));
    if (there.sealed_key === null) {
      const sealed = this.#drawn({ tenantId: there.tenant_id, environment: there.environment });
      const parameters = { sealed_key: sealed.toString("base64") };
      const made = await database.call({ ...ask, command: "keep_data_key", arguments: parameters });
      there = found.parse(JSON.parse(made.body ?? "null"));
    }
    const environment = { tenantId: there.tenant_id, environment: there.environment };
    return this.open(environment, Buffer.from(there.sealed_key ?? "", "base64"));
  }

  /** A new key, encrypted under the master key. */
  #drawn({ tenantId, environment }: Environment): Buffer {
    // Drawn here and not injected: a repeated key would open another organization's data.
    return this.#masterKeys.seal(randomBytes(DATA_KEY_BYTES), dataKeyPurpose(tenantId, environment));
  }
}
