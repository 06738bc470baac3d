import type { Database } from "../../postgres/database.ts";

/** Most credentials of one statement. A look-up takes an index and some microseconds, so a statement of so many takes some tens of milliseconds. */
const MOST_TOGETHER = 1000;

interface Waiting {
  readonly credentialHash: Buffer;
  readonly resolve: (isKnown: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Looks up credentials from addresses that have sent too many wrong ones. All look-ups of a gateway share one statement at a time, so however many
 * wrong credentials arrive, they occupy one connection, and a right credential among them waits for two statements at most while no more than
 * {@link MOST_TOGETHER} wait.
 */
export class KnownCredentials {
  readonly #database: Pick<Database, "knownCredentials">;
  readonly #waiting: Waiting[] = [];
  #isUnderWay = false;

  constructor(database: Pick<Database, "knownCredentials">) {
    this.#database = database;
  }

  /** Whether a credential is valid. Throws the errors of the statement. */
  has(credentialHash: Buffer): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ credentialHash, resolve, reject });
      if (!this.#isUnderWay) void this.#lookUpAll();
    });
  }

  async #lookUpAll(): Promise<void> {
    this.#isUnderWay = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MOST_TOGETHER);
      try {
        const found = await this.#database.knownCredentials(batch.map(({ credentialHash }) => credentialHash));
        const known = new Set(found.map((hash) => hash.toString("latin1")));
        for (const { credentialHash, resolve } of batch) resolve(known.has(credentialHash.toString("latin1")));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#isUnderWay = false;
  }
}
