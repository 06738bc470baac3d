/** A refusal. The command line prints its message without a stack trace. */
export class CommandRefused extends Error {
  override readonly name: string = "CommandRefused";
}
