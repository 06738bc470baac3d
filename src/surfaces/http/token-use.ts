import type { Database } from "../../postgres/database.ts";

/** Remembers the used credentials and writes them once a minute for all their actors: no request writes its own use. */
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

  /** Called after a request was answered, so only valid credentials are remembered. */
  seen(credentialHash: Buffer): void {
    this.#seen.set(credentialHash.toString("base64"), credentialHash);
  }

  /** Writes the uses since the last write. A failure loses only a minute of last-use times. */
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

  /** Writes one last time. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }
}
