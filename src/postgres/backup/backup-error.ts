/** What keeps a backup from being made, read or restored; the message says what to do. */
export class BackupError extends Error {
  override readonly name = "BackupError";
}
