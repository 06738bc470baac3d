import { argon2Sync, randomBytes } from "node:crypto";

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
const SALT_BYTES = 16;

/** A salt for a new password, in hexadecimal. */
export const newSalt = (): string => randomBytes(SALT_BYTES).toString("hex");

/** The tag that Argon2id (RFC 9106) makes of a password, in hexadecimal. Takes some 50 ms of a core. */
export function passwordTag(password: string, { salt, memory, passes, parallelism }: HashParameters): string {
  const tag = argon2Sync("argon2id", {
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
