import type { MasterKeyring } from "../../../src/adapters/crypto/master-keyring.ts";

/** The purpose that a note's words are encrypted for. */
export const wordsPurpose = (noteId: string) => `note-words:${noteId}`;

/** Encrypts words in the form that the database keeps, in base64. */
export function sealWords(masterKeys: MasterKeyring, noteId: string, words: string): string {
  return masterKeys.seal(Buffer.from(words, "utf8"), wordsPurpose(noteId)).toString("base64");
}

/** @throws SecretError if no known master key decrypts the words */
export function openWords(masterKeys: MasterKeyring, noteId: string, sealed: string): string {
  return masterKeys.open(Buffer.from(sealed, "base64"), wordsPurpose(noteId)).toString("utf8");
}
