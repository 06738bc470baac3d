import { createHash, type Hash } from "node:crypto";
import type { SignedBytes } from "./find-signatures.ts";

/**
 * The digests of what signatures sign. Each later signature signs all that an earlier one signed and more, so what they have in common is hashed once
 * where they are asked for in the order of their ends.
 */
export class RangeDigests {
  readonly #file: Buffer;
  readonly #begun = new Map<string, { readonly hash: Hash; at: number }>();

  constructor(file: Buffer) {
    this.#file = file;
  }

  of({ start, resume, end }: SignedBytes, algorithm: string): Buffer {
    let begun = this.#begun.get(algorithm);
    if (begun === undefined || begun.at > start) {
      begun = { hash: createHash(algorithm), at: 0 };
      this.#begun.set(algorithm, begun);
    }
    begun.hash.update(this.#file.subarray(begun.at, start));
    begun.at = start;
    return begun.hash.copy().update(this.#file.subarray(resume, end)).digest();
  }
}
