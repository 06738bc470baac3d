/** A refusal: the command line prints its message and no stack. */
export class CommandRefused extends Error {
  override readonly name: string = "CommandRefused";
}
