/** A program that runs beside us cannot be used. The message is written for the person at the terminal and needs no stack trace. */
export class ProgramError extends Error {
  override readonly name: string = "ProgramError";
}

/** Node's code of a system error ('ENOENT', …), or undefined. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
