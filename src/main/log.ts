import pino, { type DestinationStream, type Logger } from "pino";

/** The product's logger: JSON lines without secrets or personal data; what routes and queries hold is never logged. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    // What @fastify/multipart logs at trace holds the headers. Of a failed statement only its code and message; pg also hangs its client, cancel key included, on errors.
    redact: {
      paths: ["req", "res", "busboyOptions", "err.detail", "err.where", "err.hint", "err.client", "err.fields"],
      remove: true,
    },
  };
  return destination ? pino(options, destination) : pino(options);
}
