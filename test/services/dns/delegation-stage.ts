// A gateway beside a small public DNS, with the worker's job.
import { PublicDns } from "../../../src/adapters/resolver/public-dns.ts";
import { masterKeysOf } from "../../../src/main/master-key.ts";
import { createPool } from "../../../src/postgres/pool.ts";
import { checkDelegations } from "../../../workers/dns/check-delegations.ts";
import { DnsWorld } from "../../support/dns-world.ts";
import type { RestResponse } from "../../support/rest-client.ts";
import { startSteadyClock } from "../../support/steady-clock.ts";
import { taskContext } from "../../support/worker.ts";
import { DnsStage, NAMESERVERS, type Zone } from "./dns-stage.ts";

/** Nameservers of somebody else. */
export const FOREIGN = ["ns1.other.test", "ns2.other.test"] as const;

export class DelegationStage {
  readonly world: DnsWorld;
  readonly dns: DnsStage;
  readonly #pool;
  readonly #stopClock: () => void;
  readonly #task;

  private constructor(world: DnsWorld, dns: DnsStage, stopClock: () => void) {
    this.world = world;
    this.dns = dns;
    this.#stopClock = stopClock;
    const { config, database } = dns.selo;
    this.#pool = createPool(
      { url: database.workerUrl, role: "selo_worker", applicationName: "test", statementTimeoutMs: 60_000 },
      4,
      () => {},
    );
    const publicDns = new PublicDns({
      resolvers: [world.resolver],
      loopbackPort: world.port,
      queryMs: 150,
      taskMs: 400,
    });
    const task = checkDelegations(publicDns);
    const context = taskContext(this.#pool, masterKeysOf(config));
    this.#task = () => task({}, context);
  }

  static async open(nameservers: readonly string[] = NAMESERVERS): Promise<DelegationStage> {
    const stopClock = startSteadyClock();
    const world = await DnsWorld.start();
    return new DelegationStage(world, await DnsStage.open(nameservers, world.environment), stopClock);
  }

  /** What the worker does every minute. */
  work(): Promise<void> {
    return this.#task();
  }

  /** Makes all times of a zone's checks so much older. */
  async age(zone: Zone, interval: string): Promise<void> {
    await this.dns.rows(
      `update dns.zones set checked_at = checked_at - $2::interval, due_at = due_at - $2::interval where id = $1`,
      [zone.body.id, interval],
    );
  }

  /** Makes the loss of a zone's delegation so much older. The audit trail notices that. */
  async ageLoss(zone: Zone, interval: string): Promise<void> {
    await this.dns.rows("update dns.zones set lost_at = lost_at - $2::interval where id = $1", [
      zone.body.id,
      interval,
    ]);
  }

  /** A check by a request, of a zone whose last check is not recent. */
  async check(zone: Zone): Promise<RestResponse> {
    await this.age(zone, "1 minute");
    return zone.ask("POST", "/check-delegation");
  }

  /** A check by the worker, which waits for a silent server a short time only. */
  async checkByWorker(zone: Zone): Promise<RestResponse> {
    await this.age(zone, "10 minutes");
    await this.work();
    return zone.ask("GET");
  }

  /** Has the parent publish DS records of a zone, given as the API answers them. */
  publishDs(zone: Zone, ds: readonly string[]): void {
    this.world.ds.set(
      zone.name,
      ds.map((record) => {
        const [keyTag, algorithm, digestType, digest = ""] = record.split(" ");
        return {
          keyTag: Number(keyTag),
          algorithm: Number(algorithm),
          digestType: Number(digestType),
          digest: Buffer.from(digest, "hex"),
        };
      }),
    );
  }

  /** The status after a check. */
  async status(zone: Zone): Promise<string> {
    return (await this.check(zone)).body.status;
  }

  /** A zone that is active. */
  async active(zone: Zone): Promise<Zone> {
    this.world.delegate(zone.name, zone.body.nameservers);
    const status = await this.status(zone);
    if (status !== "active") throw new Error(`the zone is ${status}`);
    return zone;
  }

  /** What was told about a zone, the oldest first. */
  async told(zone: Zone): Promise<{
    readonly audit: readonly string[];
    readonly events: readonly string[];
    readonly mails: readonly string[];
  }> {
    const audit = await this.dns.rows<{ action: string }>(
      `select action from platform.audit_events where subject_type = 'zone' and action <> 'zone.created'
         and subject_id in (select subject_id from platform.audit_events where action = 'zone.created' and (details::jsonb ->> 'zone_id')::int = $1)
       order by seq`,
      [zone.body.id],
    );
    const events = await this.dns.rows<{ type: string }>(
      "select type from webhooks.events where (body::jsonb #>> '{data,zone_id}')::int = $1 and type <> 'zone.created' order by id",
      [zone.body.id],
    );
    const mails = await this.dns.rows<{ kind: string }>(
      "select kind from platform.mails where (data ->> 'zone_id')::int = $1 order by id",
      [zone.body.id],
    );
    return {
      audit: audit.map(({ action }) => action),
      events: events.map(({ type }) => type),
      mails: mails.map(({ kind }) => kind),
    };
  }

  async close(): Promise<void> {
    await this.#pool.end();
    await this.dns.close();
    await this.world.close();
    this.#stopClock();
  }
}
