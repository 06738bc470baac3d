import fs from "node:fs";
import path from "node:path";
import { Writable } from "node:stream";
import { inject } from "vitest";
import type { Config } from "../../src/config/config.ts";
import { readConfig } from "../../src/main/config.ts";
import { type Gateway, type GatewayOptions, startGateway } from "../../src/main/gateway.ts";
import { createLogger } from "../../src/main/log.ts";
import { masterKeysOf } from "../../src/main/master-key.ts";
import { prepareDatabase } from "../../src/main/prepare-database.ts";
import { Operator } from "../../src/postgres/operator/operator.ts";
import { sealAudit } from "../../src/services/platform/audit/seal-audit.ts";
import type { Service } from "../../src/services/service.ts";
import { services as productServices } from "../../src/services/services.ts";
import { PATIENT } from "./checkers.ts";
import { createDatabaseOf, type TestDatabase } from "./database.ts";
import { TEST_MASTER_KEY } from "./global-setup.ts";
import { sharedSchema } from "./graphql-schemas.ts";

/** A gateway of one test file on its own database, with what tests ask of it. */
export interface TestGateway {
  readonly baseUrl: string;
  readonly services: readonly Service[];
  readonly config: Config;
  readonly gateway: Gateway;
  readonly database: TestDatabase;
  readonly operator: Operator;
  /** Every line it logged. */
  readonly logs: string[];
  /** An organization with 100 signature credits. */
  newOrganization(options?: {
    readonly name?: string;
    readonly credits?: number;
    readonly plan?: string;
    readonly language?: string;
    readonly timeZone?: string;
    /** Where it is told of its tokens; nowhere unless given. */
    readonly email?: string;
  }): Promise<TestOrganization>;
  /** Seals the audit trail, as the worker does daily; answers the seal's number. */
  seal(): Promise<number>;
  stop(): Promise<void>;
}

export interface TestOrganization {
  readonly id: string;
  readonly number: number;
  /** Tokens of all scopes. */
  readonly live: string;
  readonly test: string;
  /** A token of these scopes only. */
  token(environment: "live" | "test", scopes: readonly string[]): Promise<string>;
}

/** Starts the real gateway in this process on a free loopback port, with the SQL of services that bring their own. */
export async function startTestGateway(
  environment: Readonly<Record<string, string>> = {},
  options: Pick<GatewayOptions, "services" | "timeouts" | "stalledReaderMs" | "stalledSourceMs" | "freshness"> & {
    /** One that is there, and stays when the gateway stops. */
    readonly database?: TestDatabase;
  } = {},
): Promise<TestGateway> {
  const { services = productServices, database: given } = options;
  const database = given ?? (await createDatabaseOf(services));
  const storage = fs.mkdtempSync(path.join(inject("folder"), "objects-"));
  const config = readConfig(
    {
      PORT: "0",
      PUBLIC_URL: "http://selo.test",
      SELO_MASTER_KEY: TEST_MASTER_KEY,
      DATABASE_URL: database.appUrl,
      STORAGE_FOLDER: storage,
      DNS_RESOLVERS: inject("resolver"),
      ...PATIENT,
      // All tests of a file come from one address.
      PUBLIC_REQUESTS_PER_MINUTE: "1000000",
      TOKEN_REQUESTS_PER_MINUTE: "10000000",
      ...environment,
    },
    services,
  );
  // The template has the SQL of the product.
  if (services.some(({ sqlFolder }) => sqlFolder !== undefined))
    await prepareDatabase(config, { ...database, description: "", close: async () => {} }, () => {}, services);
  const logs: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      logs.push(String(chunk));
      done();
    },
  });
  const gateway = await startGateway({
    config,
    databaseUrl: database.appUrl,
    masterKeys: masterKeysOf(config),
    log: createLogger(config.logLevel, sink),
    buildSchema: sharedSchema,
    ...options,
  }).catch(async (error: unknown) => {
    if (given === undefined) await database.drop();
    throw error;
  });
  const operator = await Operator.connect(database.adminUrl);
  return {
    baseUrl: `http://127.0.0.1:${gateway.port}`,
    services,
    config,
    gateway,
    database,
    operator,
    logs,
    newOrganization: (options) => newOrganization(operator, options),
    seal: () => sealAudit(operator, masterKeysOf(config)),
    stop: async () => {
      await gateway.stop();
      await operator.close();
      if (given === undefined) await database.drop();
      await fs.promises.rm(storage, { recursive: true });
    },
  };
}

/** A gateway on any database, whose platform keys are sealed under the tests' master key. */
export async function startGatewayOn(
  appUrl: string,
  environment: Readonly<Record<string, string | undefined>> = {},
  options: Pick<GatewayOptions, "timeouts"> = {},
): Promise<{ readonly baseUrl: string; stop(): Promise<void> }> {
  const config = readConfig({
    PORT: "0",
    PUBLIC_URL: "http://selo.test",
    SELO_MASTER_KEY: TEST_MASTER_KEY,
    DATABASE_URL: appUrl,
    DNS_RESOLVERS: inject("resolver"),
    ...PATIENT,
    PUBLIC_REQUESTS_PER_MINUTE: "1000000",
    TOKEN_REQUESTS_PER_MINUTE: "10000000",
    ...environment,
  });
  const gateway = await startGateway({
    config,
    databaseUrl: appUrl,
    masterKeys: masterKeysOf(config),
    log: createLogger("silent"),
    buildSchema: sharedSchema,
    ...options,
  });
  return { baseUrl: `http://127.0.0.1:${gateway.port}`, stop: () => gateway.stop() };
}

/** Another gateway on the database of the first. */
export async function startGatewayBeside(
  first: TestGateway,
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly baseUrl: string; stop(): Promise<void> }> {
  return startGatewayOn(first.database.appUrl, { ...first.config.environment, ...environment });
}

/** Gives an organization a name as one that was stored before such names were refused. */
export async function nameAsBefore(
  { database }: Pick<TestGateway, "database">,
  id: string,
  name: string,
): Promise<void> {
  await database.admin.query("update platform.organizations set name = $2 where id = $1", [id, name]);
}

/** An organization with tokens of all scopes and signature credits (100 unless said otherwise). */
export async function newOrganization(
  operator: Operator,
  options: Parameters<TestGateway["newOrganization"]>[0] = {},
): Promise<TestOrganization> {
  const { id, number } = await operator.createOrganization({
    name: options.name ?? "Test Organization",
    plan: options.plan ?? "free",
    language: options.language ?? "en",
    timeZone: options.timeZone ?? "UTC",
    email: options.email ?? null,
  });
  const credits = options.credits ?? 100;
  if (credits > 0) await operator.grantCredits(id, "signature", credits);
  const scopes = await operator.allScopes();
  const token = async (environment: "live" | "test", some: readonly string[]) =>
    (await operator.createToken(id, environment, "test", some)).token;
  return { id, number, live: await token("live", scopes), test: await token("test", scopes), token };
}
