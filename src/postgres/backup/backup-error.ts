/** The reason why a backup cannot be made, read or restored. The message says what to do. */
export class BackupError extends Error {
  override readonly name = "BackupError";
}
