import type { Database } from "../../postgres/database.ts";

/** Remembers which credentials were seen and writes that once a minute for all their actors: no request writes for itself. */
export class TokenUse {
  readonly #database: Database;
  readonly #onError: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  #seen = new Map<string, Buffer>();

  constructor(database: Database, onError: (error: unknown) => void, intervalMs = 60_000) {
    this.#database = database;
    this.#onError = onError;
    this.#timer = setInterval(() => void this.flush(), intervalMs).unref();
  }

  /** Of a request that was answered, so that only good credentials come here. */
  seen(credentialHash: Buffer): void {
    this.#seen.set(credentialHash.toString("base64"), credentialHash);
  }

  /** Writes what was seen since the last time; a failure loses a minute of last use, nothing more. */
  async flush(): Promise<void> {
    const hashes = [...this.#seen.values()];
    this.#seen = new Map();
    if (hashes.length === 0) return;
    try {
      await this.#database.recordActorUse(hashes);
    } catch (error) {
      this.#onError(error);
    }
  }

  /** Writes a last time. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }
}
