/** Most actors in memory. */
const MOST_ACTORS = 100_000;

/**
 * The actor of each credential, as far as this gateway knows it. Several credentials may belong to one actor. Every count of requests,
 * at least once a minute, renews the knowledge. It does not say whether a credential is valid: Postgres checks that each time.
 */
export class Actors {
  readonly #known = new Map<string, string>();

  /** @param actor organization, environment, kind and id, as gateway.count_actor_requests returns them */
  learn(credentialHash: Buffer, actor: string): void {
    const name = credentialHash.toString("latin1");
    if (this.#known.get(name) === actor) return;
    // Removes the oldest entry: a Map keeps the order of insertion.
    const [oldest] = this.#known.size >= MOST_ACTORS ? this.#known.keys() : [];
    if (oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(name, actor);
  }

  /** Called when Postgres no longer knows the credential. */
  forget(credentialHash: Buffer): void {
    this.#known.delete(credentialHash.toString("latin1"));
  }

  /** Kind and id of the actor; undefined while the actor is unknown. */
  actorOf(credentialHash: Buffer): string | undefined {
    return this.#known.get(credentialHash.toString("latin1"));
  }

  /** The key of the caller's turns: the actor; while the actor is unknown, the credential; one common key for callers without a credential. */
  keyOf(credentialHash: Buffer | null): string {
    if (credentialHash === null) return "anyone";
    const name = credentialHash.toString("latin1");
    return this.#known.get(name) ?? name;
  }
}
