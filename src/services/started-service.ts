import type { Logger } from "pino";
import type { z } from "zod";
import type { MasterKeyring } from "../adapters/crypto/master-keyring.ts";
import type { ObjectStore } from "../adapters/storage/object-store.ts";
import type { Config } from "../config/config.ts";
import type { GraphqlParts } from "../surfaces/graphql/context.ts";
import type { HttpTimeouts } from "../surfaces/http/server.ts";
import type { AnswerPatience } from "../surfaces/http/stalled-reader.ts";
import type { Metrics } from "../surfaces/metrics/metrics.ts";
import type { RestParts } from "../surfaces/rest/request.ts";

/** What only the entry points in `main/` read of a service. `Parts` is the type of the objects that its operations work with. */
export interface StartedService<Parts = never> {
  /** Its environment variables, each made by `setting()`. */
  readonly settings?: z.ZodObject;
  /** Makes its own parts when a gateway starts. */
  readonly parts?: (common: CommonParts, context: GatewayContext) => Promise<object>;
  /**
   * Its checks that `/readyz` makes, by name. While one throws, the gateway is not ready. A `ConfigError` that one throws when a gateway starts refuses the start.
   */
  readonly readinessChecks?: (parts: Parts) => Readonly<Record<string, () => Promise<unknown>>>;
  /**
   * States of its parts that `/readyz` says beside the checks, by name; a list where there are several of a kind. The gateway works without these parts, so no
   * state of theirs makes it not ready.
   */
  readonly partStates?: (config: Config, parts: Parts) => Promise<PartStates>;
  /** What `npm start` makes in the data folder before anything starts, never in production. */
  readonly madeAtStart?: MadeAtStart;
  /** Programs that `npm start` runs beside everything, such as a server of another protocol. */
  readonly companions?: readonly ((context: CompanionContext) => Promise<Companion>)[];
  /** What a caller can do about each error code that its migrations register, for /guides/errors; CommonMark. */
  readonly errorHelp?: () => Promise<Readonly<Record<string, string>>>;
}

/** The objects that every service's operations work with. */
export interface CommonParts extends RestParts, GraphqlParts {
  /** Encrypts and decrypts a service's own secrets. */
  readonly masterKeys: MasterKeyring;
  /** Content that is kept outside the database, encrypted; see `adapters/storage/README.md`. */
  readonly objects: ObjectStore;
}

/**
 * The objects that a service makes itself: its parts beyond {@link CommonParts}.
 * `Others` names parts that another service makes.
 */
export type Own<Parts extends CommonParts, Others extends keyof Parts = never> = Omit<
  Parts,
  keyof CommonParts | Others
>;

/** The objects that a gateway has when it starts. */
export interface GatewayContext {
  readonly config: Config;
  readonly timeouts: HttpTimeouts;
  /** How long files that are answered wait for their readers and sources. */
  readonly patience: AnswerPatience;
  readonly log: Logger;
  /** Registers a function that runs after the gateway has stopped. */
  readonly onClose: (close: () => Promise<void>) => void;
}

/** States of parts of a deployment, by the names of the parts. */
export type PartStates = Readonly<Record<string, string | readonly string[]>>;

/** Values of settings that the environment does not set, with what belongs to them in the data folder. */
export interface MadeAtStart {
  /** Members of demo.json that `make` may answer. */
  readonly members: readonly string[];
  /** Answers nothing where the environment sets the values. Finds again what an earlier start made. */
  readonly make: (config: Config) => Promise<{
    /** Variables, and their values. */
    readonly settings: Readonly<Record<string, string>>;
    readonly demo: Readonly<Record<string, string>>;
  }>;
}

/** The objects that a companion has when `npm start` runs it. */
export interface CompanionContext {
  readonly config: Config;
  /** The address of a service's own login; null unless the database is the embedded one. */
  readonly loginUrl: ((login: string) => string) | null;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Writes a member of demo.json, such as an address; null if the program does not run. Does nothing in production. */
  readonly tellDemo: (member: string, value: string | null) => void;
}

/** How the demo organization calls the gateway. */
export interface DemoAccess {
  /** Without a slash at the end. */
  readonly url: string;
  readonly tokens: Readonly<Record<"live" | "test", string>>;
}

/** A program beside `npm start`. Its start does not fail, because everything else runs without it: it logs why it does not run, and tries again. */
export interface Companion {
  /** The line in the terminal: what it is, and its address or what is missing. */
  readonly line: readonly [name: string, says: string];
  /** Adds what the demo organization's people find, as its tokens may. Called at each start once the gateway answers, never in production. Does not fail. */
  readonly addDemo?: (demo: DemoAccess) => Promise<void>;
  /** Begins nothing new, and finishes the work under way. */
  stop(): Promise<void>;
}
