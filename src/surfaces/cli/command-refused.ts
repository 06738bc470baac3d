/** An error whose words are for whoever typed the command, without a stack. */
export class CommandRefused extends Error {
  override readonly name: string = "CommandRefused";
}
