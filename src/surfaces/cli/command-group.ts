import type { Command } from "commander";
import type { MasterKeyring } from "../../adapters/crypto/master-keyring.ts";
import type { Config } from "../../config/config.ts";
import type { OperatedService } from "../../postgres/operator/operated-service.ts";
import type { Operator } from "../../postgres/operator/operator.ts";
import type { Metrics } from "../metrics/metrics.ts";

/** What the command line reads of a service. */
export interface CommandedService {
  /** Its commands of the command line. */
  readonly commands?: readonly CommandGroup[];
}

/** Commands of the command line, loaded when one of their words is typed. */
export interface CommandGroup {
  /** Each word, with its description in `selo --help`. */
  readonly words: Readonly<Record<string, string>>;
  /** What exit codes of its commands mean, by command and code, beside the codes of every command. */
  readonly exitCodes?: Readonly<Record<string, Readonly<Record<number, string>>>>;
  /** Adds the commands of these words to a program. */
  readonly load: () => Promise<(program: Command, context: CommandContext) => void>;
}

/** The objects that commands work with. */
export interface CommandContext {
  readonly services: readonly OperatedService[];
  /** Reads the environment. */
  readonly config: () => Config;
  /** The same for a process without the database's secrets and without documents, such as a nameserver: production does not demand them of it. */
  readonly configApart: () => Config;
  /** Makes the metrics of a process, and serves them on METRICS_PORT as a worker does. */
  readonly serveMetrics: (config: Config) => Promise<{ readonly metrics: Metrics; close(): Promise<void> }>;
  /** @throws ConfigError if there is no master key */
  readonly masterKeys: () => Promise<MasterKeyring>;
  /** The address of a service's own login in the embedded Postgres, if that runs; null for a configured database. */
  readonly loginUrl: (login: string) => Promise<string | null>;
  /** Runs work on the configured database with the rights of the deployment's operator. */
  readonly withOperator: <Result>(work: (operator: Operator) => Promise<Result>) => Promise<Result>;
}
