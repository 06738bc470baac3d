/**
 * Grafserv on the gateway's own schema, for the token of each request: no limits, no rules for documents. Its second argument says how it reads:
 * "ours" as the gateway does, "own" as PostGraphile does by itself, in a transaction of four round trips (begin, who reads, the read, commit).
 */
import { randomUUID } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import type pg from "pg";
import type { WithPgClient } from "postgraphile/@dataplan/pg";
import { grafserv } from "postgraphile/grafserv/node";
import { Actors } from "../../src/postgres/actors.ts";
import { originJson } from "../../src/postgres/call.ts";
import { createPool } from "../../src/postgres/pool.ts";
import { type ReadService, readService } from "../../src/postgres/read-service.ts";
import type { Reader } from "../../src/postgres/reads.ts";
import { services } from "../../src/services/services.ts";
import { buildGatewaySchema } from "../../src/surfaces/graphql/schema/schema.ts";
import { credentialHash } from "../../src/surfaces/http/credential.ts";

/** Without its types, which would have the whole program say which adaptor it means. */
const ADAPTOR: string = "postgraphile/adaptors/pg";
const { createWithPgClient } = (await import(ADAPTOR)) as {
  readonly createWithPgClient: (settings: { readonly pool: pg.Pool }) => WithPgClient;
};

const [, , databaseUrl = "", reading = "ours"] = process.argv;
const pool = createPool({ url: databaseUrl, role: "selo_app", applicationName: "bench" }, 10, () => {});
const service = reading === "own" ? ownReadService(pool) : readService(pool, new Actors());
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

/** PostGraphile's own adaptor. Who reads is said where it would say its settings. */
function ownReadService(connections: pg.Pool): ReadService {
  const own = createWithPgClient({ pool: connections });
  const readers = new WeakMap<object, Reader>();
  const withPgClient: WithPgClient = async (settings, read) => {
    const reader = settings === null ? undefined : readers.get(settings);
    if (reader === undefined) return own(null, read);
    const values = [reader.credentialHash, JSON.stringify(originJson(reader.origin))];
    return own(null, (client) =>
      client.withTransaction(async (transaction) => {
        await transaction.query({ text: "select from gateway.enter($1, $2)", name: "enter", values });
        return read(transaction);
      }),
    );
  };
  return {
    ...readService(connections, new Actors()),
    pgSettings: ({ reader }) => {
      const settings = {};
      if (reader !== undefined) readers.set(settings, reader);
      return settings;
    },
    adaptor: {
      createWithPgClient: () => withPgClient,
      makePgService: () => {
        throw new Error("made by ownReadService");
      },
    },
  };
}
