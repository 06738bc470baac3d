// Zones whose records tests write directly, and what the nameservers serve of them.
import type pg from "pg";
import { Operator } from "../../../src/postgres/operator/operator.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { inContext, ownerPool } from "../../support/owner.ts";

/** A record as dns.records has it; `www` stands for www.<apex>, and an empty name for the apex. */
export interface Draft {
  readonly name: string;
  readonly type: string;
  readonly content: string;
  readonly ttl?: number;
  readonly priority?: number;
  readonly disabled?: boolean;
}

export interface Zone {
  readonly id: number;
  readonly name: string;
}

/** Rows of pdns.records as text, in the order of the text. */
export type Served = readonly string[];

const WHOLE = "records::text";
const SHORT =
  "concat_ws(' ', name, coalesce(type, 'ENT'), prio, content, ttl, case when auth then 'auth' else 'not auth' end)";

export class ServedStage {
  readonly database: TestDatabase;
  readonly owner: pg.Pool;
  readonly operator: Operator;
  readonly tenantId: string;
  #zones = 0;

  private constructor(database: TestDatabase, owner: pg.Pool, operator: Operator, tenantId: string) {
    this.database = database;
    this.owner = owner;
    this.operator = operator;
    this.tenantId = tenantId;
  }

  static async open(): Promise<ServedStage> {
    const database = await createTestDatabase();
    const operator = await Operator.connect(database.adminUrl);
    const { id } = await operator.createOrganization({ name: "Served" });
    return new ServedStage(database, ownerPool(database), operator, id);
  }

  async close(): Promise<void> {
    await this.operator.close();
    await this.owner.end();
    await this.database.drop();
  }

  inTenant<Result>(work: (client: pg.PoolClient) => Promise<Result>, tenantId = this.tenantId): Promise<Result> {
    return inContext(this.owner, tenantId, "live", work);
  }

  /** A zone that is served, still without records. */
  async newZone(
    name = `zone${++this.#zones}.example`,
    nameservers: readonly string[] | null = ["ns1.selo.test", "ns2.selo.test"],
  ): Promise<Zone> {
    return this.inTenant(async (client) => {
      const { rows } = await client.query<{ id: number }>(
        "insert into dns.zones (tenant_id, name, nameservers, serial) values ($1, $2, $3, 1) returning id",
        [this.tenantId, name, nameservers],
      );
      const [zone] = rows;
      if (zone === undefined) throw new Error("the zone was not made");
      await client.query("select dns.publish_zone($1)", [zone.id]);
      return { id: zone.id, name };
    });
  }

  /** Writes records, and publishes nothing. */
  async insert(client: pg.PoolClient, zone: Zone, drafts: readonly Draft[]): Promise<void> {
    await client.query(
      `insert into dns.records (tenant_id, zone_id, name, type, content, ttl, priority, disabled)
       select $1, $2, draft.name, draft.type, draft.content, draft.ttl, draft.priority, draft.disabled
       from jsonb_to_recordset($3) as draft (name text, type text, content text, ttl integer, priority integer, disabled boolean)`,
      [
        this.tenantId,
        zone.id,
        JSON.stringify(drafts.map((draft) => ({ ttl: 300, disabled: false, ...draft, name: whole(zone, draft.name) }))),
      ],
    );
  }

  /** Adds records and publishes their names, as a change does. */
  add(zone: Zone, drafts: readonly Draft[]): Promise<void> {
    return this.inTenant(async (client) => {
      await this.insert(client, zone, drafts);
      await publish(
        client,
        zone,
        drafts.map(({ name }) => name),
      );
    });
  }

  /** Removes the records of a name and publishes the name. */
  remove(zone: Zone, name: string, type: string): Promise<void> {
    return this.inTenant(async (client) => {
      await client.query("delete from dns.records where tenant_id = $1 and zone_id = $2 and name = $3 and type = $4", [
        this.tenantId,
        zone.id,
        whole(zone, name),
        type,
      ]);
      await publish(client, zone, [name]);
    });
  }

  /** What the nameservers serve of a zone beyond the SOA and NS records at its apex: `www A 192.0.2.1 300 auth`. */
  async short(zone: Zone): Promise<Served> {
    const all = await rowsOf(this.database.admin, SHORT, zone);
    return all
      .filter((row) => !row.startsWith(`${zone.name} SOA `) && !row.startsWith(`${zone.name} NS `))
      .map((row) => row.replace(`.${zone.name} `, " ").replace(`${zone.name} `, "@ "));
  }

  /** Everything that the nameservers serve of a zone, with all columns. */
  served(zone: Zone): Promise<Served> {
    return rowsOf(this.database.admin, WHOLE, zone);
  }

  /** What they would serve if the zone had never been served before. */
  async rebuilt(zone: Zone): Promise<Served> {
    const client = await this.owner.connect();
    try {
      await client.query("begin");
      await client.query("select platform.enter_context($1, 'live', null, null, null)", [this.tenantId]);
      await client.query("select dns.withdraw_zone($1), dns.publish_zone($1)", [zone.id]);
      return await rowsOf(client, WHOLE, zone);
    } finally {
      await client.query("rollback");
      client.release();
    }
  }
}

const whole = (zone: Zone, name: string): string => (name === "" ? zone.name : `${name}.${zone.name}`);

/** As dns.change_records does after a change. */
export async function publish(client: pg.PoolClient, zone: Zone, names: readonly string[]): Promise<void> {
  await client.query("update dns.zones set serial = serial + 1 where id = $1", [zone.id]);
  await client.query("select dns.publish_names($1, $2)", [zone.id, names.map((name) => whole(zone, name))]);
}

async function rowsOf(client: pg.Pool | pg.PoolClient, row: string, zone: Zone): Promise<Served> {
  const { rows } = await client.query<{ row: string }>(`select ${row} as row from pdns.records where domain_id = $1`, [
    zone.id,
  ]);
  return rows.map((each) => each.row).sort();
}
