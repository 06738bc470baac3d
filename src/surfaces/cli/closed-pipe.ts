/**
 * Lets a program whose reader went away (`… | head`) finish what it does, with its own exit code and no stack; what it
 * still writes goes nowhere.
 */
export function endQuietlyWithReader(stream: NodeJS.WriteStream): void {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}
