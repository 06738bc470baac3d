/** Grafserv on the gateway's own schema and reads, for one organization: no tokens, no limits, no rules for documents. */
import http from "node:http";
import type { AddressInfo } from "node:net";
import { grafserv } from "grafserv/node";
import { createPool } from "../../src/db/pool.ts";
import { readService } from "../../src/db/read-service.ts";
import { buildGatewaySchema } from "../../src/graphql/schema/schema.ts";

const [, , databaseUrl = "", tenantId = ""] = process.argv;
const pool = createPool({ url: databaseUrl, role: "selo_app", applicationName: "bench" }, 10, () => {});
const settings = {
  "app.tenant_id": tenantId,
  "app.environment": "live",
  "app.token_id": "",
  "app.scopes": "proofs:read",
};
const { schema, resolvedPreset } = await buildGatewaySchema({ ...readService(pool), pgSettings: () => settings });
const server = http.createServer();
await grafserv({ schema, preset: resolvedPreset }).addTo(server);
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
