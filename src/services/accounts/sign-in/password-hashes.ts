import { argon2, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { FairSlots, SlotsBusyError } from "../../../adapters/fair-slots.ts";
import { unavailable } from "../../../errors/app-error.ts";

const hashed = promisify(argon2);

/** What Argon2id needs beside the password, as SQL says it. */
export interface HashParameters {
  /** Hexadecimal. */
  readonly salt: string;
  /** KiB. */
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

const TAG_BYTES = 32;

/** A hash takes some 50 ms of a core, and some 19 MiB. */
const AT_ONCE = 2;
const MOST_WAITING = 50;
/** Of one network address: the others keep places. */
const MOST_OF_ADDRESS = 10;

/** Hashes passwords, a few at a time, so that sign-ins leave the processor to other requests. */
export class PasswordHashes {
  readonly #slots = new FairSlots(AT_ONCE, {
    perGroup: AT_ONCE,
    mostOfGroup: MOST_OF_ADDRESS,
    most: AT_ONCE + MOST_WAITING,
  });

  /**
   * The tag that Argon2id (RFC 9106) makes of a password, in hexadecimal. SQL compares it, and keeps its SHA-256 alone.
   * @param group the network address of the caller: addresses take turns
   * @throws AppError 503 unavailable if too many wait, together or of this address
   */
  async tagOf(password: string, parameters: HashParameters, group: string): Promise<string> {
    try {
      return await this.#slots.run(group, () => passwordTag(password, parameters));
    } catch (error) {
      throw error instanceof SlotsBusyError ? unavailable(error) : error;
    }
  }
}

const SALT_BYTES = 16;

/** A salt for a new password, in hexadecimal. */
export const newSalt = (): string => randomBytes(SALT_BYTES).toString("hex");

/** The same at once, for the command line. */
export async function passwordTag(
  password: string,
  { salt, memory, passes, parallelism }: HashParameters,
): Promise<string> {
  const tag = await hashed("argon2id", {
    // Keyboards write one letter in several ways.
    message: password.normalize("NFC"),
    nonce: Buffer.from(salt, "hex"),
    memory,
    passes,
    parallelism,
    tagLength: TAG_BYTES,
  });
  return tag.toString("hex");
}
