import path from "node:path";
import { ProgramError } from "../../adapters/programs/program-error.ts";
import { ConfigError } from "../../config/config.ts";
import { AppError } from "../../errors/app-error.ts";
import { BackupError } from "../../postgres/backup/backup-error.ts";
import { MigrationError } from "../../postgres/migrate/migration-error.ts";

import { CommandRefused } from "./command-refused.ts";

/** Errors whose message is meant for the person who typed the command. */
const SAID = [BackupError, ConfigError, MigrationError, CommandRefused];
const NETWORK_CALLS = ["connect", "getaddrinfo"];
/** Error codes of open connections; reading and writing are also system calls on files. */
const NETWORK_CODES = ["ECONNRESET", "EPIPE", "ETIMEDOUT"];

type SystemError = NodeJS.ErrnoException & { readonly port?: number };

/**
 * The message of an error for the person who typed the command: with the wrong members of a request, and with a stack trace only for our own faults.
 * @param dataDir returns the data folder; called only if a file could not be read or written
 */
export function failureMessage(error: unknown, dataDir: () => string): string {
  if (error instanceof AppError) return refusal(error);
  if (!(error instanceof Error)) return String(error);
  // In the form of commander's errors.
  if (error instanceof ProgramError) return `error: ${error.message}`;
  if (SAID.some((kind) => error instanceof kind)) return error.message;
  const { code, port, syscall, path: file } = error as SystemError;
  if (code === "EADDRINUSE") return `PORT: ${port} is in use; set another port`;
  // Messages of a server or of the system are put on one line.
  if (code !== undefined && "severity" in error) return seeAddresses(`Postgres: ${error.message}`);
  if (code !== undefined && (error instanceof AggregateError || isOfNetwork(code, syscall)))
    return seeAddresses(`connection: ${error.message || code}`);
  if (syscall !== undefined && file !== undefined)
    return `${isDataFolder(file, dataDir()) ? "SELO_DATA_DIR: " : ""}${error.message}`;
  return error.stack ?? error.message;
}

function refusal(error: AppError): string {
  const fields = (error.fields ?? []).map(({ field, message }) => `  ${field} ${message}`);
  const cause =
    error.code === "unavailable" && error.cause instanceof Error
      ? [`  ${error.cause.message || error.cause.name}`]
      : [];
  return [`${error.code}: ${error.message}`, ...fields, ...cause].join("\n");
}

function isOfNetwork(code: string, syscall = ""): boolean {
  return NETWORK_CALLS.includes(syscall) || NETWORK_CODES.includes(code);
}

function seeAddresses(said: string): string {
  return `${said} (see DATABASE_URL and DATABASE_ADMIN_URL)`;
}

/** Whether a file is the data folder, lies in it, or is a parent folder that could not be made. */
function isDataFolder(file: string, dataDir: string): boolean {
  const isWithin = (inner: string, outer: string) => !path.relative(outer, inner).startsWith("..");
  return isWithin(path.resolve(file), dataDir) || isWithin(dataDir, path.resolve(file));
}
