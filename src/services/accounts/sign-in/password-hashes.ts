import { FairSlots, SlotsBusyError } from "../../../adapters/fair-slots.ts";
import { WorkThread } from "../../../adapters/threads/work-thread.ts";
import { unavailable } from "../../../errors/app-error.ts";
import type { HashParameters } from "./password-tag.ts";
import type { PasswordToHash, PasswordToScore } from "./password-thread.ts";

// The thread's file stands beside this file, in source and in the build.
const THREAD = new URL(import.meta.url.replace(/password-hashes(\.\w+)$/, "password-thread$1"));

/** A hash takes some 50 ms of a core, and some 19 MiB. */
const AT_ONCE = 2;
const MOST_WAITING = 50;
/** Of one network address: the others keep places. */
const MOST_OF_ADDRESS = 10;

/** Hashes passwords, a few at a time and in threads of low priority, so that sign-ins leave the processor to other requests. */
export class PasswordHashes {
  readonly #slots = new FairSlots(AT_ONCE, {
    perGroup: AT_ONCE,
    mostOfGroup: MOST_OF_ADDRESS,
    most: AT_ONCE + MOST_WAITING,
  });
  /** Each starts with its first order. */
  readonly #threads = Array.from({ length: AT_ONCE }, () => new WorkThread<PasswordToHash | PasswordToScore>(THREAD));
  /** Those without work. */
  readonly #idle = [...this.#threads];
  #isClosed = false;

  /**
   * The tag that Argon2id (RFC 9106) makes of a password, in hexadecimal. SQL compares it, and keeps its SHA-256 alone.
   * @param group the network address of the caller: addresses take turns
   * @throws AppError 503 unavailable if too many wait, together or of this address
   */
  tagOf(password: string, parameters: HashParameters, group: string): Promise<string> {
    return this.#inTurn({ password, parameters }, group);
  }

  /**
   * How hard a password is to guess, from 0 to 4. A password of 128 characters may take a hundred milliseconds.
   * @param known words that an attacker knows of the person
   * @param group the network address of the caller
   * @throws AppError 503 unavailable if too many wait, together or of this address
   */
  async scoreOf(password: string, known: readonly string[], group: string): Promise<number> {
    return Number(await this.#inTurn({ password, known }, group));
  }

  async #inTurn(order: PasswordToHash | PasswordToScore, group: string): Promise<string> {
    try {
      return await this.#slots.run(group, () => this.#run(order));
    } catch (error) {
      throw error instanceof SlotsBusyError ? unavailable(error) : error;
    }
  }

  async #run(order: PasswordToHash | PasswordToScore): Promise<string> {
    if (this.#isClosed) throw unavailable(new Error("passwords are hashed no more"));
    const thread = this.#idle.pop();
    if (thread === undefined) throw new Error("more passwords are hashed at once than there are threads");
    try {
      return (await thread.run(order)).toString();
    } finally {
      this.#idle.push(thread);
    }
  }

  /** Ends the threads, also in the middle of their work. What waits is refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const thread of this.#threads) await thread.close();
  }
}
