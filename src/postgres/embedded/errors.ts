import { ProgramError } from "../../adapters/programs/program-error.ts";

/** The embedded server cannot be used. The message is written for the person at the terminal and needs no stack trace. */
export class EmbeddedPostgresError extends ProgramError {
  override readonly name = "EmbeddedPostgresError";
}
