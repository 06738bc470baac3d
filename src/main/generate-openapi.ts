import { randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { MasterKeyring } from "../adapters/crypto/master-keyring.ts";
import type { Databases } from "../postgres/databases.ts";
import { readApiCatalog, readRows } from "../postgres/migrate/api-catalog.ts";
import { Operator } from "../postgres/operator/operator.ts";
import { sealAudit } from "../services/platform/audit/seal-audit.ts";
import type { Service } from "../services/service.ts";
import { services as productServices } from "../services/services.ts";
import type { ReadRows } from "../surfaces/openapi/api-description.ts";
import { openApiDocument } from "../surfaces/openapi/document.ts";
import { LEAST_SCOPE } from "../surfaces/openapi/examples.ts";
import { placeholdersOf } from "../surfaces/openapi/placeholders.ts";
import { type CallerHeaders, recordExamples } from "../surfaces/openapi/record-examples.ts";
import { apiV1 } from "../surfaces/rest/api-v1.ts";
import { isDescribed, type RestSurface } from "../surfaces/rest/surface.ts";
import { surfacesOf } from "../surfaces/rest/surfaces.ts";
import { readConfig, withExampleValues } from "./config.ts";
import { openExampleMails } from "./example-mails.ts";
import { startGateway } from "./gateway.ts";
import { createLogger } from "./log.ts";
import { masterKeysOf } from "./master-key.ts";
import { prepareDatabase } from "./prepare-database.ts";

/**
 * Makes the text of each surface's document, by file name. It contains the answers that a gateway gives now to the examples'
 * requests. Where only values differ that change with each run, the existing text is kept.
 * @param databases a migrated database without organizations
 * @param existing the present text of a file; null for a file that does not exist
 * @param services the product's services by default
 */
export async function generateOpenApi(
  databases: Databases,
  version: string,
  existing: (file: string) => string | null,
  services: readonly Service[] = productServices,
): Promise<Map<string, string>> {
  const storage = fs.mkdtempSync(path.join(os.tmpdir(), "selo-objects-"));
  const environment = {
    PORT: "0",
    PUBLIC_URL: "https://selo.example",
    SELO_MASTER_KEY: randomBytes(32).toString("hex"),
    // Each example comes from its own client address.
    TRUST_PROXY: "1",
    LOG_LEVEL: "silent",
    STORAGE_FOLDER: storage,
  };
  const config = readConfig(withExampleValues(environment, services), services);
  await prepareDatabase(config, databases, () => {}, services);
  const gateway = await startGateway({
    services,
    config,
    databaseUrl: databases.appUrl,
    masterKeys: masterKeysOf(config),
    log: createLogger(config.logLevel),
  });
  try {
    const baseUrl = `http://${config.host}:${gateway.port}`;
    const surfaces = surfacesOf(services).filter(isDescribed);
    const callers = await makeCallers(surfaces, databases.adminUrl, masterKeysOf(config));
    const mails = await openExampleMails(databases, config, services);
    const overLimit = () =>
      useUpRequests(`${baseUrl}${apiV1.prefix}/public/platform-key`, config.publicRequestsPerMinute);
    const recorded = await recordExamples(services, baseUrl, callers, mails, { over_limit: overLimit }).finally(
      mails.close,
    );
    const catalog = await readApiCatalog(databases.adminUrl);
    const read: ReadRows = (query) => readRows(databases.adminUrl, query);
    const withPlaceholders = await placeholdersOf(services);
    const texts = new Map<string, string>();
    for (const surface of surfaces) {
      const own = recorded.filter((example) => example.surface === surface);
      const facts = { surface, services, version, catalog, read, defaults: config, recorded: own };
      const text = `${JSON.stringify(await openApiDocument(facts), null, 2)}\n`;
      const { file } = surface.document;
      const before = existing(file);
      texts.set(file, before !== null && withPlaceholders(text) === withPlaceholders(before) ? before : text);
    }
    return texts;
  } finally {
    await gateway.stop();
    fs.rmSync(storage, { recursive: true });
  }
}

// Addresses for documentation: RFC 5737.
const ADDRESS = { "X-Forwarded-For": "203.0.113.1" };
const BUSY_ADDRESS = { "X-Forwarded-For": "203.0.113.2" };

/**
 * Sends requests until one is refused. Called before each example, because the minute of the earlier requests may be over.
 * @param url any path whose requests are counted by address: all such paths share one count
 */
async function useUpRequests(url: string, perMinute: number): Promise<void> {
  for (let request = 0; request <= 2 * perMinute; request++) {
    const response = await fetch(url, { headers: BUSY_ADDRESS });
    await response.arrayBuffer();
    if (response.status === 429) return;
  }
  throw new Error(`no request to ${url} was refused`);
}

async function makeCallers(
  surfaces: readonly RestSurface[],
  adminUrl: string,
  masterKeys: MasterKeyring,
): Promise<Map<RestSurface, CallerHeaders>> {
  const operator = await Operator.connect(adminUrl);
  try {
    const scopes = await operator.allScopes();
    const acme = await operator.createOrganization({ name: "Acme Ltda.", plan: "growth" });
    const poor = await operator.createOrganization({ name: "Beta S.A." });
    await operator.grantCredits(acme.id, "signature", 10);
    const callers = new Map<RestSurface, CallerHeaders>();
    for (const surface of surfaces) {
      const credential = async (tenantId: string, environment: "live" | "test", granted: readonly string[]) => ({
        ...(await surface.credentials.issue(operator, { tenantId, environment, scopes: granted })),
        ...ADDRESS,
      });
      const { all, least } = surface.credentials.scopes ?? { all: scopes, least: LEAST_SCOPE };
      callers.set(surface, {
        live: await credential(acme.id, "live", all),
        test: await credential(acme.id, "test", all),
        without_scope: await credential(acme.id, "live", [least]),
        without_credits: await credential(poor.id, "live", all),
        anyone: ADDRESS,
        over_limit: BUSY_ADDRESS,
      });
    }
    await sealAudit(operator, masterKeys);
    return callers;
  } finally {
    await operator.close();
  }
}
