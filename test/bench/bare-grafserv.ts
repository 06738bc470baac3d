/** Grafserv on the gateway's own schema and reads, for the token of each request: no limits, no rules for documents. */
import { randomUUID } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { grafserv } from "postgraphile/grafserv/node";
import { Actors } from "../../src/postgres/actors.ts";
import { createPool } from "../../src/postgres/pool.ts";
import { readService } from "../../src/postgres/read-service.ts";
import type { Reader } from "../../src/postgres/reads.ts";
import { services } from "../../src/services/services.ts";
import { buildGatewaySchema } from "../../src/surfaces/graphql/schema/schema.ts";
import { credentialHash } from "../../src/surfaces/http/credential.ts";

const [, , databaseUrl = ""] = process.argv;
const pool = createPool({ url: databaseUrl, role: "selo_app", applicationName: "bench" }, 10, () => {});
const service = readService(pool, new Actors());
const readerOf = (authorization: string | undefined): Reader => ({
  credentialHash: credentialHash(authorization),
  origin: { requestId: randomUUID(), address: "127.0.0.1", channel: "graphql" },
  admit: () => {},
});
const { schema, resolvedPreset } = await buildGatewaySchema(services, {
  ...service,
  pgSettings: ({ node }) => service.pgSettings({ reader: readerOf(node?.req.headers.authorization) }),
});
const server = http.createServer();
await grafserv({ schema, preset: resolvedPreset }).addTo(server);
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
