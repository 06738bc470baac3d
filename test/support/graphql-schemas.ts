// The GraphQL schema of the tests' gateways: built once in a process for one catalog, for nearly all databases of tests are copies of one.
import { createHash } from "node:crypto";
import { type Introspection, makeIntrospectionQuery } from "graphile-build-pg/pg-introspection";
import type { GraphQLSchema } from "graphql";
import type { PgClient } from "postgraphile/@dataplan/pg";
import type { ReadService } from "../../src/postgres/read-service.ts";
import { buildGatewaySchema, type GatewaySchema } from "../../src/surfaces/graphql/schema/schema.ts";

type Services = Parameters<typeof buildGatewaySchema>[0];

/** Most schemas that a process keeps, some 40 MB each: what is kept for good makes each garbage collection dearer. */
const MOST_KEPT = 3;

interface Built {
  readonly services: Services;
  readonly key: string;
  readonly schema: Promise<GatewaySchema>;
}

/** The last used first. */
let built: readonly Built[] = [];

/** As {@link buildGatewaySchema}; what was built for the same services from an equal catalog is taken again. */
export const sharedSchema: typeof buildGatewaySchema = async (services, reads, tellUnknown) => {
  const key = await catalogKey(reads);
  const known = built.find((each) => each.services === services && each.key === key);
  const used = known ?? { services, key, schema: buildGatewaySchema(services, reads, tellUnknown) };
  const others = () => built.filter((each) => each !== used);
  built = [used, ...others()].slice(0, MOST_KEPT);
  try {
    const shared = await used.schema;
    return {
      ...shared,
      schema: withPlansOfItsOwn(shared.schema),
      // A request finds its database through the preset; nothing else in the schema knows one.
      resolvedPreset: { ...shared.resolvedPreset, pgServices: [reads] },
    };
  } catch (error) {
    built = others();
    throw error;
  }
};

/** Grafast keeps its plans with the schema, and each holds the first request that it was made for: with the others' plans each gateway that ended would stay in memory. */
function withPlansOfItsOwn(schema: GraphQLSchema): GraphQLSchema {
  const { grafast, ...others } = schema.extensions;
  return Object.create(schema, { extensions: { value: { ...others, grafast: { ...(grafast as object) } } } });
}

/** The catalogs that PostGraphile reads, but for the database and roles: tests name roles after their databases. */
const CATALOGS = [
  "am attribute class constraint depend description enum extension",
  "index inherits language namespace policy proc range type",
]
  .join(" ")
  .split(" ");
/** Which transaction last wrote each catalog, and how many rows it has; copies of the template agree until somebody changes one. */
const WRITTEN = `select ${CATALOGS.map((name) => `(select array[count(*), max(xmin::text::bigint)] from pg_catalog.pg_${name})`).join(", ")}`;
const ENUMS = `select objoid::regclass::text as name from pg_catalog.pg_description
  where classoid = 'pg_catalog.pg_class'::regclass and objsubid = 0 and description ~ '(?w)^@enum$' order by 1`;

interface Catalog {
  readonly hash: string;
  readonly enums: readonly string[];
}
/** By what {@link WRITTEN} answers: reading and hashing a catalog takes 150 ms. */
const catalogs = new Map<string, Promise<Catalog>>();

/** Of all that PostGraphile reads: its own question to the catalog but for the database itself, and the rows of enum tables. */
async function catalogKey(reads: ReadService): Promise<string> {
  const withPgClient = await reads.adaptor.createWithPgClient(undefined as never);
  return withPgClient(null, async (client) => {
    const written = JSON.stringify((await client.query({ text: WRITTEN, arrayMode: true })).rows);
    const read = catalogs.get(written) ?? readCatalog(client);
    catalogs.set(written, read);
    const { hash, enums } = await read.catch((error: unknown) => {
      catalogs.delete(written);
      throw error;
    });
    const values = enums.map((name) => `(select json_agg(value::text order by value::text) from ${name} as value)`);
    const { rows } = await client.query({ text: `select ${values.join(", ")}`, arrayMode: true });
    return JSON.stringify([hash, enums, rows]);
  });
}

async function readCatalog(client: PgClient): Promise<Catalog> {
  const { rows } = await client.query<{ introspection: string }>({ text: makeIntrospectionQuery() });
  const { database: _, ...catalog } = JSON.parse(rows[0]?.introspection ?? "") as Introspection;
  const enums = await client.query<{ name: string }>({ text: ENUMS });
  return {
    hash: createHash("sha256").update(JSON.stringify(catalog)).digest("hex"),
    enums: enums.rows.map(({ name }) => name),
  };
}
