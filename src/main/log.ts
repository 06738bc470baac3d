import pino, { type DestinationStream, type Logger } from "pino";

/** The product's logger: JSON lines without secrets or personal data. Values in routes and queries are never logged. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    // @fastify/multipart logs headers at trace level. Only code and message of a failed statement are logged; pg also attaches its client, with the cancel key, to errors.
    redact: {
      paths: ["req", "res", "busboyOptions", "err.detail", "err.where", "err.hint", "err.client", "err.fields"],
      remove: true,
    },
  };
  return destination ? pino(options, destination) : pino(options);
}
