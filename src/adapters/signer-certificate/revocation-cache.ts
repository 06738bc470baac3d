import { LRUCache } from "lru-cache";
import type { Statement } from "./messages.ts";

/** An answer that a certificate's issuer stands for, and what it says of certificates that were asked for. */
export interface KeptAnswer {
  readonly bytes: Buffer;
  readonly nextUpdate: Date;
  /** By the SHA-256 of the certificates. */
  readonly statements: Map<string, KnownStatement>;
}

export type KnownStatement = Exclude<Statement, { status: "unknown" }>;

/** Keeps answers until their next update. */
export interface RevocationCache {
  /** @returns the answer that is still good at this time */
  get(key: string, at: Date): KeptAnswer | undefined;
  set(key: string, answer: KeptAnswer): void;
}

const MOST_BYTES = 64 * 1024 * 1024;
/** Of a list that thousands of signers ask for. */
const MOST_STATEMENTS = 1_000;

/** A cache in memory, of 64 MiB of answers at most: those that were asked for longest ago go first. */
export function createRevocationCache(): RevocationCache {
  const answers = new LRUCache<string, KeptAnswer>({
    maxSize: MOST_BYTES,
    // A small answer takes more than its bytes.
    sizeCalculation: ({ bytes }) => bytes.length + 4_096,
  });
  return {
    get(key, at) {
      const found = answers.get(key);
      if (found === undefined || found.nextUpdate < at) return undefined;
      if (found.statements.size > MOST_STATEMENTS) found.statements.clear();
      return found;
    },
    set: (key, answer) => void answers.set(key, answer),
  };
}
