import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import type { ControlAccess } from "../../../adapters/nameserver/control-request.ts";
import { writeDurably } from "../../../adapters/programs/durable-file.ts";
import { errorCode } from "../../../adapters/programs/program-error.ts";
import { type Config, ConfigError } from "../../../config/config.ts";
import { dnsSettings } from "../settings.ts";

const shape = z.object({ key: z.string(), url: z.string().nullable() });

/** In development the nameserver writes where it is and its key: gateways of the same data folder read it. */
const fileOf = (dataDir: string) => path.join(dataDir, "nameserver-control.json");

/**
 * The nameservers of NAMESERVER_CONTROL_URLS; without them that of the same data folder. Null if none is known. Reads files: a
 * nameserver may come later, and certificates are replaced while we run.
 * @throws ConfigError if the addresses are set without their key, or if the file of NAMESERVER_CONTROL_TLS_CA cannot be read
 */
export function controlAccess(config: Config): ControlAccess | null {
  const settings = config.of(dnsSettings);
  const { NAMESERVER_CONTROL_URLS: urls, NAMESERVER_CONTROL_KEY: key, NAMESERVER_CONTROL_TLS_CA: caFile } = settings;
  if (urls !== undefined) {
    if (key === undefined) throw new ConfigError("NAMESERVER_CONTROL_KEY: must be set with NAMESERVER_CONTROL_URLS");
    return { urls, key, ca: caFile === undefined ? null : readCa(caFile) };
  }
  const kept = readKept(config.dataDir);
  return kept === null || kept.url === null ? null : { urls: [kept.url], key: key ?? kept.key, ca: null };
}

function readCa(file: string): string {
  try {
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    throw new ConfigError(`NAMESERVER_CONTROL_TLS_CA: ${file} cannot be read (${errorCode(error)})`, { cause: error });
  }
}

/**
 * The key of our own control server: NAMESERVER_CONTROL_KEY, or one that is generated and kept (mode 0600).
 * @throws ConfigError in production without the variable
 */
export function controlKey(config: Config): string {
  const { NAMESERVER_CONTROL_KEY: given } = config.of(dnsSettings);
  if (given !== undefined) return given;
  if (config.production)
    throw new ConfigError("NAMESERVER_CONTROL_KEY: must be set when NODE_ENV is production and the nameserver runs");
  return readKept(config.dataDir)?.key ?? randomBytes(32).toString("base64url");
}

/** Tells gateways of the data folder where the control server is; null when it ends. */
export function keepControl(config: Config, key: string, url: string | null): void {
  if (!config.production) writeDurably(fileOf(config.dataDir), `${JSON.stringify({ key, url })}\n`);
}

function readKept(dataDir: string): z.infer<typeof shape> | null {
  const file = fileOf(dataDir);
  return fs.existsSync(file) ? shape.parse(JSON.parse(fs.readFileSync(file, "utf8"))) : null;
}
