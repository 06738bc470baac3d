import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { parseMasterKey } from "./adapters/crypto/sealed-secret.ts";
import type { Config } from "./config.ts";

/** The master key of this configuration, where there is one already; nothing is generated. */
export function existingMasterKeyOf(config: Config): Buffer | null {
  const file = path.join(config.dataDir, "master-key");
  return config.masterKey ?? (fs.existsSync(file) ? parseMasterKey(fs.readFileSync(file, "utf8")) : null);
}

/** SELO_MASTER_KEY, or in development a key generated into the data folder once. */
export function masterKeyOf(config: Config): Buffer {
  if (config.masterKey !== null) return config.masterKey;
  const file = path.join(config.dataDir, "master-key");
  fs.mkdirSync(config.dataDir, { recursive: true });
  try {
    // Exclusive: of two processes at once one makes the key, both use it.
    fs.writeFileSync(file, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return parseMasterKey(fs.readFileSync(file, "utf8"));
}
