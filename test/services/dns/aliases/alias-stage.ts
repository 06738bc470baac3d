// A gateway and a small public DNS, the job that has ALIAS names follow, and what is served.
import pg from "pg";
import { expect } from "vitest";
import { PublicDns } from "../../../../src/adapters/resolver/public-dns.ts";
import { masterKeysOf } from "../../../../src/main/master-key.ts";
import { createPool } from "../../../../src/postgres/pool.ts";
import { resolveAliases } from "../../../../workers/dns/resolve-aliases.ts";
import { DnsWorld } from "../../../support/dns-world.ts";
import { startSteadyClock } from "../../../support/steady-clock.ts";
import { taskContext } from "../../../support/worker.ts";
import { type Customer, DnsStage, NAMESERVERS, type Zone } from "../dns-stage.ts";

/** A target as dns.alias_targets has it. */
export interface TargetRow {
  readonly type: "A" | "AAAA";
  readonly addresses: readonly string[];
  readonly ttl: number | null;
  readonly failing: boolean;
  readonly given_up: boolean;
  /** Seconds until it is asked for again. */
  readonly due: number;
}

/** How long a run waits for the answers about a target; and for one that did not answer last time. */
interface Waits {
  readonly taskMs?: number;
  readonly failingMs?: number;
}

export class AliasStage {
  readonly world: DnsWorld;
  readonly dns: DnsStage;
  /** Zones that the job had the nameservers forget. */
  readonly flushed: string[] = [];
  readonly #worker: pg.Pool;
  readonly #stopClock: () => void;
  readonly #connections: pg.Client[] = [];
  #targets = 0;

  private constructor(world: DnsWorld, dns: DnsStage, stopClock: () => void) {
    this.world = world;
    this.dns = dns;
    this.#stopClock = stopClock;
    this.#worker = createPool(
      {
        url: dns.selo.database.workerUrl,
        role: "selo_worker",
        applicationName: "test worker",
        statementTimeoutMs: 60_000,
      },
      5,
      () => {},
    );
  }

  static async open(): Promise<AliasStage> {
    const stopClock = startSteadyClock();
    const world = await DnsWorld.start();
    return new AliasStage(world, await DnsStage.open(NAMESERVERS, world.environment), stopClock);
  }

  async close(): Promise<void> {
    for (const client of this.#connections) await client.end();
    await this.#worker.end();
    await this.dns.close();
    await this.world.close();
    this.#stopClock();
  }

  customer(): Promise<Customer> {
    return this.dns.customer({ plan: "business" });
  }

  /** The name of a host elsewhere, which the public DNS knows with these addresses. */
  target(addresses: readonly string[] | null = null, ttl = 300): string {
    const name = `host-${++this.#targets}.elsewhere.test`;
    if (addresses !== null) this.world.addresses.set(name, addresses);
    this.world.ttls.set(name, ttl);
    return name;
  }

  /** A run of the job. */
  async run({ taskMs = 1_000, failingMs = taskMs }: Waits = {}): Promise<void> {
    const { config } = this.dns.selo;
    const waiting = (ms: number) =>
      new PublicDns({ resolvers: [this.world.resolver], loopbackPort: this.world.port, taskMs: ms });
    const flush = async (zones: readonly string[]) => this.flushed.push(...zones);
    await resolveAliases({ publicDns: waiting(taskMs), failingDns: waiting(failingMs), flush })(
      {},
      taskContext(this.#worker, masterKeysOf(config)),
    );
  }

  /** Its own connection for a transaction that a test leaves open meanwhile. It does not wait for locks for more than three seconds. */
  async connection(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.dns.selo.database.adminUrl,
      options: "-c lock_timeout=3000",
    });
    await client.connect();
    this.#connections.push(client);
    return client;
  }

  /** Makes a target due, as if so much time had passed since its last check. */
  async pass(name: string, time = "1 hour"): Promise<void> {
    await this.dns.rows(
      `update dns.alias_targets set due_at = due_at - $2::interval, checked_at = checked_at - $2::interval, failing_since = failing_since - $2::interval
       where name = $1`,
      [name, time],
    );
  }

  /** A target is asked for again: time passes, and the job runs. */
  async refresh(name: string, time?: string, waits?: Waits): Promise<void> {
    await this.pass(name, time);
    await this.run(waits);
  }

  /** The zone becomes active, as a check of its delegation finds it. */
  async activate(zone: Zone): Promise<void> {
    this.world.delegate(zone.name, zone.body.nameservers);
    const { body } = await zone.ask("POST", "/check-delegation");
    expect(body.status).toBe("active");
  }

  /** The addresses that a name is served with: `192.0.2.1 300`, in order. */
  async served(zone: Zone, name = ""): Promise<readonly string[]> {
    const whole = name === "" ? zone.name : `${name}.${zone.name}`;
    const rows = await this.dns.rows<{ row: string }>(
      `select concat(content, ' ', ttl, case when not auth then ' not auth' end, case when (type = 'A') = (content like '%:%') then ' WRONG TYPE' end) as row
       from pdns.records where domain_id = $1 and name = $2 and type in ('A', 'AAAA')`,
      [zone.body.id, whole],
    );
    return rows.map(({ row }) => row).toSorted();
  }

  targetRows(name: string): Promise<TargetRow[]> {
    return this.dns.rows<TargetRow>(
      `select type, addresses, ttl, failing_since is not null as failing, is_given_up as given_up,
         extract(epoch from due_at - clock_timestamp())::integer as due
       from dns.alias_targets where name = $1 order by type`,
      [name],
    );
  }

  /** What `selo audit verify` finds in zones, their changes and what is served. */
  async faults(): Promise<readonly string[]> {
    const checks = ["audit_check_served", "audit_check_zone_changes", "audit_check_zone_records", "audit_check_zones"];
    const found = await Promise.all(
      checks.map((check) => this.dns.rows<{ fault: string }>(`select fault from dns.${check}(null)`)),
    );
    return found.flat().map(({ fault }) => fault);
  }

  /** The kinds of events of the audit trail of a zone, the oldest first. */
  async actions(zone: Zone): Promise<readonly string[]> {
    const rows = await this.dns.rows<{ action: string }>(
      `select event.action from platform.audit_events as event join dns.zones as zone on zone.subject_id = event.subject_id
       where zone.id = $1 order by event.seq`,
      [zone.body.id],
    );
    return rows.map(({ action }) => action);
  }
}
