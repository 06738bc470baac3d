/**
 * Lets a program whose reader went away (`… | head`) finish its work, with its own exit code and without a stack trace. Its
 * further output is dropped.
 */
export function endQuietlyWithReader(stream: NodeJS.WriteStream): void {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}
