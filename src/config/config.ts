import type { z } from "zod";

/** The sender of a mail. */
export interface MailAddress {
  /** The name that people see; empty if the sender has no name. */
  readonly name: string;
  readonly address: string;
}

/** Who runs this deployment, as pages, mails and receipts say it. Whatever is null is not shown. */
export interface SiteOperator {
  readonly name: string | null;
  /** Registration number, city and the like, on one line. */
  readonly details: string | null;
  /** Addresses of pages or mailboxes, `https:`, `http:` or `mailto:`. */
  readonly contact: string | null;
  readonly privacy: string | null;
  readonly terms: string | null;
}

/** How mails are signed (RFC 6376). */
export interface DkimConfig {
  readonly domain: string;
  readonly selector: string;
  /** Path of the private key file, PEM. */
  readonly keyFile: string;
}

/** A service that sends SMS. */
export interface SmsConfig {
  readonly url: string;
  /** Null for a process that sends none. */
  readonly token: string | null;
}

/** The settings of Selo's processes, read from the environment. */
export interface Config {
  readonly production: boolean;
  readonly host: string;
  readonly port: number;
  /** The public address of this deployment, without a slash at the end. */
  readonly publicUrl: string;
  readonly operator: SiteOperator;
  /** The code of a proof of the sample file, which the home page shows; null shows none. */
  readonly sampleCode: string | null;
  readonly logLevel: string;
  readonly shutdownGraceSeconds: number;
  /** Absolute path. */
  readonly dataDir: string;
  /** Absolute path of the folder of stored objects. */
  readonly storageFolder: string;
  /** 32 bytes; null in development, where a key is generated into the data folder. */
  readonly masterKey: Buffer | null;
  /** Further keys that decrypt and never encrypt, while a master key is replaced. */
  readonly otherMasterKeys: readonly Buffer[];
  /** Null for the embedded Postgres. */
  readonly databaseUrl: string | null;
  readonly databaseAdminUrl: string | null;
  readonly databaseWorkerUrl: string | null;
  readonly databasePoolSize: number;
  readonly idempotencyRetentionDays: number;
  readonly workerConcurrency: number;
  /** Requests a minute that one address may make to the public endpoints. */
  readonly publicRequestsPerMinute: number;
  /** Requests a minute that one token may make. */
  readonly tokenRequestsPerMinute: number;
  /** Origins whose pages may call us from a browser; none by default. */
  readonly corsOrigins: readonly string[];
  /** Proxies whose X-Forwarded-For is believed: the number of proxies in front of us, or their addresses. Null believes no proxy. */
  readonly trustProxy: number | string[] | null;
  /** DNS resolvers, in the form of node:dns; null for those of the system. */
  readonly dnsResolvers: readonly string[] | null;
  /** The port at which name servers at loopback addresses are asked; null: they are not asked. */
  readonly dnsLoopbackPort: number | null;
  /** The mail server, with credentials if it needs them. Null: mails wait, except in `selo start`, which catches them. */
  readonly smtpUrl: string | null;
  /** The service that sends SMS. Null: SMS wait, except in `selo start`, which catches them. */
  readonly sms: SmsConfig | null;
  readonly mailFrom: MailAddress;
  /** Null: Selo does not sign mails. */
  readonly mailDkim: DkimConfig | null;
  readonly mailRetentionDays: number;
  /** The API token of commands that call the API, such as `selo listen`. Null: such a command needs the token as an option. */
  readonly apiToken: string | null;
  /** The token that a caller of /metrics must present. Null: PORT has no /metrics, and METRICS_PORT is open to every caller that reaches it. */
  readonly metricsToken: string | null;
  readonly metricsHost: string;
  /** The port of a separate listener for /metrics; null for no listener. */
  readonly metricsPort: number | null;
  /** The values of a service's settings. */
  of<Settings extends z.ZodObject>(settings: Settings): z.output<Settings>;
  /** The environment of programs that we start, such as the embedded Postgres. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A value of the environment that cannot be used. The message names the variable and never shows its value. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** The name that certificates bear: of the operator, or of the host. */
export const installationName = ({ operator, publicUrl }: Pick<Config, "operator" | "publicUrl">): string =>
  operator.name ?? new URL(publicUrl).host;
