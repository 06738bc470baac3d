import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { MasterKeyring } from "../adapters/crypto/master-keyring.ts";
import { parseMasterKey } from "../adapters/crypto/sealed-secret.ts";
import { type Config, ConfigError } from "../config/config.ts";

/**
 * The master keys for a database whose secrets are encrypted under the keys with these ids. A key is generated only in
 * development and only for a database without secrets. A new key could not decrypt existing secrets, and would take the right key's place.
 * @throws ConfigError that says which key is needed and where
 */
export function masterKeysFor(config: Config, sealedUnder: readonly string[]): MasterKeyring {
  if (sealedUnder.length === 0) {
    if (config.masterKey === null) generateKey(config);
    return masterKeysOf(config);
  }
  const keys = existingMasterKeysOf(config);
  if (keys !== null && sealedUnder.some((id) => keys.has(id))) return keys;
  throw new ConfigError(
    `SELO_MASTER_KEY: the secrets of this database are sealed under the master key with id ${sealedUnder.join(", ")}, ` +
      `and ${keys === null ? "no master key is configured" : `the configured one is ${keys.sealingId}`}; ` +
      `set SELO_MASTER_KEY to the key with that id${config.production ? "" : `, or put it into ${fileOf(config)}`}`,
  );
}

/** The master keys of this configuration; null if it has none. */
export function existingMasterKeysOf(config: Config): MasterKeyring | null {
  return config.masterKey !== null || fs.existsSync(fileOf(config)) ? masterKeysOf(config) : null;
}

/**
 * SELO_MASTER_KEY encrypts and decrypts, SELO_MASTER_KEY_OTHERS only decrypt. In development, without SELO_MASTER_KEY, the keys stand in
 * a file of the data folder: the first line encrypts and decrypts, further lines only decrypt.
 * @throws ConfigError if the file does not exist or is not valid
 */
export function masterKeysOf(config: Config): MasterKeyring {
  if (config.masterKey !== null) return new MasterKeyring(config.masterKey, config.otherMasterKeys);
  const file = fileOf(config);
  if (!fs.existsSync(file)) {
    throw new ConfigError(
      `SELO_MASTER_KEY: it is not set, and there is no ${file}, which selo start and selo migrate make for a new database`,
    );
  }
  const [first = "", ...others] = fs.readFileSync(file, "utf8").trim().split("\n");
  try {
    return new MasterKeyring(parseMasterKey(first), [...others.map(parseMasterKey), ...config.otherMasterKeys]);
  } catch (error) {
    throw new ConfigError(`${file}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}

function fileOf(config: Config): string {
  return path.join(config.dataDir, "master-key");
}

function generateKey(config: Config): void {
  fs.mkdirSync(config.dataDir, { recursive: true });
  try {
    // Exclusive creation: of two processes one makes the key, and both use it.
    fs.writeFileSync(fileOf(config), `${randomBytes(32).toString("hex")}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
