import type { MasterKeyring } from "../../../src/adapters/crypto/master-keyring.ts";

/** What the words of a note are sealed for. */
export const wordsPurpose = (noteId: string) => `note-words:${noteId}`;

/** Seals words, as the database keeps them, in base64. */
export function sealWords(masterKeys: MasterKeyring, noteId: string, words: string): string {
  return masterKeys.seal(Buffer.from(words, "utf8"), wordsPurpose(noteId)).toString("base64");
}

/** @throws SecretError when none of our master keys opens them */
export function openWords(masterKeys: MasterKeyring, noteId: string, sealed: string): string {
  return masterKeys.open(Buffer.from(sealed, "base64"), wordsPurpose(noteId)).toString("utf8");
}
