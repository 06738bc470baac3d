import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { MasterKeyring } from "./adapters/crypto/master-keyring.ts";
import { parseMasterKey } from "./adapters/crypto/sealed-secret.ts";
import { type Config, ConfigError } from "./config.ts";

/** The master keys of this configuration, where there are any already; nothing is generated. */
export function existingMasterKeysOf(config: Config): MasterKeyring | null {
  return config.masterKey !== null || fs.existsSync(path.join(config.dataDir, "master-key"))
    ? masterKeysOf(config)
    : null;
}

/**
 * SELO_MASTER_KEY seals and opens, SELO_MASTER_KEY_OTHERS open. In development, without the first, the keys stand in a
 * file of the data folder, generated once: the first line seals and opens, further lines open.
 * @throws ConfigError when that file cannot be read as such
 */
export function masterKeysOf(config: Config): MasterKeyring {
  if (config.masterKey !== null) return new MasterKeyring(config.masterKey, config.otherMasterKeys);
  const file = path.join(config.dataDir, "master-key");
  fs.mkdirSync(config.dataDir, { recursive: true });
  try {
    // Exclusive: of two processes at once one makes the key, both use it.
    fs.writeFileSync(file, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const [first = "", ...others] = fs.readFileSync(file, "utf8").trim().split("\n");
  try {
    return new MasterKeyring(parseMasterKey(first), [...others.map(parseMasterKey), ...config.otherMasterKeys]);
  } catch (error) {
    throw new ConfigError(`${file}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}
