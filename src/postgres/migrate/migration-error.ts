/** What is wrong between the source and a database; the message says which file and what to do. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}
