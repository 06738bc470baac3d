import { ProgramError } from "../programs/program-error.ts";

/** Where the nameserver finds its tables, in the terms of libpq. */
export interface NameserverConnection {
  /** A host, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string;
  /** Parameters of libpq, such as sslmode. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** Parameters of an address that libpq and our own driver understand alike. */
const PASSED_ON = ["sslmode", "sslrootcert", "sslcert", "sslkey"];

/**
 * Reads an address `postgres://login:password@host:5432/name?sslmode=verify-full`.
 * @throws ProgramError if it lacks host, login, password or name. The message does not repeat the address: it holds a password.
 */
export function connectionOf(url: string): NameserverConnection {
  const { hostname, port, pathname, username, password, searchParams } = new URL(url);
  const host = searchParams.get("host") ?? decodeURIComponent(hostname).replace(/^\[(.*)\]$/, "$1");
  const connection = {
    host,
    port: Number(port || searchParams.get("port") || 5432),
    database: decodeURIComponent(pathname.slice(1)),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    parameters: Object.fromEntries([...searchParams].filter(([name]) => PASSED_ON.includes(name))),
  };
  const missing = (["host", "database", "user", "password"] as const).filter((name) => connection[name] === "");
  if (missing.length > 0) throw new ProgramError(`DATABASE_DNS_URL: the address lacks ${missing.join(", ")}`);
  return connection;
}

/** A line of libpq's file of passwords. */
export function passwordLine({ password }: NameserverConnection): string {
  return `*:*:*:*:${password.replace(/[\\:]/g, "\\$&")}\n`;
}

/** What of a connection has no setting of its own: libpq's text of parameters. */
export function connectionParameters({ parameters }: NameserverConnection, passwordFile: string): string {
  const all = {
    // A Postgres that hangs must not hang every question.
    options: "-c search_path=pdns -c statement_timeout=30s",
    connect_timeout: "5",
    tcp_user_timeout: "10000",
    keepalives_idle: "30",
    application_name: "selo nameserver",
    passfile: passwordFile,
    ...parameters,
  };
  return Object.entries(all)
    .map(([name, value]) => `${name}='${value.replace(/[\\']/g, "\\$&")}'`)
    .join(" ");
}
