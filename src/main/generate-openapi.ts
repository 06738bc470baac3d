import { randomBytes } from "node:crypto";
import type { MasterKeyring } from "../adapters/crypto/master-keyring.ts";
import type { Databases } from "../postgres/databases.ts";
import { readApiCatalog, readRows } from "../postgres/migrate/api-catalog.ts";
import { Operator } from "../postgres/operator/operator.ts";
import { sealAudit } from "../services/platform/operations/seal-audit.ts";
import { services } from "../services/services.ts";
import { openApiDocument } from "../surfaces/openapi/document.ts";
import { withPlaceholders } from "../surfaces/openapi/placeholders.ts";
import { type CallerHeaders, recordExamples } from "../surfaces/openapi/record-examples.ts";
import { API_PREFIX } from "../surfaces/rest/rest.ts";
import { readConfig } from "./config.ts";
import { startGateway } from "./gateway.ts";
import { createLogger } from "./log.ts";
import { masterKeysOf } from "./master-key.ts";
import { prepareDatabase } from "./prepare-database.ts";

/**
 * The text of schema/openapi.json, with the answers that a gateway gives to the examples' requests now; or the text as it
 * is, when nothing differs from it but what differs each time.
 * @param databases a migrated database with no organization in it
 * @param existing the text as it is; null when there is none
 */
export async function generateOpenApi(databases: Databases, version: string, existing: string | null): Promise<string> {
  const config = readConfig({
    PORT: "0",
    PUBLIC_URL: "https://selo.example",
    SELO_MASTER_KEY: randomBytes(32).toString("hex"),
    // Examples come from addresses of their own.
    TRUST_PROXY: "1",
    LOG_LEVEL: "silent",
  });
  await prepareDatabase(config, databases, () => {});
  const gateway = await startGateway({
    config,
    databaseUrl: databases.appUrl,
    masterKeys: masterKeysOf(config),
    log: createLogger(config.logLevel),
  });
  try {
    const baseUrl = `http://${config.host}:${gateway.port}${API_PREFIX}`;
    await useUpRequests(baseUrl, config.publicRequestsPerMinute);
    const document = await openApiDocument({
      services,
      version,
      read: (query) => readRows(databases.adminUrl, query),
      catalog: await readApiCatalog(databases.adminUrl),
      defaults: config,
      recorded: await recordExamples(services, baseUrl, await makeCallers(databases.adminUrl, masterKeysOf(config))),
    });
    const text = `${JSON.stringify(document, null, 2)}\n`;
    return existing !== null && withPlaceholders(text) === withPlaceholders(existing) ? existing : text;
  } finally {
    await gateway.stop();
  }
}

// Addresses for documentation: RFC 5737.
const ADDRESS = { "X-Forwarded-For": "203.0.113.1" };
const BUSY_ADDRESS = { "X-Forwarded-For": "203.0.113.2" };

async function useUpRequests(baseUrl: string, perMinute: number): Promise<void> {
  for (let request = 0; request < perMinute; request++)
    await (await fetch(`${baseUrl}/public/platform-key`, { headers: BUSY_ADDRESS })).arrayBuffer();
}

async function makeCallers(adminUrl: string, masterKeys: MasterKeyring): Promise<CallerHeaders> {
  const operator = await Operator.connect(adminUrl);
  try {
    const scopes = await operator.allScopes();
    const acme = await operator.createOrganization({ name: "Acme Ltda." });
    const poor = await operator.createOrganization({ name: "Beta S.A." });
    await operator.grantCredits(acme.id, "signature", 10);
    const token = async (tenantId: string, environment: string, granted: readonly string[]) => ({
      Authorization: `Bearer ${(await operator.createToken(tenantId, environment, "examples", granted)).token}`,
      ...ADDRESS,
    });
    const callers = {
      live: await token(acme.id, "live", scopes),
      test: await token(acme.id, "test", scopes),
      without_scope: await token(acme.id, "live", ["labels:read"]),
      without_credits: await token(poor.id, "live", scopes),
      anyone: ADDRESS,
      over_limit: BUSY_ADDRESS,
    };
    await sealAudit(operator, masterKeys);
    return callers;
  } finally {
    await operator.close();
  }
}
