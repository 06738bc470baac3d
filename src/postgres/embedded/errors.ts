/** The embedded server cannot be used. The message is written for the person at the terminal and needs no stack trace. */
export class EmbeddedPostgresError extends Error {
  override readonly name = "EmbeddedPostgresError";
}

/** Node's code of a system error ('ENOENT', …), or undefined. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
