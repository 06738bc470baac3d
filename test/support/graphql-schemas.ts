// The GraphQL schema of the tests' gateways: built once in a process for one catalog, for nearly all databases of tests are copies of one.
import { createHash } from "node:crypto";
import { type Introspection, makeIntrospectionQuery } from "graphile-build-pg/pg-introspection";
import type { ReadService } from "../../src/postgres/read-service.ts";
import { buildGatewaySchema, type GatewaySchema } from "../../src/surfaces/graphql/schema/schema.ts";

type Services = Parameters<typeof buildGatewaySchema>[0];

const built = new WeakMap<Services, Map<string, Promise<GatewaySchema>>>();

/** As {@link buildGatewaySchema}; what was built for the same services from an equal catalog is taken again. */
export const sharedSchema: typeof buildGatewaySchema = async (services, reads) => {
  const ofServices = built.get(services) ?? new Map<string, Promise<GatewaySchema>>();
  built.set(services, ofServices);
  const key = await catalogHash(reads);
  const known = ofServices.get(key);
  const schema = known ?? buildGatewaySchema(services, reads);
  ofServices.set(key, schema);
  try {
    const { schema: shared, resolvedPreset } = await schema;
    // A request finds its database through the preset; nothing else in the schema knows one.
    return { schema: shared, resolvedPreset: { ...resolvedPreset, pgServices: [reads] } };
  } catch (error) {
    ofServices.delete(key);
    throw error;
  }
};

/** Of all that PostGraphile reads: its own question to the catalog but for the database itself, and the rows of enum tables. */
async function catalogHash(reads: ReadService): Promise<string> {
  const withPgClient = await reads.adaptor.createWithPgClient(undefined as never);
  return withPgClient(null, async (client) => {
    const { rows } = await client.query<{ introspection: string }>({ text: makeIntrospectionQuery() });
    const { database: _, ...catalog } = JSON.parse(rows[0]?.introspection ?? "") as Introspection;
    const hash = createHash("sha256").update(JSON.stringify(catalog));
    for (const { objoid, objsubid, description } of catalog.descriptions) {
      if (objsubid !== 0 || !/^@enum$/m.test(description)) continue;
      const table = catalog.classes.find(({ _id }) => _id === objoid);
      const schema = catalog.namespaces.find(({ _id }) => _id === table?.relnamespace);
      const name = `${schema?.nspname}.${table?.relname}`;
      const values = await client.query({ text: `select value::text from ${name} as value order by 1` });
      hash.update(JSON.stringify([name, values.rows]));
    }
    return hash.digest("hex");
  });
}
