import { isIPv6 } from "node:net";
import { connectionOf } from "../../../adapters/nameserver/connection.ts";
import { type ControlServer, startControl } from "../../../adapters/nameserver/control-server.ts";
import { Nameserver } from "../../../adapters/nameserver/nameserver.ts";
import { findProgram, type NameserverProgram } from "../../../adapters/nameserver/program.ts";
import { type Config, ConfigError } from "../../../config/config.ts";
import type { DnsMetrics } from "../metrics.ts";
import { dnsSettings } from "../settings.ts";
import { controlKey, keepControl } from "./control-access.ts";

/** The login of the nameserver: it reads the served tables and nothing else. */
export const NAMESERVER_LOGIN = "selo_dns";
/** The line for somebody without the program. */
export const INSTALL_LINE = "not installed: npm run -s selo -- nameserver install";

/** A nameserver with its control server. */
export interface RunningNameserver {
  /** `127.0.0.1:5300`, as `selo dig --server` takes it. */
  readonly address: string;
  readonly controlUrl: string;
  readonly nameserver: Nameserver;
  stop(): Promise<void>;
}

/** The program that this deployment uses; null if it has none. */
export function findNameserver(config: Config): Promise<NameserverProgram | null> {
  const { PDNS_SERVER: given = null } = config.of(dnsSettings);
  return findProgram({ dataDir: config.dataDir, given, environment: config.environment });
}

/**
 * Runs PowerDNS and its control server.
 * @param loginUrl the address of the login in the embedded Postgres; DATABASE_DNS_URL counts more
 * @throws ProgramError or ConfigError with a message for people
 */
export async function runNameserver(
  config: Config,
  program: NameserverProgram,
  loginUrl: string | null,
  log: (message: string) => void,
  metrics: DnsMetrics,
): Promise<RunningNameserver> {
  const settings = config.of(dnsSettings);
  const url = settings.DATABASE_DNS_URL ?? loginUrl;
  if (url === null)
    throw new ConfigError(
      "DATABASE_DNS_URL: must be set for the nameserver (or let `npm start` run the embedded Postgres)",
    );
  const key = controlKey(config);
  const [address = "127.0.0.1"] = settings.NAMESERVER_ADDRESS;
  const nameserver = await Nameserver.start({
    dataDir: config.dataDir,
    program,
    connection: connectionOf(url),
    addresses: settings.NAMESERVER_ADDRESS,
    port: settings.NAMESERVER_PORT ?? (config.production ? 53 : null),
    log,
  });
  let control: ControlServer;
  try {
    control = await startControl({
      address: settings.NAMESERVER_CONTROL_ADDRESS,
      port: settings.NAMESERVER_CONTROL_PORT ?? (config.production ? 5_380 : 0),
      key,
      tls: tlsOf(settings.NAMESERVER_CONTROL_TLS_CERT, settings.NAMESERVER_CONTROL_TLS_KEY),
      version: nameserver.version,
      powerDns: () => nameserver.powerDns,
      told: metrics.told,
      log,
    });
  } catch (error) {
    await nameserver.stop();
    throw error;
  }
  keepControl(config, key, control.url);
  metrics.readStatistics(async () => (await nameserver.powerDns?.statistics()) ?? null);
  return {
    address: `${isIPv6(address) ? `[${address}]` : address}:${nameserver.port}`,
    controlUrl: control.url,
    nameserver,
    stop: async () => {
      metrics.readStatistics(null);
      keepControl(config, key, null);
      await control.close();
      await nameserver.stop();
    },
  };
}

/** Both files or none. */
function tlsOf(cert: string | undefined, key: string | undefined): { cert: string; key: string } | null {
  if (cert === undefined && key === undefined) return null;
  if (cert !== undefined && key !== undefined) return { cert, key };
  throw new ConfigError(
    `${cert === undefined ? "NAMESERVER_CONTROL_TLS_CERT" : "NAMESERVER_CONTROL_TLS_KEY"}: must be set with the other file of TLS`,
  );
}
