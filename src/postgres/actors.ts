/** Actors remembered at once. */
const MOST_ACTORS = 100_000;

/**
 * Who acts with which credential, as far as this gateway has been told. Several credentials may be of one actor. What is
 * known is renewed with every count of requests, which comes at least once a minute. It says nothing about whether a credential is good: Postgres is asked that each time.
 */
export class Actors {
  readonly #known = new Map<string, string>();

  /** @param actor organization, environment, kind and id, as gateway.count_actor_requests says them */
  learn(credentialHash: Buffer, actor: string): void {
    const name = credentialHash.toString("latin1");
    if (this.#known.get(name) === actor) return;
    // The oldest goes first: a Map keeps the order of insertion.
    const [oldest] = this.#known.size >= MOST_ACTORS ? this.#known.keys() : [];
    if (oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(name, actor);
  }

  /** Postgres knows no such credential any more. */
  forget(credentialHash: Buffer): void {
    this.#known.delete(credentialHash.toString("latin1"));
  }

  /** Kind and id of the actor; undefined while it is not known. */
  actorOf(credentialHash: Buffer): string | undefined {
    return this.#known.get(credentialHash.toString("latin1"));
  }

  /** Whose turn it is: the actor's; while it is not known, its credential's; and everybody's who has none. */
  keyOf(credentialHash: Buffer | null): string {
    if (credentialHash === null) return "anyone";
    const name = credentialHash.toString("latin1");
    return this.#known.get(name) ?? name;
  }
}
