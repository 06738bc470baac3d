import { ProgramError } from "../programs/program-error.ts";
import { connectionParameters, type NameserverConnection } from "./connection.ts";

/** What differs between nameservers. */
export interface NameserverSettings {
  readonly connection: NameserverConnection;
  /** The file with the password of the connection. */
  readonly passwordFile: string;
  /** IP addresses on which it answers. */
  readonly addresses: readonly string[];
  readonly port: number;
  /** The folder of its control socket. */
  readonly socketDir: string;
  readonly apiPort: number;
  readonly apiKey: string;
}

/** The same for every nameserver. Names and meanings: PowerDNS' manual, Authoritative Server Settings. */
const FIXED = {
  launch: "gpgsql",
  daemon: "no",
  guardian: "no",
  "disable-syslog": "yes",
  "write-pid": "no",
  // Errors, among them why it does not start. At 4 it writes a line for each flush.
  loglevel: "3",
  // It only answers: no transfers, no changes from outside, no programs in records, no word about itself.
  "disable-axfr": "yes",
  dnsupdate: "no",
  "allow-notify-from": "",
  "enable-lua-records": "no",
  "expand-alias": "no",
  primary: "no",
  secondary: "no",
  autosecondary: "no",
  "version-string": "anonymous",
  "server-id": "disabled",
  "security-poll-suffix": "",
  // Its API shows private keys.
  api: "yes",
  webserver: "yes",
  "webserver-address": "127.0.0.1",
  "webserver-allow-from": "127.0.0.1",
  "webserver-loglevel": "none",
  // Every change flushes its zone. The time limits are for a flush that is lost: after a minute nothing old is answered (pause-watch.ts). Half of that for
  // each cache: an answer may be made of rows or keys that are nearly as old as they get.
  "cache-ttl": "30",
  "query-cache-ttl": "30",
  "negquery-cache-ttl": "30",
  "zone-cache-refresh-interval": "60",
  // Without these two, each answer that is not in a cache reads keys and metadata of its zone from Postgres, several times when it is signed.
  "dnssec-key-cache-ttl": "30",
  "zone-metadata-cache-ttl": "30",
  // Each name that does not exist leaves its own signature, which nobody asks for again. The default is two billion. About 150 MB.
  "max-signature-cache-entries": "500000",
  "gpgsql-dnssec": "yes",
  "default-publish-cds": "2,4",
  "default-publish-cdnskey": "1",
  reuseport: "yes",
  "receiver-threads": "2",
  "distributor-threads": "2",
  // One client that holds connections must not keep the others out.
  "max-tcp-connections": "200",
  "max-tcp-connections-per-client": "20",
} as const;

/**
 * The text of `pdns.conf`.
 * @throws ProgramError if a value has a line break, a blank at an end or what begins a comment: it would be read as something else
 */
export function configText(settings: NameserverSettings): string {
  const { connection, passwordFile, addresses, port, socketDir, apiPort, apiKey } = settings;
  const all: Readonly<Record<string, string>> = {
    ...FIXED,
    "gpgsql-host": connection.host,
    "gpgsql-port": String(connection.port),
    "gpgsql-dbname": connection.database,
    "gpgsql-user": connection.user,
    "gpgsql-extra-connection-parameters": connectionParameters(connection, passwordFile),
    "local-address": addresses.join(","),
    "local-port": String(port),
    "socket-dir": socketDir,
    "webserver-port": String(apiPort),
    "api-key": apiKey,
  };
  return Object.entries(all)
    .map(([name, value]) => {
      if (/[\p{Cc}\u2028\u2029]|\s#|^#|^\s|\s$/u.test(value))
        throw new ProgramError(
          `PowerDNS cannot take the value of ${name}: it has a line break, a blank at an end or a #`,
        );
      return `${name}=${value}\n`;
    })
    .join("");
}
