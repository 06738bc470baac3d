/** A mismatch between the source and a database. The message names the file and says what to do. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}
